! Allreduce, Reduce and Bcast through mpi_f08: typed handles, no error argument, array sections and
! assumed-shape dummies as buffers. What it prints: README.md.
program in_use_mpi_f08
  use mpi_f08
  use digests
  implicit none
  integer, parameter :: counts(4) = [0, 1, 1000, 1048576]
  type(MPI_Comm) :: comm
  integer :: rank, ranks, k

  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_rank(comm, rank)
  call MPI_Comm_size(comm, ranks)
  do k = 1, size(counts)
    call integers(counts(k))
    call reals(counts(k))
    call columns(counts(k))
  end do
  call MPI_Comm_free(comm)
  call MPI_Finalize()

contains
  subroutine integers(count)
    integer, intent(in) :: count
    integer, allocatable :: mine(:), result(:)
    integer(int64) :: digest
    integer :: root
    mine = integers_of(count, rank)
    allocate(result(count))
    call MPI_Allreduce(mine, result, count, MPI_INTEGER, MPI_SUM, comm)
    if (rank == 0) call print_digest('exact', 'allreduce-sum', count, 0, digest_of_integers(result))
    result = mine
    call MPI_Allreduce(MPI_IN_PLACE, result, count, MPI_INTEGER, MPI_MAX, comm)
    if (rank == 0) call print_digest('exact', 'allreduce-max', count, 0, digest_of_integers(result))
    do root = 0, ranks - 1
      result = mine
      ! MPICH 4.0 crashes on a root other than 0 that reduces in place.
      if (rank == root .and. root == 0) then
        call MPI_Reduce(MPI_IN_PLACE, result, count, MPI_INTEGER, MPI_SUM, root, comm)
      else
        call MPI_Reduce(mine, result, count, MPI_INTEGER, MPI_SUM, root, comm)
      end if
      digest = digest_of_integers(result)
      call MPI_Bcast(digest, 1, MPI_INTEGER8, root, comm)
      if (rank == 0) call print_digest('exact', 'reduce-sum', count, root, digest)
      result = mine
      call MPI_Bcast(result, count, MPI_INTEGER, root, comm)
      digest = digest_of_integers(result)
      if (rank == 0) call print_digest('exact', 'bcast', count, root, digest)
      call check_same('bcast', count, digest)
    end do
  end subroutine integers

  subroutine reals(count)
    integer, intent(in) :: count
    real(real64), allocatable :: mine(:), result(:)
    integer(int64) :: digest, digests
    integer :: root
    mine = reals_of(count, rank)
    allocate(result(count))
    call add_up(mine, result)
    if (rank == 0) call print_samples('allreduce-sum', result)
    call check_same('allreduce-sum', count, digest_of_reals(result))
    do root = 0, ranks - 1
      result = mine
      call MPI_Bcast(result, count, MPI_DOUBLE_PRECISION, root, comm)
      if (rank == root) result = 0
      digest = digest_of_reals(result)
      call MPI_Allreduce(digest, digests, 1, MPI_INTEGER8, MPI_SUM, comm)
      if (rank == 0) call print_digest('bytes', 'bcast', count, root, digests)
      if (rank == 0 .and. root > 0) call print_samples('bcast', result)
    end do
  end subroutine reals

  subroutine add_up(mine, result)
    real(real64), intent(in) :: mine(:)
    real(real64), intent(inout) :: result(:)
    call MPI_Allreduce(mine, result, size(mine), MPI_DOUBLE_PRECISION, MPI_SUM, comm)
  end subroutine add_up

  ! A contiguous section of a larger array: its neighbours must stay as they were.
  subroutine columns(count)
    integer, intent(in) :: count
    real(real64), allocatable :: field(:, :)
    integer(int64) :: outside
    allocate(field(count, 3))
    field(:, 1) = reals_of(count, rank)
    field(:, 2) = reals_of(count, rank + 10)
    field(:, 3) = reals_of(count, rank + 20)
    outside = digest_of_reals(field(:, 1)) + digest_of_reals(field(:, 3))
    call MPI_Allreduce(MPI_IN_PLACE, field(:, 2), count, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
    if (rank == 0) call print_samples('section-sum', field(:, 2))
    call check_same('section-sum', count, digest_of_reals(field(:, 2)))
    outside = outside - digest_of_reals(field(:, 1)) - digest_of_reals(field(:, 3))
    if (rank == 0) call print_digest('exact', 'section-neighbours', count, 0, outside)
  end subroutine columns

  subroutine check_same(what, count, digest)
    character(*), intent(in) :: what
    integer, intent(in) :: count
    integer(int64), intent(in) :: digest
    integer(int64) :: least, most
    call MPI_Allreduce(digest, least, 1, MPI_INTEGER8, MPI_MIN, comm)
    call MPI_Allreduce(digest, most, 1, MPI_INTEGER8, MPI_MAX, comm)
    if (rank == 0) call print_same(what, count, least == most)
  end subroutine check_same
end program in_use_mpi_f08
