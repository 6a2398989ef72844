#include "binding.inc"
! Errors: classes in IERROR and in statuses, and handlers written in Fortran.
module errors
  USE_MPI
  use checks
  use buffers
  implicit none
  INCLUDE_MPI
  private
  public :: check_errors

  HANDLE(MPI_Comm) :: comm
  integer :: rank, ranks, next, before, error, code_of_handler, calls_of_handler
  HANDLE(MPI_Comm) :: comm_of_handler
contains
  subroutine check_errors(over)
    HANDLE(MPI_Comm), intent(in) :: over
    HANDLE(MPI_Errhandler) :: handler
    HANDLE(MPI_Request) :: to_handler
    call begin_part('errors')
    call MPI_Comm_dup(over, comm, error)
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    outgoing(:, 1) = integers(length, rank)

    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, error)
    ! Waitall has no communicator.
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call wrong_arguments
    call truncated
#ifndef FAMILY_OPENMPI
    call truncated_among_others
#endif

    call MPI_Comm_create_errhandler(count_errors, handler, error)
    call MPI_Comm_set_errhandler(comm, handler, error)
    calls_of_handler = 0
    incoming(:, 1) = -1
    call MPI_Isend(outgoing, length, MPI_INTEGER, next, 4, comm, to_handler, error)
    call MPI_Send(outgoing, length, MPI_INTEGER, ranks, 1, comm, error)
    call expect('calls of the handler', calls_of_handler == 1)
    call expect('communicator of the handler', comm_of_handler == comm)
    call expect('code of the handler', class_of(code_of_handler) == MPI_ERR_RANK)
    call class_is('Send with a handler', MPI_ERR_RANK)
    call same('received in the handler', incoming(:, 1), integers(length, before))
    call MPI_Wait(to_handler, MPI_STATUS_IGNORE, error)
    call MPI_Errhandler_free(handler, error)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, error)
    call MPI_Comm_free(comm, error)
  end subroutine check_errors

#ifdef BINDING_MPI_F08
  subroutine count_errors(comm, code)
    type(MPI_Comm) :: comm
    integer :: code, ignored
#else
  subroutine count_errors(comm, code)
    integer :: comm, code, ignored
#endif
    comm_of_handler = comm
    code_of_handler = code
    calls_of_handler = calls_of_handler + 1
    call MPI_Recv(incoming, length, MPI_INTEGER, before, 4, comm, MPI_STATUS_IGNORE, ignored)
  end subroutine count_errors

  integer function class_of(code)
    integer, intent(in) :: code
    integer :: ignored
    call MPI_Error_class(code, class_of, ignored)
  end function class_of

  subroutine class_is(what, class)
    character(len=*), intent(in) :: what
    integer, intent(in) :: class
    character(len=MPI_MAX_ERROR_STRING) :: text
    integer :: length_of_text, ignored
    call expect(what // ' error class', class_of(error) == class)
    call MPI_Error_string(error, text, length_of_text, ignored)
    call expect(what // ' error text', length_of_text > 0 .and. text /= '')
    error = -1
  end subroutine class_is

  subroutine wrong_arguments
    HANDLE(MPI_Request) :: request
    call MPI_Send(outgoing, length, MPI_INTEGER, ranks, 1, comm, error)
    call class_is('Send to no rank', MPI_ERR_RANK)
    call MPI_Isend(outgoing, length, MPI_INTEGER, next, -5, comm, request, error)
    call class_is('Isend with a wrong tag', MPI_ERR_TAG)
    call MPI_Irecv(incoming, length, MPI_DATATYPE_NULL, before, 1, comm, request, error)
    call class_is('Irecv without a datatype', MPI_ERR_TYPE)
    call MPI_Bcast(outgoing, length, MPI_INTEGER, ranks, comm, error)
    call class_is('Bcast from no rank', MPI_ERR_ROOT)
#ifdef FAMILY_OPENMPI
    ! MPICH as Debian builds it does not look at counts.
    call MPI_Send(outgoing, -1, MPI_INTEGER, next, 1, comm, error)
    call class_is('Send of a negative count', MPI_ERR_COUNT)
    call MPI_Allreduce(outgoing, incoming, -1, MPI_INTEGER, MPI_SUM, comm, error)
    call class_is('Allreduce of a negative count', MPI_ERR_COUNT)
#endif
  end subroutine wrong_arguments

  subroutine truncated
    HANDLE(MPI_Request) :: request
    call MPI_Isend(outgoing, length, MPI_INTEGER, next, 1, comm, request, error)
    call MPI_Recv(incoming, length / 2, MPI_INTEGER, before, 1, comm, MPI_STATUS_IGNORE, error)
    call class_is('Recv of too much', MPI_ERR_TRUNCATE)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  end subroutine truncated

  ! Not with Open MPI: its Fortran MPI_Waitall gives neither statuses nor requests back on an error.
  subroutine truncated_among_others
    HANDLE(MPI_Request) :: sends(3), receives(3)
    STATUSES(statuses, 3)
    integer :: i, room
    incoming = -1
    do i = 1, 3
      room = merge(length / 2, length, i == 2)
      call MPI_Irecv(incoming(1, i), room, MPI_INTEGER, before, i, comm, receives(i), error)
    end do
    do i = 1, 3
      call MPI_Isend(outgoing, length, MPI_INTEGER, next, i, comm, sends(i), error)
    end do
    call MPI_Waitall(3, receives, statuses, error)
    call class_is('Waitall with one of too much', MPI_ERR_IN_STATUS)
    call expect('error in its status', class_of(ERROR_AT(statuses, 2)) == MPI_ERR_TRUNCATE)
    ! MPI may stop at the error; then the others are pending.
    do i = 1, 3, 2
      if (ERROR_AT(statuses, i) == MPI_ERR_PENDING) then
        call MPI_Wait(receives(i), MPI_STATUS_IGNORE, error)
      else
        call expect('no error beside it', ERROR_AT(statuses, i) == MPI_SUCCESS)
      end if
      call same('beside one of too much', incoming(:, i), integers(length, before))
    end do
    call MPI_Waitall(3, sends, MPI_STATUSES_IGNORE, error)
  end subroutine truncated_among_others
end module errors
