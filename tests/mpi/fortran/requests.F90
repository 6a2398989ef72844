#include "binding.inc"
! Completion of requests. Each rank has `slots` sends to the next under way and as many receives from
! the one before; requests 1 to slots are the receives, slot i with tag i.
module requests
  USE_MPI
  use checks
  use buffers
  implicit none
  INCLUDE_MPI
  private
  public :: check_requests

  integer, parameter :: both = 2 * slots
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Request) :: handles(both)
  integer :: rank, ranks, next, before, error
  ! What MPI gives for the first of an array: 1, but MPICH 4.0 has 0 in mpi_f08.
  integer :: first_index
contains
  subroutine check_requests(over)
    HANDLE(MPI_Comm), intent(in) :: over
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    call begin_part('requests')
    call find_first_index
    call one_by_one
    call all_at_once
    call all_without_statuses
    call any_of_them
    call any_by_testing
    call some_of_them
    call some_by_testing
    call looked_at
    call freed
    call cancelled
  end subroutine check_requests

  ! MPICH 4.0 adds the 1 of Fortran's indices to MPI_UNDEFINED as well.
  logical function is_undefined(index)
    integer, intent(in) :: index
    is_undefined = index == MPI_UNDEFINED .or. index == MPI_UNDEFINED + 1
  end function is_undefined

  subroutine fine(what)
    character(len=*), intent(in) :: what
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
  end subroutine fine

  subroutine begin
    integer :: slot
    incoming = -1
    do slot = 1, slots
      outgoing(:, slot) = integers(length, rank + slot)
      call MPI_Irecv(incoming(1, slot), length, MPI_INTEGER, before, slot, comm, handles(slot), error)
      call fine('Irecv')
    end do
    do slot = 1, slots
      call MPI_Isend(outgoing(1, slot), length, MPI_INTEGER, next, slot, comm, &
        handles(slots + slot), error)
      call fine('Isend')
    end do
  end subroutine begin

  subroutine arrived(what, slot, status)
    character(len=*), intent(in) :: what
    integer, intent(in) :: slot
    STATUS(status)
    integer :: values
    call expect(what // ' handle', handles(slot) == MPI_REQUEST_NULL)
    if (slot > slots) return
    call expect(what // ' source', SOURCE_OF(status) == before)
    call expect(what // ' tag', TAG_OF(status) == slot)
    call MPI_Get_count(status, MPI_INTEGER, values, error)
    call expect(what // ' count', values == length)
    call same(what, incoming(:, slot), integers(length, before + slot))
  end subroutine arrived

  subroutine find_first_index
    integer :: index, done, indices(both)
    handles = MPI_REQUEST_NULL
    call MPI_Irecv(incoming, length, MPI_INTEGER, rank, 20, comm, handles(3), error)
    call MPI_Send(outgoing(1, 1), length, MPI_INTEGER, rank, 20, comm, error)
    call MPI_Waitany(both, handles, index, MPI_STATUS_IGNORE, error)
    call fine('Waitany of the third')
    first_index = index - 2
#ifdef INDICES_FROM_0
    call expect('Waitany of the third', index == 2)
#else
    call expect('Waitany of the third', index == 3)
#endif
    call MPI_Irecv(incoming, length, MPI_INTEGER, rank, 20, comm, handles(2), error)
    call MPI_Send(outgoing(1, 1), length, MPI_INTEGER, rank, 20, comm, error)
    call MPI_Waitsome(both, handles, done, indices, MPI_STATUSES_IGNORE, error)
    call expect('Waitsome of the second', done == 1 .and. indices(1) == first_index + 1)
  end subroutine find_first_index

  subroutine one_by_one
    STATUS(status)
    logical :: flag
    integer :: i
    call begin
    do i = 1, both
      flag = .false.
      do while (.not. flag)
        call MPI_Test(handles(i), flag, status, error)
        call fine('Test')
        call flag_is('Test', flag, flag .and. handles(i) == MPI_REQUEST_NULL)
      end do
      call arrived('Test', i, status)
    end do
    flag = .false.
    call MPI_Test(handles(1), flag, MPI_STATUS_IGNORE, error)
    call flag_is('Test of nothing', flag, .true.)
  end subroutine one_by_one

  subroutine all_at_once
    STATUSES(statuses, both)
    logical :: flag
    integer :: i
    call begin
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(both, handles, flag, statuses, error)
      call fine('Testall')
      call flag_is('Testall', flag, flag .and. handles(1) == MPI_REQUEST_NULL)
    end do
    do i = 1, both
      call arrived('Testall', i, STATUS_AT(statuses, i))
    end do
    call begin
    call MPI_Waitall(both, handles, statuses, error)
    call fine('Waitall')
    do i = 1, both
      call arrived('Waitall', i, STATUS_AT(statuses, i))
    end do
  end subroutine all_at_once

  subroutine all_without_statuses
    logical :: flag
    integer :: slot
    call begin
    call MPI_Waitall(both, handles, MPI_STATUSES_IGNORE, error)
    call fine('Waitall without statuses')
    do slot = 1, slots
      call same('Waitall without statuses', incoming(:, slot), integers(length, before + slot))
    end do
    call begin
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(both, handles, flag, MPI_STATUSES_IGNORE, error)
    end do
    do slot = 1, slots
      call same('Testall without statuses', incoming(:, slot), integers(length, before + slot))
    end do
  end subroutine all_without_statuses

  subroutine any_of_them
    STATUS(status)
    integer :: i, index
    call begin
    do i = 1, both
      index = -1
      call MPI_Waitany(both, handles, index, status, error)
      call fine('Waitany')
      index = index + 1 - first_index
      call expect('Waitany index', index >= 1 .and. index <= both)
      call arrived('Waitany', index, status)
    end do
    call MPI_Waitany(both, handles, index, MPI_STATUS_IGNORE, error)
    call expect('Waitany of none', is_undefined(index))
  end subroutine any_of_them

  subroutine any_by_testing
    STATUS(status)
    logical :: flag
    integer :: i, index
    call begin
    do i = 1, both
      flag = .false.
      do while (.not. flag)
        index = -1
        call MPI_Testany(both, handles, index, flag, status, error)
        call fine('Testany')
        call flag_is('Testany', flag, .not. is_undefined(index))
      end do
      index = index + 1 - first_index
      call expect('Testany index', index >= 1 .and. index <= both)
      call arrived('Testany', index, status)
    end do
    flag = .false.
    call MPI_Testany(both, handles, index, flag, MPI_STATUS_IGNORE, error)
    call flag_is('Testany of none', flag, .true.)
    call expect('Testany of none', is_undefined(index))
  end subroutine any_by_testing

  subroutine some_arrived(what, done, indices, statuses)
    character(len=*), intent(in) :: what
    integer, intent(in) :: done, indices(:)
    STATUSES(statuses, both)
    integer :: i, index
    call expect(what // ' count', done >= 1 .and. done <= both)
    do i = 1, done
      index = indices(i) + 1 - first_index
      call expect(what // ' index', index >= 1 .and. index <= both)
      call arrived(what, index, STATUS_AT(statuses, i))
    end do
  end subroutine some_arrived

  subroutine some_of_them
    STATUSES(statuses, both)
    integer :: indices(both), done, so_far
    call begin
    so_far = 0
    do while (so_far < both)
      call MPI_Waitsome(both, handles, done, indices, statuses, error)
      call fine('Waitsome')
      call some_arrived('Waitsome', done, indices, statuses)
      so_far = so_far + done
    end do
    call MPI_Waitsome(both, handles, done, indices, MPI_STATUSES_IGNORE, error)
    call expect('Waitsome of none', done == MPI_UNDEFINED)
  end subroutine some_of_them

  subroutine some_by_testing
    STATUSES(statuses, both)
    integer :: indices(both), done, so_far
    call begin
    so_far = 0
    do while (so_far < both)
      call MPI_Testsome(both, handles, done, indices, statuses, error)
      call fine('Testsome')
      if (done /= 0) call some_arrived('Testsome', done, indices, statuses)
      so_far = so_far + done
    end do
    call MPI_Testsome(both, handles, done, indices, MPI_STATUSES_IGNORE, error)
    call expect('Testsome of none', done == MPI_UNDEFINED)
  end subroutine some_by_testing

  subroutine looked_at
    STATUS(status)
    logical :: flag
    integer :: i
    call begin
    do i = 1, both
      flag = .false.
      do while (.not. flag)
        call MPI_Request_get_status(handles(i), flag, status, error)
        call fine('Request_get_status')
        call flag_is('Request_get_status', flag, flag .and. handles(i) /= MPI_REQUEST_NULL)
      end do
      if (i <= slots) call expect('Request_get_status tag', TAG_OF(status) == i)
      call MPI_Wait(handles(i), status, error)
      call fine('Wait')
      call arrived('Wait', i, status)
    end do
  end subroutine looked_at

  ! That the message is with the next rank shows that the send is over.
  subroutine freed
    STATUS(status)
    integer :: slot
    call begin
    do slot = 1, slots
      call MPI_Request_free(handles(slots + slot), error)
      call fine('Request_free')
      call expect('Request_free handle', handles(slots + slot) == MPI_REQUEST_NULL)
    end do
    do slot = 1, slots
      call MPI_Wait(handles(slot), status, error)
      call arrived('Wait beside freed ones', slot, status)
    end do
    call MPI_Barrier(comm, error)
  end subroutine freed

  subroutine cancelled
    HANDLE(MPI_Request) :: request
    STATUS(status)
    logical :: flag
    incoming = -1
    call MPI_Irecv(incoming, length, MPI_INTEGER, before, 99, comm, request, error)
    call MPI_Cancel(request, error)
    call fine('Cancel')
    call MPI_Wait(request, status, error)
    call fine('Wait after Cancel')
    flag = .false.
    call MPI_Test_cancelled(status, flag, error)
    call flag_is('Test_cancelled', flag, .true.)
    call expect('nothing came', all(incoming == -1))
  end subroutine cancelled
end module requests
