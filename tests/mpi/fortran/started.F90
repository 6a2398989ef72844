#include "binding.inc"
! The collectives that return at once.
module started
  USE_MPI
  use checks
  implicit none
  INCLUDE_MPI
  private
  public :: check_started

  integer, parameter :: n = 2000
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Request) :: request
  integer :: rank, ranks, error
contains
  subroutine check_started(over)
    HANDLE(MPI_Comm), intent(in) :: over
    comm = over
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)
    call begin_part('started')
    call broadcast(ranks - 1)
    call gather(0)
    call scatter(ranks - 1)
    call gather_to_all
    call exchange
#ifndef FAMILY_OPENMPI
    call exchange_with_types
#endif
    call neighbours
    call reduce(0)
    call scatter_sums
    call prefixes
    call two_at_once
  end subroutine check_started

  ! What was called last has begun: waits for it.
  subroutine complete(what)
    character(len=*), intent(in) :: what
    STATUS(status)
    call expect(what // ' ierror', error == MPI_SUCCESS)
    error = -1
    call MPI_Wait(request, status, error)
    call expect(what // ' end', error == MPI_SUCCESS)
    call expect(what // ' request', request == MPI_REQUEST_NULL)
    error = -1
  end subroutine complete

  ! The values of all ranks, one after the other.
  function of_all() result(all)
    integer :: all(n * ranks)
    integer :: i
    do i = 0, ranks - 1
      all(i * n + 1:(i + 1) * n) = integers(n, i)
    end do
  end function of_all

  subroutine even_layout(counts, places)
    integer, intent(out) :: counts(ranks), places(ranks)
    integer :: i
    counts = n
    places = [(n * i, i = 0, ranks - 1)]
  end subroutine even_layout

  subroutine broadcast(root)
    integer, intent(in) :: root
    integer :: whole(n)
    whole = integers(n, merge(root, 50, rank == root))
    call MPI_Ibcast(whole, n, MPI_INTEGER, root, comm, request, error)
    call complete('Ibcast')
    call same('Ibcast', whole, integers(n, root))
  end subroutine broadcast

  subroutine gather(root)
    integer, intent(in) :: root
    integer :: own(n), all(n * ranks), counts(ranks), places(ranks)
    own = integers(n, rank)
    all = -1
    call MPI_Igather(own, n, MPI_INTEGER, all, n, MPI_INTEGER, root, comm, request, error)
    call complete('Igather')
    if (rank == root) call same('Igather', all, of_all())
    all = -1
    call even_layout(counts, places)
    call MPI_Igatherv(own, n, MPI_INTEGER, all, counts, places, MPI_INTEGER, root, comm, request, &
      error)
    call complete('Igatherv')
    if (rank == root) call same('Igatherv', all, of_all())
  end subroutine gather

  subroutine scatter(root)
    integer, intent(in) :: root
    integer :: own(n), all(n * ranks), counts(ranks), places(ranks)
    all = of_all()
    own = -1
    call MPI_Iscatter(all, n, MPI_INTEGER, own, n, MPI_INTEGER, root, comm, request, error)
    call complete('Iscatter')
    call same('Iscatter', own, integers(n, rank))
    own = -1
    call even_layout(counts, places)
    call MPI_Iscatterv(all, counts, places, MPI_INTEGER, own, n, MPI_INTEGER, root, comm, request, &
      error)
    call complete('Iscatterv')
    call same('Iscatterv', own, integers(n, rank))
  end subroutine scatter

  subroutine gather_to_all
    integer :: own(n), all(n * ranks), counts(ranks), places(ranks)
    own = integers(n, rank)
    all = -1
    call MPI_Iallgather(own, n, MPI_INTEGER, all, n, MPI_INTEGER, comm, request, error)
    call complete('Iallgather')
    call same('Iallgather', all, of_all())
    all = -1
    all(rank * n + 1:(rank + 1) * n) = own
    call even_layout(counts, places)
    call MPI_Iallgatherv(MPI_IN_PLACE, n, MPI_INTEGER, all, counts, places, MPI_INTEGER, comm, &
      request, error)
    call complete('Iallgatherv')
    call same('Iallgatherv', all, of_all())
  end subroutine gather_to_all

  subroutine exchange
    integer :: sent(n * ranks), got(n * ranks), counts(ranks), places(ranks)
    integer :: i
    do i = 0, ranks - 1
      sent(i * n + 1:(i + 1) * n) = integers(n, rank)
    end do
    got = -1
    call MPI_Ialltoall(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, comm, request, error)
    call complete('Ialltoall')
    call same('Ialltoall', got, of_all())
    got = -1
    call even_layout(counts, places)
    call MPI_Ialltoallv(sent, counts, places, MPI_INTEGER, got, counts, places, MPI_INTEGER, comm, &
      request, error)
    call complete('Ialltoallv')
    call same('Ialltoallv', got, of_all())
  end subroutine exchange

  ! Types of the call's own, which are gone while it is under way. Open MPI 4.1 looks into Fortran's
  ! arrays of types when they are gone, too.
  subroutine exchange_with_types
    integer :: sent(n * ranks), got(n * ranks), counts(ranks), places(ranks)
    HANDLE(MPI_Datatype) :: types(ranks)
    integer :: i
    do i = 0, ranks - 1
      sent(i * n + 1:(i + 1) * n) = integers(n, rank)
    end do
    got = -1
    counts = 1
    places = [(4 * n * i, i = 0, ranks - 1)]
    do i = 1, ranks
      call MPI_Type_contiguous(n, MPI_INTEGER, types(i), error)
      call MPI_Type_commit(types(i), error)
    end do
    call MPI_Ialltoallw(sent, counts, places, types, got, counts, places, types, comm, request, &
      error)
    do i = 1, ranks
      call MPI_Type_free(types(i), error)
    end do
    call complete('Ialltoallw')
    call same('Ialltoallw', got, of_all())
  end subroutine exchange_with_types

  ! Around a ring: each has one neighbour before and one behind.
  subroutine neighbours
    HANDLE(MPI_Comm) :: ring
    HANDLE(MPI_Datatype) :: types(2)
    integer :: both(2), weights(2), counts(2), places(2)
    integer(kind=MPI_ADDRESS_KIND) :: bytes(2)
    integer :: out(2 * n), into(2 * n), gathered(2 * n)
    both = [mod(rank + ranks - 1, ranks), mod(rank + 1, ranks)]
    weights = 1
    counts = n
    places = [0, n]
    bytes = 4 * places
    types = MPI_INTEGER
    call MPI_Dist_graph_create_adjacent(comm, 2, both, weights, 2, both, weights, MPI_INFO_NULL, &
      .false., ring, error)
    out = [integers(n, rank), integers(n, rank)]
    gathered = [integers(n, both(1)), integers(n, both(2))]
    into = -1
    call MPI_Ineighbor_allgather(out, n, MPI_INTEGER, into, n, MPI_INTEGER, ring, request, error)
    call complete('Ineighbor_allgather')
    call same('Ineighbor_allgather', into, gathered)
    into = -1
    call MPI_Ineighbor_allgatherv(out, n, MPI_INTEGER, into, counts, places, MPI_INTEGER, ring, &
      request, error)
    call complete('Ineighbor_allgatherv')
    call same('Ineighbor_allgatherv', into, gathered)
    into = -1
    call MPI_Ineighbor_alltoall(out, n, MPI_INTEGER, into, n, MPI_INTEGER, ring, request, error)
    call complete('Ineighbor_alltoall')
    call same('Ineighbor_alltoall', into, gathered)
    into = -1
    call MPI_Ineighbor_alltoallv(out, counts, places, MPI_INTEGER, into, counts, places, &
      MPI_INTEGER, ring, request, error)
    call complete('Ineighbor_alltoallv')
    call same('Ineighbor_alltoallv', into, gathered)
#ifndef FAMILY_OPENMPI
    into = -1
    call MPI_Ineighbor_alltoallw(out, counts, bytes, types, into, counts, bytes, types, ring, &
      request, error)
    call complete('Ineighbor_alltoallw')
    call same('Ineighbor_alltoallw', into, gathered)
#endif
    call MPI_Comm_free(ring, error)
  end subroutine neighbours

  ! Each rank brings its number, of the type in question.
  subroutine reduce(root)
    integer, intent(in) :: root
    double precision :: own(n), total(n), wanted(n)
    own = rank
    total = -1
    wanted = ranks * (ranks - 1) / 2
    call MPI_Ireduce(own, total, n, MPI_DOUBLE_PRECISION, MPI_SUM, root, comm, request, error)
    call complete('Ireduce')
    if (rank == root) call same('Ireduce', total, wanted)
    total = own
    call MPI_Iallreduce(MPI_IN_PLACE, total, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm, request, error)
    call complete('Iallreduce')
    call same('Iallreduce', total, wanted)
  end subroutine reduce

  subroutine scatter_sums
    integer :: own(n * ranks), part(n), wanted(n), counts(ranks)
    own = rank
    wanted = ranks * (ranks - 1) / 2
    counts = n
    part = -1
    call MPI_Ireduce_scatter(own, part, counts, MPI_INTEGER, MPI_SUM, comm, request, error)
    call complete('Ireduce_scatter')
    call same('Ireduce_scatter', part, wanted)
    part = -1
    call MPI_Ireduce_scatter_block(own, part, n, MPI_INTEGER, MPI_SUM, comm, request, error)
    call complete('Ireduce_scatter_block')
    call same('Ireduce_scatter_block', part, wanted)
  end subroutine scatter_sums

  subroutine prefixes
    integer :: own(n), sums(n), wanted(n)
    own = rank
    sums = -1
    wanted = rank * (rank + 1) / 2
    call MPI_Iscan(own, sums, n, MPI_INTEGER, MPI_SUM, comm, request, error)
    call complete('Iscan')
    call same('Iscan', sums, wanted)
    sums = -1
    wanted = merge(-1, rank * (rank - 1) / 2, rank == 0)
    call MPI_Iexscan(own, sums, n, MPI_INTEGER, MPI_SUM, comm, request, error)
    call complete('Iexscan')
    if (rank > 0) call same('Iexscan', sums, wanted)
  end subroutine prefixes

  ! Completed in the other order.
  subroutine two_at_once
    integer :: first(n), second(n)
    HANDLE(MPI_Request) :: requests(2)
    STATUS(status)
    first = integers(n, merge(0, 50, rank == 0))
    second = integers(n, merge(ranks - 1, 50, rank == ranks - 1))
    call MPI_Ibcast(first, n, MPI_INTEGER, 0, comm, requests(1), error)
    call MPI_Ibcast(second, n, MPI_INTEGER, ranks - 1, comm, requests(2), error)
    call MPI_Wait(requests(2), status, error)
    call same('the second of two', second, integers(n, ranks - 1))
    call MPI_Wait(requests(1), status, error)
    call same('the first of two', first, integers(n, 0))
  end subroutine two_at_once
end module started
