#include "binding.inc"
! Messages between two ranks: each sends to the next and gets what the one before sent.
module messages
  USE_MPI
  use checks
  use buffers
  implicit none
  INCLUDE_MPI
  private
  public :: check_messages

  HANDLE(MPI_Comm) :: comm
  integer :: rank, ranks, next, before, error
contains
  subroutine check_messages(over)
    HANDLE(MPI_Comm), intent(in) :: over
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    call begin_part('messages')
    call buffered(sending_modes)
    call buffered(immediate_modes)
    call blocking_receives
    call exchanges
    call nobody
    call from_the_bottom
#ifdef MPI_4
    call immediate_exchanges
#endif
  end subroutine check_messages

  subroutine fine(what)
    character(len=*), intent(in) :: what
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
  end subroutine fine

  subroutine arrived(what, status, source, tag, slot)
    character(len=*), intent(in) :: what
    STATUS(status)
    integer, intent(in) :: source, tag, slot
    integer :: values
    call expect(what // ' source', SOURCE_OF(status) == source)
    call expect(what // ' tag', TAG_OF(status) == tag)
    call MPI_Get_count(status, MPI_INTEGER, values, error)
    call expect(what // ' count', values == length)
    call same(what, incoming(:, slot), integers(length, source + slot))
  end subroutine arrived

  subroutine prepare
    integer :: slot
    do slot = 1, slots
      outgoing(:, slot) = integers(length, rank + slot)
    end do
    incoming = -1
  end subroutine prepare

  subroutine buffered(work)
    interface
      subroutine work
      end subroutine work
    end interface
    integer :: size
#ifdef BINDING_MPI_F08
    block
      use, intrinsic :: iso_c_binding, only: c_ptr
      type(c_ptr) :: address
      call MPI_Buffer_attach(bsend_space, storage_size(1) / 8 * ubound(bsend_space, 1), error)
      call work
      call MPI_Buffer_detach(address, size, error)
    end block
#else
    block
      integer(kind=MPI_ADDRESS_KIND) :: address(1)
      call MPI_Buffer_attach(bsend_space, storage_size(1) / 8 * ubound(bsend_space, 1), error)
      call work
      call MPI_Buffer_detach(address, size, error)
    end block
#endif
    call fine('Buffer_detach')
    call expect('size of the buffer', size == storage_size(1) / 8 * ubound(bsend_space, 1))
  end subroutine buffered

  subroutine sending_modes
    HANDLE(MPI_Request) :: requests(slots)
    STATUSES(statuses, slots)
    integer :: slot
    call prepare
    do slot = 1, slots
      call MPI_Irecv(incoming(1, slot), length, MPI_INTEGER, before, slot, comm, requests(slot), error)
      call fine('Irecv')
    end do
    ! Rsend wants the receive to be there.
    call MPI_Barrier(comm, error)
    call MPI_Send(outgoing(1, 1), length, MPI_INTEGER, next, 1, comm, error)
    call fine('Send')
    call MPI_Ssend(outgoing(1, 2), length, MPI_INTEGER, next, 2, comm, error)
    call fine('Ssend')
    call MPI_Bsend(outgoing(1, 3), length, MPI_INTEGER, next, 3, comm, error)
    call fine('Bsend')
    call MPI_Rsend(outgoing(1, 4), length, MPI_INTEGER, next, 4, comm, error)
    call fine('Rsend')
    call MPI_Waitall(slots, requests, statuses, error)
    call fine('Waitall')
    do slot = 1, slots
      call arrived('sending modes', STATUS_AT(statuses, slot), before, slot, slot)
    end do
  end subroutine sending_modes

  subroutine immediate_modes
    HANDLE(MPI_Request) :: sends(slots), receives(slots)
    STATUS(status)
    integer :: slot
    call prepare
    do slot = 1, slots
      call MPI_Irecv(incoming(1, slot), length, MPI_INTEGER, MPI_ANY_SOURCE, slot, comm, &
        receives(slot), error)
    end do
    call MPI_Barrier(comm, error)
    call MPI_Isend(outgoing(1, 1), length, MPI_INTEGER, next, 1, comm, sends(1), error)
    call fine('Isend')
    call MPI_Issend(outgoing(1, 2), length, MPI_INTEGER, next, 2, comm, sends(2), error)
    call fine('Issend')
    call MPI_Ibsend(outgoing(1, 3), length, MPI_INTEGER, next, 3, comm, sends(3), error)
    call fine('Ibsend')
    call MPI_Irsend(outgoing(1, 4), length, MPI_INTEGER, next, 4, comm, sends(4), error)
    call fine('Irsend')
    do slot = 1, slots
      call MPI_Wait(receives(slot), status, error)
      call fine('Wait')
      call arrived('immediate modes', status, before, slot, slot)
    end do
    call MPI_Waitall(slots, sends, MPI_STATUSES_IGNORE, error)
    call fine('Waitall of sends')
    call expect('all are null', count_null(sends) == slots .and. count_null(receives) == slots)
  end subroutine immediate_modes

  integer function count_null(requests)
    HANDLE(MPI_Request), intent(in) :: requests(:)
    integer :: i
    count_null = 0
    do i = 1, size(requests)
      if (requests(i) == MPI_REQUEST_NULL) count_null = count_null + 1
    end do
  end function count_null

  subroutine blocking_receives
    STATUS(status)
    HANDLE(MPI_Request) :: request
    logical :: truths(length), got(length)
    call prepare
    call MPI_Isend(outgoing(1, 1), length, MPI_INTEGER, next, 7, comm, request, error)
    call MPI_Recv(incoming(1, 1), length, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status, &
      error)
    call fine('Recv')
    call arrived('Recv', status, before, 7, 1)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call fine('Wait without status')

    outgoing_reals = doubles(length, rank)
    incoming_reals = -1
    call MPI_Isend(outgoing_reals, length, MPI_DOUBLE_PRECISION, next, 8, comm, request, error)
    call MPI_Recv(incoming_reals, length, MPI_DOUBLE_PRECISION, before, 8, comm, &
      MPI_STATUS_IGNORE, error)
    call fine('Recv without status')
    call same('Recv of DOUBLE PRECISION', incoming_reals, doubles(length, before))
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)

    truths = logicals(length, rank)
    got = .false.
    call MPI_Sendrecv(truths, length, MPI_LOGICAL, next, 9, got, length, MPI_LOGICAL, before, 9, &
      comm, MPI_STATUS_IGNORE, error)
    call fine('Sendrecv without status')
    call same('Sendrecv of LOGICAL', got, logicals(length, before))
  end subroutine blocking_receives

  subroutine exchanges
    STATUS(status)
    call prepare
    call MPI_Sendrecv(outgoing(1, 2), length, MPI_INTEGER, next, 2, incoming(1, 2), length, &
      MPI_INTEGER, before, 2, comm, status, error)
    call fine('Sendrecv')
    call arrived('Sendrecv', status, before, 2, 2)
    incoming(:, 3) = outgoing(:, 3)
    call MPI_Sendrecv_replace(incoming(1, 3), length, MPI_INTEGER, next, 3, before, MPI_ANY_TAG, &
      comm, status, error)
    call fine('Sendrecv_replace')
    call arrived('Sendrecv_replace', status, before, 3, 3)
  end subroutine exchanges

  subroutine nobody
    STATUS(status)
    integer :: values
    call prepare
    call MPI_Send(outgoing, length, MPI_INTEGER, MPI_PROC_NULL, 0, comm, error)
    call fine('Send to nobody')
    call MPI_Recv(incoming, length, MPI_INTEGER, MPI_PROC_NULL, 0, comm, status, error)
    call fine('Recv from nobody')
    call MPI_Get_count(status, MPI_INTEGER, values, error)
    call expect('status of nobody', SOURCE_OF(status) == MPI_PROC_NULL &
      .and. TAG_OF(status) == MPI_ANY_TAG .and. values == 0)
    call expect('nothing came from nobody', incoming(1, 1) == -1)
  end subroutine nobody

  ! Of two variables, by their addresses.
  subroutine from_the_bottom
    HANDLE(MPI_Datatype) :: out, into
    STATUS(status)
    integer :: root
    call prepare
    outgoing_reals = doubles(length, rank)
    incoming_reals = -1
    call absolute(outgoing(1, 1), outgoing_reals(1), out)
    call absolute(incoming(1, 1), incoming_reals(1), into)
    call MPI_Sendrecv(MPI_BOTTOM, 1, out, next, 4, MPI_BOTTOM, 1, into, before, 4, comm, status, &
      error)
    call fine('Sendrecv at MPI_BOTTOM')
    call same('INTEGER at MPI_BOTTOM', incoming(:, 1), integers(length, before + 1))
    call same('DOUBLE PRECISION at MPI_BOTTOM', incoming_reals, doubles(length, before))
    do root = 0, ranks - 1
      incoming(:, 1) = integers(length, merge(root, 50, rank == root))
      incoming_reals = doubles(length, merge(root, 50, rank == root))
      call MPI_Bcast(MPI_BOTTOM, 1, into, root, comm, error)
      call fine('Bcast at MPI_BOTTOM')
      call same('INTEGER of Bcast at MPI_BOTTOM', incoming(:, 1), integers(length, root))
      call same('DOUBLE PRECISION of Bcast at MPI_BOTTOM', incoming_reals, doubles(length, root))
    end do
    call MPI_Type_free(out, error)
    call MPI_Type_free(into, error)
  end subroutine from_the_bottom

  subroutine absolute(whole, values, datatype)
    integer, intent(inout), asynchronous :: whole
    double precision, intent(inout), asynchronous :: values
    HANDLE(MPI_Datatype), intent(out) :: datatype
    HANDLE(MPI_Datatype) :: types(2)
    integer(kind=MPI_ADDRESS_KIND) :: places(2)
    call MPI_Get_address(whole, places(1), error)
    call MPI_Get_address(values, places(2), error)
    types(1) = MPI_INTEGER
    types(2) = MPI_DOUBLE_PRECISION
    call MPI_Type_create_struct(2, [length, length], places, types, datatype, error)
    call MPI_Type_commit(datatype, error)
  end subroutine absolute

#ifdef MPI_4
  subroutine immediate_exchanges
    HANDLE(MPI_Request) :: requests(2)
    call prepare
    call MPI_Isendrecv(outgoing(1, 1), length, MPI_INTEGER, next, 1, incoming(1, 1), length, &
      MPI_INTEGER, before, 1, comm, requests(1), error)
    call fine('Isendrecv')
    incoming(:, 2) = outgoing(:, 2)
    call MPI_Isendrecv_replace(incoming(1, 2), length, MPI_INTEGER, next, 2, before, 2, comm, &
      requests(2), error)
    call fine('Isendrecv_replace')
    ! MPICH 4.0 does not fill in their statuses.
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call fine('Waitall of Isendrecv')
    call same('Isendrecv', incoming(:, 1), integers(length, before + 1))
    call same('Isendrecv_replace', incoming(:, 2), integers(length, before + 2))
  end subroutine immediate_exchanges
#endif
end module messages
