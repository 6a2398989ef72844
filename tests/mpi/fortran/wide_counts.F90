#include "binding.inc"
! The counts of MPI 4, of kind MPI_COUNT_KIND, which mpi_f08 takes under the same names.
#ifdef WIDE_COUNTS
module wide_counts
  USE_MPI
  use checks
  use buffers
  implicit none
  INCLUDE_MPI
  private
  public :: check_wide_counts
contains
  subroutine check_wide_counts(comm)
    HANDLE(MPI_Comm), intent(in) :: comm
    integer :: rank, ranks, next, before, root, r, error
    integer :: wanted(length)
    integer(kind=MPI_COUNT_KIND), parameter :: n = length
    HANDLE(MPI_Request) :: request
    STATUS(status)
    integer(kind=MPI_COUNT_KIND) :: values
    call begin_part('wide counts')
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    do root = 0, ranks - 1
      incoming(:, 1) = integers(length, merge(root, 50, rank == root))
      call MPI_Bcast(incoming, n, MPI_INTEGER, root, comm, error)
      call same('Bcast', incoming(:, 1), integers(length, root))
    end do

    outgoing(:, 1) = integers(length, rank)
    wanted = 0
    do r = 0, ranks - 1
      wanted = wanted + integers(length, r)
    end do
    call MPI_Allreduce(outgoing, incoming, n, MPI_INTEGER, MPI_SUM, comm, error)
    call same('Allreduce', incoming(:, 1), wanted)

    incoming = -1
    call MPI_Irecv(incoming, n, MPI_INTEGER, before, 1, comm, request, error)
    call MPI_Send(outgoing, n, MPI_INTEGER, next, 1, comm, error)
    call MPI_Wait(request, status, error)
    call MPI_Get_count(status, MPI_INTEGER, values, error)
    call expect('count', values == n)
    call same('Irecv', incoming(:, 1), integers(length, before))
  end subroutine check_wide_counts
end module wide_counts
#endif
