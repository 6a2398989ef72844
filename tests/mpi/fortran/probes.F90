#include "binding.inc"
! Messages that are looked at before they are received: their size is the one sent.
module probes
  USE_MPI
  use checks
  use buffers
  implicit none
  INCLUDE_MPI
  private
  public :: check_probes

  HANDLE(MPI_Comm) :: comm
  integer :: rank, ranks, next, before, error
contains
  subroutine check_probes(over)
    HANDLE(MPI_Comm), intent(in) :: over
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    call begin_part('probes')
    call probed
    call matched
    call nobody
  end subroutine check_probes

  subroutine fine(what)
    character(len=*), intent(in) :: what
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
  end subroutine fine

  subroutine begin(tag, request)
    integer, intent(in) :: tag
    HANDLE(MPI_Request), intent(out) :: request
    outgoing(:, 1) = integers(length, rank + tag)
    incoming = -1
    call MPI_Isend(outgoing, length, MPI_INTEGER, next, tag, comm, request, error)
  end subroutine begin

  subroutine finish(what, tag, request)
    character(len=*), intent(in) :: what
    integer, intent(in) :: tag
    HANDLE(MPI_Request), intent(inout) :: request
    call same(what, incoming(:, 1), integers(length, before + tag))
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  end subroutine finish

  subroutine announced(what, status, tag)
    character(len=*), intent(in) :: what
    STATUS(status)
    integer, intent(in) :: tag
    integer :: values
    call fine(what)
    call expect(what // ' source', SOURCE_OF(status) == before)
    call expect(what // ' tag', TAG_OF(status) == tag)
    call MPI_Get_count(status, MPI_INTEGER, values, error)
    call expect(what // ' count', values == length)
    call MPI_Get_count(status, MPI_BYTE, values, error)
    call expect(what // ' bytes', values == length * storage_size(1) / 8)
  end subroutine announced

  subroutine probed
    HANDLE(MPI_Request) :: request
    STATUS(status)
    logical :: flag
    call begin(1, request)
    call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status, error)
    call announced('Probe', status, 1)
    call MPI_Recv(incoming, length, MPI_INTEGER, SOURCE_OF(status), TAG_OF(status), comm, status, &
      error)
    call announced('Recv after Probe', status, 1)
    call finish('Recv after Probe', 1, request)

    call begin(2, request)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(before, 2, comm, flag, status, error)
      call flag_is('Iprobe', flag, flag)
    end do
    call announced('Iprobe', status, 2)
    call MPI_Recv(incoming, length, MPI_INTEGER, before, 2, comm, MPI_STATUS_IGNORE, error)
    call finish('Recv after Iprobe', 2, request)
    flag = .true.
    call MPI_Iprobe(before, 98, comm, flag, MPI_STATUS_IGNORE, error)
    call flag_is('Iprobe of nothing', flag, .false.)
  end subroutine probed

  subroutine matched
    HANDLE(MPI_Request) :: request, receive
    HANDLE(MPI_Message) :: message
    STATUS(status)
    logical :: flag
    call begin(3, request)
    call MPI_Mprobe(before, 3, comm, message, status, error)
    call announced('Mprobe', status, 3)
    call expect('Mprobe gives a message', message /= MPI_MESSAGE_NULL)
    call MPI_Mrecv(incoming, length, MPI_INTEGER, message, status, error)
    call announced('Mrecv', status, 3)
    call expect('Mrecv takes the message', message == MPI_MESSAGE_NULL)
    call finish('Mrecv', 3, request)

    call begin(4, request)
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(MPI_ANY_SOURCE, 4, comm, flag, message, status, error)
      call flag_is('Improbe', flag, flag)
    end do
    call announced('Improbe', status, 4)
    call MPI_Imrecv(incoming, length, MPI_INTEGER, message, receive, error)
    call fine('Imrecv')
    call expect('Imrecv takes the message', message == MPI_MESSAGE_NULL)
    call MPI_Wait(receive, status, error)
    call announced('Wait for Imrecv', status, 4)
    call finish('Imrecv', 4, request)
    flag = .true.
    call MPI_Improbe(before, 98, comm, flag, message, MPI_STATUS_IGNORE, error)
    call flag_is('Improbe of nothing', flag, .false.)
  end subroutine matched

  subroutine nobody
    HANDLE(MPI_Message) :: message
    STATUS(status)
    incoming = -1
    call MPI_Mprobe(MPI_PROC_NULL, 1, comm, message, status, error)
    call fine('Mprobe of nobody')
    call expect('Mprobe of nobody', message == MPI_MESSAGE_NO_PROC)
    call MPI_Mrecv(incoming, length, MPI_INTEGER, message, status, error)
    call fine('Mrecv of nobody')
    call expect('Mrecv of nobody', SOURCE_OF(status) == MPI_PROC_NULL .and. incoming(1, 1) == -1)
  end subroutine nobody
end module probes
