#include "binding.inc"
! The collectives that compute. What a rank gets is compared with what it computes from the values of
! all ranks.
module reductions
  USE_MPI
  use checks
  use user_operation
  implicit none
  INCLUDE_MPI
  private
  public :: check_reductions

  integer, parameter :: n = 2000
  HANDLE(MPI_Comm) :: comm
  integer :: rank, ranks, error
contains
  subroutine check_reductions(over)
    HANDLE(MPI_Comm), intent(in) :: over
    integer :: root
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    call begin_part('reductions')
    call integers_to_all
    call longs_to_all
    call reals_to_all
    call complexes_to_all
    call truths_to_all
    call places_to_all
    call own_operation
    do root = 0, ranks - 1
      call to_one(root)
    end do
    call scattered
    call scattered_blocks
    call prefixes
  end subroutine check_reductions

  subroutine fine(what)
    character(len=*), intent(in) :: what
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
  end subroutine fine

  ! The sum of integers(count, r) over ranks first to last.
  function sums(count, first, last) result(values)
    integer, intent(in) :: count, first, last
    integer :: values(count), r
    values = 0
    do r = first, last
      values = values + integers(count, r)
    end do
  end function sums

  subroutine integers_to_all
    integer :: mine(n), all(n), least(n), greatest(n), bits(n), r
    mine = integers(n, rank)
    least = mine
    greatest = mine
    bits = 0
    do r = 0, ranks - 1
      least = min(least, integers(n, r))
      greatest = max(greatest, integers(n, r))
      bits = ieor(bits, integers(n, r))
    end do
    call MPI_Allreduce(mine, all, n, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Allreduce SUM')
    call same('Allreduce INTEGER SUM', all, sums(n, 0, ranks - 1))
    call MPI_Allreduce(mine, all, n, MPI_INTEGER, MPI_MIN, comm, error)
    call same('Allreduce INTEGER MIN', all, least)
    call MPI_Allreduce(mine, all, n, MPI_INTEGER, MPI_MAX, comm, error)
    call same('Allreduce INTEGER MAX', all, greatest)
    call MPI_Allreduce(mine, all, n, MPI_INTEGER, MPI_BXOR, comm, error)
    call same('Allreduce INTEGER BXOR', all, bits)
    all = mine
    call MPI_Allreduce(MPI_IN_PLACE, all, n, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Allreduce in place')
    call same('Allreduce in place', all, sums(n, 0, ranks - 1))
    call same('Allreduce leaves its input', mine, integers(n, rank))
  end subroutine integers_to_all

  subroutine longs_to_all
    integer(kind(longs(1, 0))) :: mine(n), all(n), wanted(n)
    integer :: r
    mine = longs(n, rank)
    wanted = 0
    do r = 0, ranks - 1
      wanted = wanted + longs(n, r)
    end do
    call MPI_Allreduce(mine, all, n, MPI_INTEGER8, MPI_SUM, comm, error)
    call fine('Allreduce INTEGER8')
    call same('Allreduce INTEGER8', all, wanted)
  end subroutine longs_to_all

  subroutine reals_to_all
    double precision :: mine(n), all(n)
    real :: single(n), greatest(n), all_single(n)
    integer :: r
    mine = doubles(n, rank)
    call MPI_Allreduce(mine, all, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, error)
    call fine('Allreduce DOUBLE PRECISION')
    call same('Allreduce DOUBLE PRECISION SUM', all, 0.125d0 * sums(n, 0, ranks - 1))
    single = reals(n, rank)
    greatest = single
    do r = 0, ranks - 1
      greatest = max(greatest, reals(n, r))
    end do
    call MPI_Allreduce(single, all_single, n, MPI_REAL, MPI_MAX, comm, error)
    call fine('Allreduce REAL')
    call same('Allreduce REAL MAX', all_single, greatest)
  end subroutine reals_to_all

  subroutine complexes_to_all
    complex :: mine(n), all(n), wanted(n)
    double complex :: wide(n), all_wide(n), wanted_wide(n)
    integer :: r
    mine = complexes(n, rank)
    wide = mine
    wanted = 0
    do r = 0, ranks - 1
      wanted = wanted + complexes(n, r)
    end do
    wanted_wide = wanted
    call MPI_Allreduce(mine, all, n, MPI_COMPLEX, MPI_SUM, comm, error)
    call fine('Allreduce COMPLEX')
    call same('Allreduce COMPLEX', all, wanted)
    call MPI_Allreduce(wide, all_wide, n, MPI_DOUBLE_COMPLEX, MPI_SUM, comm, error)
    call fine('Allreduce DOUBLE COMPLEX')
    call expect('Allreduce DOUBLE COMPLEX', count(all_wide == wanted_wide) == n)
  end subroutine complexes_to_all

  subroutine truths_to_all
    logical :: mine(n), all(n), and(n), or(n), xor(n)
    integer :: r
    mine = logicals(n, rank)
    and = .true.
    or = .false.
    xor = .false.
    do r = 0, ranks - 1
      and = and .and. logicals(n, r)
      or = or .or. logicals(n, r)
      xor = xor .neqv. logicals(n, r)
    end do
    call MPI_Allreduce(mine, all, n, MPI_LOGICAL, MPI_LAND, comm, error)
    call fine('Allreduce LAND')
    call same('Allreduce LAND', all, and)
    call MPI_Allreduce(mine, all, n, MPI_LOGICAL, MPI_LOR, comm, error)
    call same('Allreduce LOR', all, or)
    call MPI_Allreduce(mine, all, n, MPI_LOGICAL, MPI_LXOR, comm, error)
    call same('Allreduce LXOR', all, xor)
    call MPI_Reduce(mine, all, n, MPI_LOGICAL, MPI_LAND, 0, comm, error)
    if (rank == 0) call same('Reduce LAND', all, and)
    call MPI_Scan(mine, all, n, MPI_LOGICAL, MPI_LOR, comm, error)
    if (rank == ranks - 1) call same('Scan LOR', all, or)
  end subroutine truths_to_all

  ! Pairs of a value and a rank. Equal values: the least rank counts.
  subroutine places_to_all
    real :: pairs(2, n), all(2, n), wanted(2, n)
    double precision :: wide(2, n), all_wide(2, n)
    integer :: whole(2, n), all_whole(2, n), i, r, value
    do i = 1, n
      pairs(:, i) = real([mod(i * 5 + rank * 7, 11), rank])
      wanted(1, i) = 100
      do r = 0, ranks - 1
        value = mod(i * 5 + r * 7, 11)
        if (value < wanted(1, i)) wanted(:, i) = real([value, r])
      end do
    end do
    call MPI_Allreduce(pairs, all, n, MPI_2REAL, MPI_MINLOC, comm, error)
    call fine('Allreduce 2REAL')
    call same('Allreduce 2REAL MINLOC', reshape(all, [2 * n]), reshape(wanted, [2 * n]))
    wide = pairs
    wide(1, :) = -wide(1, :)
    call MPI_Allreduce(wide, all_wide, n, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, comm, error)
    call fine('Allreduce 2DOUBLE_PRECISION')
    all_wide(1, :) = -all_wide(1, :)
    call expect('Allreduce 2DOUBLE_PRECISION MAXLOC', all_are(all_wide, wanted))
    whole = int(pairs)
    call MPI_Allreduce(whole, all_whole, n, MPI_2INTEGER, MPI_MINLOC, comm, error)
    call fine('Allreduce 2INTEGER')
    call same('Allreduce 2INTEGER MINLOC', reshape(all_whole, [2 * n]), int(reshape(wanted, [2 * n])))
  end subroutine places_to_all

  logical function all_are(got, wanted)
    double precision, intent(in) :: got(:, :)
    real, intent(in) :: wanted(:, :)
    all_are = all(got == wanted)
  end function all_are

  subroutine own_operation
    HANDLE(MPI_Op) :: operation
    integer :: mine(n), got(n)
    mine = integers(n, rank)
    call MPI_Op_create(add_modulo, .true., operation, error)
    call MPI_Allreduce(mine, got, n, MPI_INTEGER, operation, comm, error)
    call fine('Allreduce with an operation of its own')
    if (ranks > 1) call same('Allreduce with an operation of its own', &
      got, modulo(sums(n, 0, ranks - 1), 1009))
    call MPI_Op_free(operation, error)
  end subroutine own_operation

  subroutine to_one(root)
    integer, intent(in) :: root
    integer :: mine(n), got(n), wanted(n)
    mine = integers(n, rank)
    got = -1
    wanted = merge(sums(n, 0, ranks - 1), -1, rank == root)
    call MPI_Reduce(mine, got, n, MPI_INTEGER, MPI_SUM, root, comm, error)
    call fine('Reduce')
    call same('Reduce', got, wanted)
    ! MPICH 4.0 crashes where any other root is in place.
    if (root /= 0) return
    got = merge(mine, -1, rank == root)
    if (rank == root) then
      call MPI_Reduce(MPI_IN_PLACE, got, n, MPI_INTEGER, MPI_SUM, root, comm, error)
    else
      call MPI_Reduce(mine, got, n, MPI_INTEGER, MPI_SUM, root, comm, error)
    end if
    call fine('Reduce in place')
    call same('Reduce in place', got, wanted)
  end subroutine to_one

  ! Rank r gets 100 r + n / ranks of them.
  subroutine scattered
    integer :: counts(0:ranks - 1), r, first, last, total
    integer, allocatable :: mine(:), got(:), sum_of_all(:)
    do r = 0, ranks - 1
      counts(r) = 100 * r + n / ranks
    end do
    total = sum(counts)
    first = sum(counts(0:rank - 1)) + 1
    last = first + counts(rank) - 1
    mine = integers(total, rank)
    sum_of_all = sums(total, 0, ranks - 1)
    allocate (got(counts(rank)), source=-1)
    call MPI_Reduce_scatter(mine, got, counts, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Reduce_scatter')
    call same('Reduce_scatter', got, sum_of_all(first:last))
    call MPI_Reduce_scatter(MPI_IN_PLACE, mine, counts, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Reduce_scatter in place')
    call same('Reduce_scatter in place', mine(1:counts(rank)), sum_of_all(first:last))
  end subroutine scattered

  subroutine scattered_blocks
    double precision :: mine(n * ranks), got(n), wanted(n * ranks)
    mine = doubles(n * ranks, rank)
    wanted = 0.125d0 * sums(n * ranks, 0, ranks - 1)
    got = -1
    call MPI_Reduce_scatter_block(mine, got, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, error)
    call fine('Reduce_scatter_block')
    call same('Reduce_scatter_block', got, wanted(n * rank + 1:n * (rank + 1)))
    call MPI_Reduce_scatter_block(MPI_IN_PLACE, mine, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, error)
    call fine('Reduce_scatter_block in place')
    call same('Reduce_scatter_block in place', mine(1:n), wanted(n * rank + 1:n * (rank + 1)))
  end subroutine scattered_blocks

  ! What Exscan gives rank 0 is undefined.
  subroutine prefixes
    integer :: mine(n), got(n)
    mine = integers(n, rank)
    got = -1
    call MPI_Scan(mine, got, n, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Scan')
    call same('Scan', got, sums(n, 0, rank))
    got = -1
    call MPI_Exscan(mine, got, n, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Exscan')
    if (rank > 0) call same('Exscan', got, sums(n, 0, rank - 1))
    got = mine
    call MPI_Scan(MPI_IN_PLACE, got, n, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Scan in place')
    call same('Scan in place', got, sums(n, 0, rank))
    got = mine
    call MPI_Exscan(MPI_IN_PLACE, got, n, MPI_INTEGER, MPI_SUM, comm, error)
    call fine('Exscan in place')
    if (rank > 0) call same('Exscan in place', got, sums(n, 0, rank - 1))
  end subroutine prefixes
end module reductions
