#include "binding.inc"
! The collectives that move data.
module movement
  USE_MPI
  use checks
  implicit none
  INCLUDE_MPI
  private
  public :: check_movement

  integer, parameter :: n = 2000
  HANDLE(MPI_Comm) :: comm
  integer :: rank, ranks, error
contains
  subroutine check_movement(over)
    HANDLE(MPI_Comm), intent(in) :: over
    integer :: root
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    call begin_part('movement')
    do root = 0, ranks - 1
      call broadcast(root)
      call broadcast_a_row(root)
      call gather(root)
      call gather_unevenly(root)
      call scatter(root)
      call scatter_unevenly(root)
    end do
    call gather_to_all
    call gather_to_all_unevenly
    call exchange
    call exchange_unevenly
    call exchange_with_types
    call neighbours
    call neighbours_with_types
  end subroutine check_movement

  subroutine fine(what)
    character(len=*), intent(in) :: what
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
  end subroutine fine

  subroutine broadcast(root)
    integer, intent(in) :: root
    integer :: whole(n)
    logical :: truths(n)
    real :: singles(n)
    double precision :: values(n)
    complex :: pairs(n)
    character(len=n) :: text
    integer :: from
    from = merge(root, 50, rank == root)
    whole = integers(n, from)
    truths = logicals(n, from)
    singles = reals(n, from)
    values = doubles(n, from)
    pairs = complexes(n, from)
    text = letters(n, from)
    call MPI_Bcast(whole, n, MPI_INTEGER, root, comm, error)
    call fine('Bcast')
    call MPI_Bcast(truths, n, MPI_LOGICAL, root, comm, error)
    call MPI_Bcast(singles, n, MPI_REAL, root, comm, error)
    call MPI_Bcast(values, n, MPI_DOUBLE_PRECISION, root, comm, error)
    call MPI_Bcast(pairs, n, MPI_COMPLEX, root, comm, error)
    call MPI_Bcast(text, n, MPI_CHARACTER, root, comm, error)
    call same('Bcast INTEGER', whole, integers(n, root))
    call same('Bcast LOGICAL', truths, logicals(n, root))
    call same('Bcast REAL', singles, reals(n, root))
    call same('Bcast DOUBLE PRECISION', values, doubles(n, root))
    call same('Bcast COMPLEX', pairs, complexes(n, root))
    call same('Bcast CHARACTER', text, letters(n, root))
  end subroutine broadcast

  ! A row of a matrix: its elements lie apart. The others must stay as they are.
  subroutine broadcast_a_row(root)
    integer, intent(in) :: root
    integer :: matrix(5, n), wanted(5, n)
    HANDLE(MPI_Datatype) :: row
    matrix = -1
    wanted = -1
    wanted(3, :) = integers(n, root)
    if (rank == root) matrix(3, :) = integers(n, root)
    call MPI_Type_vector(n, 1, 5, MPI_INTEGER, row, error)
    call MPI_Type_commit(row, error)
    call MPI_Bcast(matrix(3, 1), 1, row, root, comm, error)
    call fine('Bcast of a row')
    call same('Bcast of a row', reshape(matrix, [5 * n]), reshape(wanted, [5 * n]))
    call MPI_Type_free(row, error)
  end subroutine broadcast_a_row

  subroutine gather(root)
    integer, intent(in) :: root
    double precision :: mine(n), all(n, 0:ranks - 1), wanted(n, 0:ranks - 1)
    integer :: r
    mine = doubles(n, rank)
    all = -1
    wanted = -1
    if (rank == root) wanted = reshape([(doubles(n, r), r = 0, ranks - 1)], [n, ranks])
    call MPI_Gather(mine, n, MPI_DOUBLE_PRECISION, all, n, MPI_DOUBLE_PRECISION, root, comm, error)
    call fine('Gather')
    call same('Gather', reshape(all, [n * ranks]), reshape(wanted, [n * ranks]))
    if (rank == root) then
      all = -1
      all(:, root) = mine
      call MPI_Gather(MPI_IN_PLACE, n, MPI_DOUBLE_PRECISION, all, n, MPI_DOUBLE_PRECISION, &
        root, comm, error)
    else
      call MPI_Gather(mine, n, MPI_DOUBLE_PRECISION, all, n, MPI_DOUBLE_PRECISION, &
        root, comm, error)
    end if
    call fine('Gather in place')
    call same('Gather in place', reshape(all, [n * ranks]), reshape(wanted, [n * ranks]))
  end subroutine gather

  ! Rank r has n - 100 r values; they lie n + 3 apart, with gaps that nobody may write to.
  subroutine uneven(counts, places, together)
    integer, intent(out) :: counts(0:), places(0:), together(:)
    integer :: r
    together = -1
    do r = 0, ranks - 1
      counts(r) = n - 100 * r
      places(r) = (n + 3) * r
      together(places(r) + 1:places(r) + counts(r)) = integers(counts(r), r)
    end do
  end subroutine uneven

  subroutine gather_unevenly(root)
    integer, intent(in) :: root
    integer :: counts(0:ranks - 1), places(0:ranks - 1), all((n + 3) * ranks)
    integer :: wanted((n + 3) * ranks), mine(n)
    call uneven(counts, places, wanted)
    mine = integers(n, rank)
    all = -1
    if (rank /= root) wanted = -1
    call MPI_Gatherv(mine, counts(rank), MPI_INTEGER, all, counts, places, MPI_INTEGER, root, &
      comm, error)
    call fine('Gatherv')
    call same('Gatherv', all, wanted)
  end subroutine gather_unevenly

  subroutine scatter(root)
    integer, intent(in) :: root
    complex :: all(n, 0:ranks - 1), mine(n)
    integer :: r
    all = 0
    if (rank == root) all = reshape([(complexes(n, r), r = 0, ranks - 1)], [n, ranks])
    mine = -1
    call MPI_Scatter(all, n, MPI_COMPLEX, mine, n, MPI_COMPLEX, root, comm, error)
    call fine('Scatter')
    call same('Scatter', mine, complexes(n, rank))
    mine = -1
    if (rank == root) then
      call MPI_Scatter(all, n, MPI_COMPLEX, MPI_IN_PLACE, n, MPI_COMPLEX, root, comm, error)
      mine = all(:, root)
    else
      call MPI_Scatter(all, n, MPI_COMPLEX, mine, n, MPI_COMPLEX, root, comm, error)
    end if
    call fine('Scatter in place')
    call same('Scatter in place', mine, complexes(n, rank))
  end subroutine scatter

  subroutine scatter_unevenly(root)
    integer, intent(in) :: root
    integer :: counts(0:ranks - 1), places(0:ranks - 1), all((n + 3) * ranks), mine(n), wanted(n)
    call uneven(counts, places, all)
    mine = -1
    wanted = -1
    wanted(1:counts(rank)) = integers(counts(rank), rank)
    if (rank /= root) all = -2
    call MPI_Scatterv(all, counts, places, MPI_INTEGER, mine, counts(rank), MPI_INTEGER, root, &
      comm, error)
    call fine('Scatterv')
    call same('Scatterv', mine, wanted)
  end subroutine scatter_unevenly

  subroutine gather_to_all
    logical :: mine(n), all(n, 0:ranks - 1), wanted(n * ranks)
    integer :: r
    mine = logicals(n, rank)
    wanted = [(logicals(n, r), r = 0, ranks - 1)]
    all = .false.
    call MPI_Allgather(mine, n, MPI_LOGICAL, all, n, MPI_LOGICAL, comm, error)
    call fine('Allgather')
    call same('Allgather', reshape(all, [n * ranks]), wanted)
    all = .false.
    all(:, rank) = mine
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_LOGICAL, comm, error)
    call fine('Allgather in place')
    call same('Allgather in place', reshape(all, [n * ranks]), wanted)
  end subroutine gather_to_all

  subroutine gather_to_all_unevenly
    integer :: counts(0:ranks - 1), places(0:ranks - 1), all((n + 3) * ranks)
    integer :: wanted((n + 3) * ranks), mine(n)
    call uneven(counts, places, wanted)
    mine = integers(n, rank)
    all = -1
    call MPI_Allgatherv(mine, counts(rank), MPI_INTEGER, all, counts, places, MPI_INTEGER, &
      comm, error)
    call fine('Allgatherv')
    call same('Allgatherv', all, wanted)
    all = -1
    all(places(rank) + 1:places(rank) + counts(rank)) = mine(1:counts(rank))
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_INTEGER, &
      comm, error)
    call fine('Allgatherv in place')
    call same('Allgatherv in place', all, wanted)
  end subroutine gather_to_all_unevenly

  ! What rank a has for rank b is numbered 10 a + b.
  subroutine exchange
    real :: out(n, 0:ranks - 1), into(n, 0:ranks - 1), wanted(n * ranks)
    integer :: r
    out = reshape([(reals(n, 10 * rank + r), r = 0, ranks - 1)], [n, ranks])
    wanted = [(reals(n, 10 * r + rank), r = 0, ranks - 1)]
    into = -1
    call MPI_Alltoall(out, n, MPI_REAL, into, n, MPI_REAL, comm, error)
    call fine('Alltoall')
    call same('Alltoall', reshape(into, [n * ranks]), wanted)
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, n, MPI_REAL, comm, error)
    call fine('Alltoall in place')
    call same('Alltoall in place', reshape(out, [n * ranks]), wanted)
  end subroutine exchange

  ! Rank a sends n - 100 (a + b) values to rank b; they lie n + 3 apart.
  subroutine exchange_unevenly
    integer, dimension(0:ranks - 1) :: counts, places
    double precision, dimension((n + 3) * ranks) :: out, into, wanted
    integer :: r
    out = -1
    into = -1
    wanted = -1
    do r = 0, ranks - 1
      counts(r) = n - 100 * (rank + r)
      places(r) = (n + 3) * r
      out(places(r) + 1:places(r) + counts(r)) = doubles(counts(r), 10 * rank + r)
      wanted(places(r) + 1:places(r) + counts(r)) = doubles(counts(r), 10 * r + rank)
    end do
    call MPI_Alltoallv(out, counts, places, MPI_DOUBLE_PRECISION, into, counts, places, &
      MPI_DOUBLE_PRECISION, comm, error)
    call fine('Alltoallv')
    call same('Alltoallv', into, wanted)
  end subroutine exchange_unevenly

  ! What goes to or comes from an odd rank is real, the rest is integer; displacements are bytes.
  subroutine exchange_with_types
    integer, dimension(0:ranks - 1) :: counts, places
    integer, dimension(n * ranks) :: out, into, wanted
    HANDLE(MPI_Datatype) :: types(0:ranks - 1)
    integer :: r
    into = -1
    do r = 0, ranks - 1
      counts(r) = n - 100 * abs(rank - r)
      places(r) = 4 * n * r
      types(r) = MPI_INTEGER
      if (mod(rank + r, 2) == 1) types(r) = MPI_REAL
      out(n * r + 1:n * r + n) = integers(n, 10 * rank + r)
      wanted(n * r + 1:n * r + n) = integers(n, 10 * r + rank)
      wanted(n * r + counts(r) + 1:n * r + n) = -1
    end do
    call MPI_Alltoallw(out, counts, places, types, into, counts, places, types, comm, error)
    call fine('Alltoallw')
    call same('Alltoallw', into, wanted)
  end subroutine exchange_with_types

  ! On a line without ends: beyond the first and the last there is nobody.
  subroutine neighbours
    HANDLE(MPI_Comm) :: line
    double precision :: out(n, 2), into(n, 2), wanted(n, 2), gathered(n, 2)
    integer :: counts(2), places(2)
    logical :: around(1)
    integer :: extents(1)
    extents = ranks
    around = .false.
    counts = n
    places = [0, n]
    out = reshape([doubles(n, 10 * rank), doubles(n, 10 * rank + 1)], [n, 2])
    wanted = -1
    gathered = -1
    if (rank > 0) wanted(:, 1) = doubles(n, 10 * rank - 9)
    if (rank < ranks - 1) wanted(:, 2) = doubles(n, 10 * rank + 10)
    if (rank > 0) gathered(:, 1) = doubles(n, 10 * rank - 10)
    if (rank < ranks - 1) gathered(:, 2) = doubles(n, 10 * rank + 10)
    call MPI_Cart_create(comm, 1, extents, around, .false., line, error)
    into = -1
    call MPI_Neighbor_allgather(out, n, MPI_DOUBLE_PRECISION, into, n, MPI_DOUBLE_PRECISION, line, &
      error)
    call fine('Neighbor_allgather')
    call same('Neighbor_allgather', reshape(into, [2 * n]), reshape(gathered, [2 * n]))
    into = -1
    call MPI_Neighbor_allgatherv(out, n, MPI_DOUBLE_PRECISION, into, counts, places, &
      MPI_DOUBLE_PRECISION, line, error)
    call fine('Neighbor_allgatherv')
    call same('Neighbor_allgatherv', reshape(into, [2 * n]), reshape(gathered, [2 * n]))
    into = -1
    call MPI_Neighbor_alltoall(out, n, MPI_DOUBLE_PRECISION, into, n, MPI_DOUBLE_PRECISION, line, &
      error)
    call fine('Neighbor_alltoall')
    call same('Neighbor_alltoall', reshape(into, [2 * n]), reshape(wanted, [2 * n]))
    into = -1
    call MPI_Neighbor_alltoallv(out, counts, places, MPI_DOUBLE_PRECISION, into, counts, places, &
      MPI_DOUBLE_PRECISION, line, error)
    call fine('Neighbor_alltoallv')
    call same('Neighbor_alltoallv', reshape(into, [2 * n]), reshape(wanted, [2 * n]))
    call MPI_Comm_free(line, error)
  end subroutine neighbours

  ! From the rank before to the one behind, around a ring. MPICH's mpi_f08 refuses grids.
  subroutine neighbours_with_types
    HANDLE(MPI_Comm) :: ring
    HANDLE(MPI_Datatype) :: types(1)
    double precision :: out(n), into(n)
    integer :: counts(1), before(1), behind(1), weights(1)
    integer(kind=MPI_ADDRESS_KIND) :: bytes(1)
    before = mod(rank + ranks - 1, ranks)
    behind = mod(rank + 1, ranks)
    weights = 1
    counts = n
    bytes = 0
    types = MPI_DOUBLE_PRECISION
    call MPI_Dist_graph_create_adjacent(comm, 1, before, weights, 1, behind, weights, &
      MPI_INFO_NULL, .false., ring, error)
    out = doubles(n, rank)
    into = -1
    call MPI_Neighbor_alltoallw(out, counts, bytes, types, into, counts, bytes, types, ring, error)
    call fine('Neighbor_alltoallw')
    call same('Neighbor_alltoallw', into, doubles(n, before(1)))
    call MPI_Comm_free(ring, error)
  end subroutine neighbours_with_types
end module movement
