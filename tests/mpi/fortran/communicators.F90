#include "binding.inc"
! Names and hints of communicators, and messages over those that were made of others.
module communicators
  USE_MPI
  use checks
  implicit none
  INCLUDE_MPI
  private
  public :: check_communicators

  integer :: error
contains
  ! `hints`: whether Tightwire is there to keep its hints.
  subroutine check_communicators(comm, hints)
    HANDLE(MPI_Comm), intent(in) :: comm
    logical, intent(in) :: hints
    HANDLE(MPI_Comm) :: twin, host
    HANDLE(MPI_Info) :: info
    integer :: ranks, together, length
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=40), parameter :: padded = 'pressure field'
    call begin_part('communicators')
    call MPI_Comm_size(comm, ranks, error)

    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'tightwire_mode', 'exact', error)
    call MPI_Comm_dup_with_info(comm, info, twin, error)
    call fine('Comm_dup_with_info')
    call hint_is('hint of a duplicate', twin, merge('exact', '     ', hints))
    call summed(twin)

    call MPI_Info_set(info, 'tightwire_mode', 'adaptive', error)
    call MPI_Comm_set_info(twin, info, error)
    call fine('Comm_set_info')
    call hint_is('hint', twin, merge('adaptive', '        ', hints))
    call MPI_Info_free(info, error)

    ! Blanks at the end of a Fortran string are no part of a name.
    call MPI_Comm_set_name(twin, padded, error)
    call fine('Comm_set_name')
    call MPI_Comm_get_name(twin, name, length, error)
    call expect('name', name == padded .and. length == len_trim(padded))

    call MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, host, error)
    call fine('Comm_split_type')
    call MPI_Comm_size(host, together, error)
    call expect('one host', together == ranks)
    call summed(host)
    call MPI_Comm_free(host, error)
    call MPI_Comm_free(twin, error)
  end subroutine check_communicators

  subroutine fine(what)
    character(len=*), intent(in) :: what
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
  end subroutine fine

  ! A blank value: there is none, or whatever MPI itself keeps.
  subroutine hint_is(what, comm, wanted)
    character(len=*), intent(in) :: what, wanted
    HANDLE(MPI_Comm), intent(in) :: comm
    HANDLE(MPI_Info) :: info
    character(len=20) :: got
    logical :: flag
    got = ''
    flag = .false.
    call MPI_Comm_get_info(comm, info, error)
    call fine('Comm_get_info')
    call MPI_Info_get(info, 'tightwire_mode', len(got), got, flag, error)
    if (wanted /= '') then
      call flag_is(what, flag, .true.)
      call expect(what, got == wanted)
    end if
    call MPI_Info_free(info, error)
  end subroutine hint_is

  subroutine summed(comm)
    HANDLE(MPI_Comm), intent(in) :: comm
    integer, parameter :: n = 1000
    integer :: mine(n), total(n), wanted(n), rank, ranks, r
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    mine = integers(n, rank)
    wanted = 0
    do r = 0, ranks - 1
      wanted = wanted + integers(n, r)
    end do
    call MPI_Allreduce(mine, total, n, MPI_INTEGER, MPI_SUM, comm, error)
    call same('Allreduce', total, wanted)
  end subroutine summed
end module communicators
