#include "binding.inc"
! Partitioned communication of MPI 4, several rounds with values that change.
#ifdef MPI_4
module partitions
  USE_MPI
  use checks
  use buffers
  implicit none
  INCLUDE_MPI
  private
  public :: check_partitions

  integer, parameter :: sent = 6, received = 4
#ifdef BINDING_MPI
  ! MPICH 4.0 declares the flag so.
  integer, parameter :: no = 0
#define FLAG integer
#else
  logical, parameter :: no = .false.
#define FLAG logical
#endif
contains
  subroutine check_partitions(comm)
    HANDLE(MPI_Comm), intent(in) :: comm
    HANDLE(MPI_Request) :: send, receive
    STATUS(status)
    integer :: rank, ranks, next, before, round, part, error
    integer(kind=MPI_COUNT_KIND) :: each
    FLAG :: here
    call begin_part('partitions')
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    each = length / sent
    call MPI_Psend_init(outgoing, sent, each, MPI_INTEGER, next, 9, comm, MPI_INFO_NULL, send, error)
    call expect('Psend_init ierror', error == MPI_SUCCESS)
    each = length / received
    call MPI_Precv_init(incoming, received, each, MPI_INTEGER, before, 9, comm, MPI_INFO_NULL, &
      receive, error)
    call expect('Precv_init ierror', error == MPI_SUCCESS)
    do round = 1, 3
      incoming = -1
      call MPI_Start(receive, error)
      call MPI_Start(send, error)
      outgoing(:, 1) = integers(length, 10 * round + rank)
      call MPI_Pready(3, send, error)
      call expect('Pready ierror', error == MPI_SUCCESS)
      call MPI_Pready_range(0, 2, send, error)
      call expect('Pready_range ierror', error == MPI_SUCCESS)
      call MPI_Pready_list(2, [5, 4], send, error)
      call expect('Pready_list ierror', error == MPI_SUCCESS)
      do part = 0, received - 1
        here = no
        do while (transfer(here, 0) == transfer(no, 0))
          call MPI_Parrived(receive, part, here, error)
        end do
        call expect('Parrived flag', transfer(here, 0) == transfer(.true., 0))
      end do
      call same('Parrived', incoming(:, 1), integers(length, 10 * round + before))
      call MPI_Wait(receive, status, error)
      call expect('Wait ierror', error == MPI_SUCCESS)
      call expect('source', SOURCE_OF(status) == before)
      call expect('tag', TAG_OF(status) == 9)
      call MPI_Wait(send, MPI_STATUS_IGNORE, error)
      call expect('Wait ierror', error == MPI_SUCCESS)
      call same('Precv_init', incoming(:, 1), integers(length, 10 * round + before))
    end do
    call MPI_Request_free(send, error)
    call MPI_Request_free(receive, error)
    call expect('Request_free ierror', error == MPI_SUCCESS)
  end subroutine check_partitions
end module partitions
#endif
