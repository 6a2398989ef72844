! Two fields on communicators of their own, as a Fortran program has them: "pressure" by its name,
! "velocity" by its name and, if an argument KEY=VALUE is given, a hint. Prints for each the largest
! error of what was received: FIELD OPERATION ERROR.
program two_fields
  use mpi
  implicit none
  integer, parameter :: length = 30000
  character(len=8), parameter :: names(2) = ['pressure', 'velocity']
  character(len=100) :: hint
  integer :: rank, ranks, error, comm, info, field, equals, i, request, next, before
  double precision :: mine(length), expected(length), received(length)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, hint)
  equals = index(hint, '=')
  next = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  mine = [(value(i, rank), i = 1, length)]

  do field = 1, 2
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
    call MPI_Comm_set_name(comm, names(field), error)
    if (field == 2 .and. equals > 0) then
      call MPI_Info_create(info, error)
      call MPI_Info_set(info, hint(1:equals - 1), trim(hint(equals + 1:)), error)
      call MPI_Comm_set_info(comm, info, error)
      call MPI_Info_free(info, error)
    end if

    call MPI_Allreduce(mine, received, length, MPI_DOUBLE_PRECISION, MPI_SUM, comm, error)
    expected = 0
    do i = 0, ranks - 1
      expected = expected + values_of(i)
    end do
    call put('allreduce')

    call MPI_Irecv(received, length, MPI_DOUBLE_PRECISION, before, 1, comm, request, error)
    call MPI_Send(mine, length, MPI_DOUBLE_PRECISION, next, 1, comm, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    expected = values_of(before)
    call put('send')
    call MPI_Comm_free(comm, error)
  end do
  call MPI_Finalize(error)

contains

  ! Sums of these are exact, whatever their order.
  double precision function value(i, of_rank)
    integer, intent(in) :: i, of_rank
    ! Not a whole number: among those a bound leaves simple fractions as they are.
    value = (nint(1024 * sin(0.002d0 * i + of_rank)) + 0.5d0) / 1024.0d0
  end function

  function values_of(of_rank) result(values)
    integer, intent(in) :: of_rank
    double precision :: values(length)
    integer :: k
    values = [(value(k, of_rank), k = 1, length)]
  end function

  subroutine put(operation)
    character(len=*), intent(in) :: operation
    double precision :: own(1), worst(1)
    own(1) = maxval(abs(received - expected))
    call MPI_Reduce(own, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(a, 1x, a, 1x, es12.5)', names(field), operation, worst(1)
  end subroutine
end program
