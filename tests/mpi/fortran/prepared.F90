#include "binding.inc"
#ifdef MPI_4
! Persistent collectives: made once, started twice with other values in the same buffers.
!
! MPICH 4.0 copies some blocks of Gather, Scatter and Allgather when the request is made, and not when
! it is started: these are looked at where Tightwire does them.
module prepared
  USE_MPI
  use checks
  implicit none
  INCLUDE_MPI
  private
  public :: check_prepared

  integer, parameter :: n = 2000
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Request) :: request
  integer :: rank, ranks, root, error
  logical :: ours
  ! The own values, those of all ranks, and what comes.
  integer, allocatable, asynchronous :: own(:), all(:), into(:), part(:)
  integer, allocatable :: counts(:), places(:), bytes(:)
contains
  ! `with_tightwire`: it stands in front of MPI.
  subroutine check_prepared(over, with_tightwire)
    HANDLE(MPI_Comm), intent(in) :: over
    logical, intent(in) :: with_tightwire
    integer :: i
    ours = with_tightwire
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    call begin_part('prepared')
    root = ranks - 1
    allocate (own(n), all(n * ranks), into(n * ranks), part(n))
    allocate (counts(ranks), places(ranks), bytes(ranks))
    counts = n
    places = [(n * i, i = 0, ranks - 1)]
    bytes = 4 * places
    call gathers
    call scatters
    call exchanges
    call reductions
    call neighbours
    deallocate (own, all, into, part, counts, places, bytes)
  end subroutine check_prepared

  function of_all(salt) result(values)
    integer, intent(in) :: salt
    integer :: values(n * ranks)
    integer :: i
    do i = 0, ranks - 1
      values(i * n + 1:(i + 1) * n) = integers(n, i + salt)
    end do
  end function of_all

  ! Runs what has just been made, once for each salt; `kind` says what the result is to be.
  subroutine run(what, kind, here)
    character(len=*), intent(in) :: what
    integer, intent(in) :: kind
    logical, intent(in) :: here
    STATUS(status)
    integer :: salt, sum_before, sum_all
    call expect(what // ' ierror', error == MPI_SUCCESS)
    do salt = 1, 2
      own = integers(n, rank + salt)
      all = of_all(salt)
      into = -1
      part = -1
      if (kind == 2) part = integers(n, merge(root, 50, rank == root) + salt)
      if (kind >= 5) then
        own = rank + salt
        all = rank + salt
      end if
      if (kind == 4) all = merge_blocks(salt)
      sum_all = ranks * (ranks - 1) / 2 + salt * ranks
      sum_before = rank * (rank - 1) / 2 + salt * rank
      call MPI_Start(request, error)
      call expect(what // ' start', error == MPI_SUCCESS)
      call MPI_Wait(request, status, error)
      call expect(what // ' end', error == MPI_SUCCESS)
      call expect(what // ' remains', request /= MPI_REQUEST_NULL)
      if (.not. here) cycle
      select case (kind)
      case (1)
        call same(what, into, of_all(salt))
      case (2)
        call same(what, part, integers(n, root + salt))
      case (3)
        call same(what, part, integers(n, rank + salt))
      case (4)
        call same(what, into, of_all(salt))
      case (5)
        call same(what, part, filled(sum_all))
      case (6)
        call same(what, part, filled(sum_before + rank + salt))
      case (7)
        call same(what, part, filled(sum_before))
      end select
    end do
    call MPI_Request_free(request, error)
    call expect(what // ' free', request == MPI_REQUEST_NULL)
  end subroutine run

  function filled(number) result(values)
    integer, intent(in) :: number
    integer :: values(n)
    values = number
  end function filled

  ! The same block for everybody.
  function merge_blocks(salt) result(values)
    integer, intent(in) :: salt
    integer :: values(n * ranks)
    integer :: i
    do i = 0, ranks - 1
      values(i * n + 1:(i + 1) * n) = integers(n, rank + salt)
    end do
  end function merge_blocks

  subroutine gathers
    call MPI_Bcast_init(part, n, MPI_INTEGER, root, comm, MPI_INFO_NULL, request, error)
    call run('Bcast_init', 2, .true.)
    call MPI_Gather_init(own, n, MPI_INTEGER, into, n, MPI_INTEGER, root, comm, MPI_INFO_NULL, &
      request, error)
    call run('Gather_init', 1, ours .and. rank == root)
    call MPI_Gatherv_init(own, n, MPI_INTEGER, into, counts, places, MPI_INTEGER, root, comm, &
      MPI_INFO_NULL, request, error)
    call run('Gatherv_init', 1, rank == root)
    call MPI_Allgather_init(own, n, MPI_INTEGER, into, n, MPI_INTEGER, comm, MPI_INFO_NULL, &
      request, error)
    call run('Allgather_init', 1, ours)
    call MPI_Allgatherv_init(own, n, MPI_INTEGER, into, counts, places, MPI_INTEGER, comm, &
      MPI_INFO_NULL, request, error)
    call run('Allgatherv_init', 1, .true.)
  end subroutine gathers

  subroutine scatters
    call MPI_Scatter_init(all, n, MPI_INTEGER, part, n, MPI_INTEGER, root, comm, MPI_INFO_NULL, &
      request, error)
    call run('Scatter_init', 3, ours)
    call MPI_Scatterv_init(all, counts, places, MPI_INTEGER, part, n, MPI_INTEGER, root, &
      comm, MPI_INFO_NULL, request, error)
    call run('Scatterv_init', 3, .true.)
  end subroutine scatters

  subroutine exchanges
    HANDLE(MPI_Datatype) :: types(ranks)
    types = MPI_INTEGER
    call MPI_Alltoall_init(all, n, MPI_INTEGER, into, n, MPI_INTEGER, comm, MPI_INFO_NULL, &
      request, error)
    call run('Alltoall_init', 4, .true.)
    call MPI_Alltoallv_init(all, counts, places, MPI_INTEGER, into, counts, places, &
      MPI_INTEGER, comm, MPI_INFO_NULL, request, error)
    call run('Alltoallv_init', 4, .true.)
    call MPI_Alltoallw_init(all, counts, bytes, types, into, counts, bytes, &
      types, comm, MPI_INFO_NULL, request, error)
    call run('Alltoallw_init', 4, .true.)
  end subroutine exchanges

  subroutine reductions
    call MPI_Reduce_init(own, part, n, MPI_INTEGER, MPI_SUM, root, comm, MPI_INFO_NULL, request, &
      error)
    call run('Reduce_init', 5, rank == root)
    call MPI_Allreduce_init(own, part, n, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request, error)
    call run('Allreduce_init', 5, .true.)
    call MPI_Reduce_scatter_init(all, part, counts, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, &
      request, error)
    call run('Reduce_scatter_init', 5, .true.)
    call MPI_Reduce_scatter_block_init(all, part, n, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, &
      request, error)
    call run('Reduce_scatter_block_init', 5, .true.)
    call MPI_Scan_init(own, part, n, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request, error)
    call run('Scan_init', 6, .true.)
    call MPI_Exscan_init(own, part, n, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, request, error)
    call run('Exscan_init', 7, rank > 0)
  end subroutine reductions

  ! From the rank before, around a ring.
  subroutine neighbours
    HANDLE(MPI_Comm) :: before
    HANDLE(MPI_Datatype) :: types(1)
    integer :: source(1), destination(1), weights(1), one(1), zero(1)
    integer(kind=MPI_ADDRESS_KIND) :: begin(1)
    source = mod(rank + ranks - 1, ranks)
    destination = mod(rank + 1, ranks)
    weights = 1
    one = n
    zero = 0
    begin = 0
    types = MPI_INTEGER
    call MPI_Dist_graph_create_adjacent(comm, 1, source, weights, 1, destination, weights, &
      MPI_INFO_NULL, .false., before, error)
    call MPI_Neighbor_allgather_init(own, n, MPI_INTEGER, part, n, MPI_INTEGER, before, &
      MPI_INFO_NULL, request, error)
    call from_before('Neighbor_allgather_init')
    call MPI_Neighbor_allgatherv_init(own, n, MPI_INTEGER, part, one, zero, MPI_INTEGER, before, &
      MPI_INFO_NULL, request, error)
    call from_before('Neighbor_allgatherv_init')
    call MPI_Neighbor_alltoall_init(own, n, MPI_INTEGER, part, n, MPI_INTEGER, before, &
      MPI_INFO_NULL, request, error)
    call from_before('Neighbor_alltoall_init')
    call MPI_Neighbor_alltoallv_init(own, one, zero, MPI_INTEGER, part, one, zero, MPI_INTEGER, &
      before, MPI_INFO_NULL, request, error)
    call from_before('Neighbor_alltoallv_init')
    call MPI_Neighbor_alltoallw_init(own, one, begin, types, part, one, begin, types, before, &
      MPI_INFO_NULL, request, error)
    call from_before('Neighbor_alltoallw_init')
    call MPI_Comm_free(before, error)
  end subroutine neighbours

  subroutine from_before(what)
    character(len=*), intent(in) :: what
    STATUS(status)
    integer :: salt
    call expect(what // ' ierror', error == MPI_SUCCESS)
    do salt = 1, 2
      own = integers(n, rank + salt)
      part = -1
      call MPI_Start(request, error)
      call MPI_Wait(request, status, error)
      call expect(what // ' end', error == MPI_SUCCESS)
      call same(what, part, integers(n, mod(rank + ranks - 1, ranks) + salt))
    end do
    call MPI_Request_free(request, error)
  end subroutine from_before
end module prepared
#endif
