! Allreduce, Reduce and Bcast through the module mpi. What it prints: README.md.
program in_use_mpi
  use mpi
  use digests
  implicit none
  integer, parameter :: counts(4) = [0, 1, 1000, 1048576]
  integer :: error, rank, ranks, k

  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
  do k = 1, size(counts)
    call integers(counts(k))
    call reals(counts(k))
  end do
  call MPI_FINALIZE(error)

contains
  subroutine integers(count)
    integer, intent(in) :: count
    integer, allocatable :: mine(:), result(:)
    integer(int64) :: digest
    integer :: root
    mine = integers_of(count, rank)
    allocate(result(count))
    call MPI_ALLREDUCE(mine, result, count, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank == 0) call print_digest('exact', 'allreduce-sum', count, 0, digest_of_integers(result))
    result = mine
    call MPI_ALLREDUCE(MPI_IN_PLACE, result, count, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
    if (rank == 0) call print_digest('exact', 'allreduce-max', count, 0, digest_of_integers(result))
    do root = 0, ranks - 1
      result = mine
      ! MPICH 4.0 crashes on a root other than 0 that reduces in place.
      if (rank == root .and. root == 0) then
        call MPI_REDUCE(MPI_IN_PLACE, result, count, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, error)
      else
        call MPI_REDUCE(mine, result, count, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, error)
      end if
      digest = digest_of_integers(result)
      call MPI_BCAST(digest, 1, MPI_INTEGER8, root, MPI_COMM_WORLD, error)
      if (rank == 0) call print_digest('exact', 'reduce-sum', count, root, digest)
      result = mine
      call MPI_BCAST(result, count, MPI_INTEGER, root, MPI_COMM_WORLD, error)
      digest = digest_of_integers(result)
      if (rank == 0) call print_digest('exact', 'bcast', count, root, digest)
      call check_same('bcast', count, digest)
    end do
  end subroutine integers

  subroutine reals(count)
    integer, intent(in) :: count
    double precision, allocatable :: mine(:), result(:)
    integer(int64) :: digest, digests
    integer :: root
    mine = reals_of(count, rank)
    allocate(result(count))
    call MPI_ALLREDUCE(mine, result, count, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank == 0) call print_samples('allreduce-sum', result)
    call check_same('allreduce-sum', count, digest_of_reals(result))
    result = mine
    call MPI_ALLREDUCE(MPI_IN_PLACE, result, count, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, error)
    if (rank == 0) call print_samples('allreduce-min', result)
    call check_same('allreduce-min', count, digest_of_reals(result))
    do root = 0, ranks - 1
      result = mine
      call MPI_BCAST(result, count, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, error)
      if (rank == root) result = 0
      digest = digest_of_reals(result)
      call MPI_ALLREDUCE(digest, digests, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, error)
      if (rank == 0) call print_digest('bytes', 'bcast', count, root, digests)
      if (rank == 0 .and. root > 0) call print_samples('bcast', result)
    end do
  end subroutine reals

  subroutine check_same(what, count, digest)
    character(*), intent(in) :: what
    integer, intent(in) :: count
    integer(int64), intent(in) :: digest
    integer(int64) :: least, most
    call MPI_ALLREDUCE(digest, least, 1, MPI_INTEGER8, MPI_MIN, MPI_COMM_WORLD, error)
    call MPI_ALLREDUCE(digest, most, 1, MPI_INTEGER8, MPI_MAX, MPI_COMM_WORLD, error)
    if (rank == 0) call print_same(what, count, least == most)
  end subroutine check_same
end program in_use_mpi
