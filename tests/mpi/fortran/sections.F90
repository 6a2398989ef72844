#include "binding.inc"
! Array sections, assumed-shape arguments, pointers. Where the binding has no descriptors
! (MPI_SUBARRAYS_SUPPORTED), the compiler copies what is not contiguous for the time of the call, so
! only calls that block may get it. Where it has, MPICH 4.0 takes sections of two dimensions and of
! negative strides wrongly, so these are left out.
module sections
  USE_MPI
  use checks
  use buffers
  implicit none
  INCLUDE_MPI
  private
  public :: check_sections

  integer, parameter :: n = 1500
  integer, asynchronous, save, public :: sent(2 * n), got(2 * n)
  HANDLE(MPI_Comm) :: comm
  integer :: rank, ranks, next, before, error
contains
  subroutine check_sections(over)
    HANDLE(MPI_Comm), intent(in) :: over
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    call begin_part('sections')
    call broadcast
    call all_gather
    call all_reduce
    call exchange
    call of_a_pointer
    if (MPI_SUBARRAYS_SUPPORTED) call while_under_way
  end subroutine check_sections

  subroutine fine(what)
    character(len=*), intent(in) :: what
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
  end subroutine fine

  ! Every other value is filled from the rank; the rest is -1 and stays so.
  pure function striped(from) result(values)
    integer, intent(in) :: from
    integer :: values(2 * n)
    values = -1
    values(1::2) = integers(n, from)
  end function striped

  subroutine broadcast_of(values, root)
    integer, intent(inout) :: values(:)
    integer, intent(in) :: root
    call MPI_Bcast(values, size(values), MPI_INTEGER, root, comm, error)
    call fine('Bcast of an assumed shape')
  end subroutine broadcast_of

  subroutine broadcast
    integer :: root, from
    integer :: matrix(6, n), wanted(6, n)
    do root = 0, ranks - 1
      from = merge(root, 50, rank == root)
      got = striped(from)
      call MPI_Bcast(got(1::2), n, MPI_INTEGER, root, comm, error)
      call fine('Bcast of a section')
      call same('Bcast of a section', got, striped(root))
      got = striped(from)
      call broadcast_of(got(1::2), root)
      call same('Bcast of an assumed shape', got, striped(root))
      matrix = spread(integers(n, 50), 1, 6)
      wanted = matrix
      wanted(4, :) = integers(n, root)
      matrix(4, :) = integers(n, from)
      call broadcast_of(matrix(4, :), root)
      call same('Bcast of a row', reshape(matrix, [6 * n]), reshape(wanted, [6 * n]))
      if (.not. MPI_SUBARRAYS_SUPPORTED) then
        wanted(1::2, :) = spread(integers(n, root), 1, 3)
        matrix(1::2, :) = spread(integers(n, from), 1, 3)
        call MPI_Bcast(matrix(5:1:-2, :), 3 * n, MPI_INTEGER, root, comm, error)
        call same('Bcast of rows', reshape(matrix, [6 * n]), reshape(wanted, [6 * n]))
      end if
    end do
  end subroutine broadcast

  subroutine all_gather
    integer :: all(n * ranks), r
    sent = striped(rank)
    all = -1
    call MPI_Allgather(sent(1::2), n, MPI_INTEGER, all, n, MPI_INTEGER, comm, error)
    call fine('Allgather of sections')
    call same('Allgather of sections', all, [(integers(n, r), r = 0, ranks - 1)])
  end subroutine all_gather

  subroutine all_reduce
    integer :: wanted(2 * n), packed(n), r
    sent = striped(rank)
    got = -1
    wanted = -1
    wanted(1::2) = 0
    do r = 0, ranks - 1
      wanted(1::2) = wanted(1::2) + integers(n, r)
    end do
    if (MPI_SUBARRAYS_SUPPORTED) then  ! No derived datatypes, which MPI may make of sections, here.
      packed = sent(1::2)
      call MPI_Allreduce(MPI_IN_PLACE, packed, n, MPI_INTEGER, MPI_SUM, comm, error)
      got(1::2) = packed
    else
      call MPI_Allreduce(sent(1::2), got(1::2), n, MPI_INTEGER, MPI_SUM, comm, error)
    end if
    call fine('Allreduce of sections')
    call same('Allreduce of sections', got, wanted)
  end subroutine all_reduce

  subroutine exchange
    STATUS(status)
    integer :: values
    sent = striped(rank)
    got = -1
    call MPI_Sendrecv(sent(1::2), n, MPI_INTEGER, next, 1, got(1::2), n, MPI_INTEGER, &
      before, 1, comm, status, error)
    call fine('Sendrecv of sections')
    call same('Sendrecv of sections', got, striped(before))
    call MPI_Get_count(status, MPI_INTEGER, values, error)
    call expect('Sendrecv of sections, count', values == n)
    if (rank == 0) then
      call MPI_Send(sent(1::2), n, MPI_INTEGER, next, 2, comm, error)
      call MPI_Recv(got(2::2), n, MPI_INTEGER, before, 2, comm, MPI_STATUS_IGNORE, error)
    else
      call MPI_Recv(got(2::2), n, MPI_INTEGER, before, 2, comm, MPI_STATUS_IGNORE, error)
      call MPI_Send(sent(1::2), n, MPI_INTEGER, next, 2, comm, error)
    end if
    call same('Recv of a section', got(2::2), integers(n, before))
    call same('beside a section', got(1::2), integers(n, before))
  end subroutine exchange

  subroutine of_a_pointer
    integer, pointer :: every_third(:)
    integer, target :: values(3 * n)
    integer, allocatable :: whole(:)
    values = -1
    every_third => values(2::3)
    every_third = integers(n, rank)
    allocate (whole(n), source=-1)
    call MPI_Sendrecv(every_third, n, MPI_INTEGER, next, 3, whole, n, MPI_INTEGER, before, 3, comm, &
      MPI_STATUS_IGNORE, error)
    call same('of a pointer', whole, integers(n, before))
    call MPI_Sendrecv(whole, n, MPI_INTEGER, before, 4, every_third, n, MPI_INTEGER, next, 4, comm, &
      MPI_STATUS_IGNORE, error)
    call same('into a pointer', values(2::3), integers(n, rank))
    call expect('beside a pointer', all(values(1::3) == -1) .and. all(values(3::3) == -1))
  end subroutine of_a_pointer

  subroutine while_under_way
    HANDLE(MPI_Request) :: handles(2)
    STATUSES(statuses, 2)
    integer :: round
    sent = striped(rank)
    got = -1
    call MPI_Irecv(got(1::2), n, MPI_INTEGER, before, 1, comm, handles(1), error)
    call MPI_Isend(sent(1::2), n, MPI_INTEGER, next, 1, comm, handles(2), error)
    call MPI_Waitall(2, handles, statuses, error)
    call fine('Waitall of sections')
    call same('Irecv of a section', got, striped(before))

    call MPI_Recv_init(got(1::2), n, MPI_INTEGER, before, 1, comm, handles(1), error)
    call MPI_Send_init(sent(1::2), n, MPI_INTEGER, next, 1, comm, handles(2), error)
    do round = 1, 2
      sent = striped(rank + round)
      got = -1
      call MPI_Startall(2, handles, error)
      call MPI_Waitall(2, handles, MPI_STATUSES_IGNORE, error)
      call same('Recv_init of a section', got, striped(before + round))
    end do
    call MPI_Request_free(handles(1), error)
    call MPI_Request_free(handles(2), error)
  end subroutine while_under_way
end module sections
