#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "collective/entry/collective.h"
#include "collective/multilane/lane_reduction.h"
#include "collective/plan/measured.h"
#include "collective/plan/scheduled_reduction.h"
#include "collective/reduce/ring.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::reduce_scatter;

std::vector<mpi::Part> segments_of(const std::vector<std::size_t>& counts) {
  std::vector<mpi::Part> segments;
  std::size_t begin = 0;
  for (const std::size_t count : counts) {
    segments.push_back({begin, count});
    begin += count;
  }
  return segments;
}

// What all forms share. `counts_of` makes the items of all ranks, empty if they are not all valid;
// `pass` hands the call to MPI as it came.
template <class CountsOf, class Pass>
int reduce_scatter_counts(const char* function, const void* sendbuf, void* recvbuf,
                          CountsOf&& counts_of, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                          Pass&& pass) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const void* own = in_place ? recvbuf : sendbuf;
  const bool sound = sendbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
  mpi::CallName name{function};
  return mpi::guarded(name, comm, [&] {
    std::vector<mpi::Part> segments = segments_of(counts_of());
    const std::size_t items = segments.empty() ? 0 : segments.back().begin + segments.back().count;
    const std::optional<Reduction> reduction = recognise(items, datatype, op, comm);
    name.bytes = reduction ? reduction->bytes() : 0;
    const ReductionPlan plan =
        reduction && sound ? plan_for(operation, *reduction, own, comm) : ReductionPlan{};
    const ScopedTimer timer(plan.decision);
    mpi::Communicator* communicator = plan.decision.communicator;
    if (communicator == nullptr) {
      return mpi::passed(operation, name, [&] { return pass(); });
    }
    return measured(operation, plan.plan, name, comm, [&](Work& work) {
      const std::size_t mine =
          segments[static_cast<std::size_t>(communicator->rank)].count * reduction->type.item_size;
      // In place, the result lies over values that are still to be sent.
      const mpi::BufferPool::Lease aside = communicator->scratch.insist(in_place ? mine : 0);
      void* result = in_place ? aside.bytes().data() : recvbuf;
      if (goes_over_lanes(operation, *reduction, plan)) {
        lane_reduce_scatter({operation, *reduction, plan, own, result}, segments, work);
      } else {
        const ScheduledReduction all =
            scheduled(operation, *reduction, plan, own, result, std::move(segments));
        work.plan.algorithm = all.algorithm;
        work.largest_bound = all.prepared.bound_of_result;
        ring_reduce_scatter(*communicator, *all.prepared.reducer, all.message, work.health,
                            work.traffic);
      }
      if (in_place && mine > 0) std::memcpy(recvbuf, result, mine);
    });
  });
}

template <class Count>
std::vector<std::size_t> valid_counts(const Count counts[], MPI_Comm comm) {
  const mpi::Place place = mpi::place_in(comm, 0);
  if (!place.valid || counts == nullptr) return {};
  const bool negative = std::any_of(counts, counts + place.size, [](Count c) { return c < 0; });
  return negative ? std::vector<std::size_t>{}
                  : std::vector<std::size_t>(counts, counts + place.size);
}

template <class Count>
std::vector<std::size_t> equal_counts(Count count, MPI_Comm comm) {
  const mpi::Place place = mpi::place_in(comm, 0);
  if (!place.valid || count <= 0) return {};
  return std::vector<std::size_t>(static_cast<std::size_t>(place.size),
                                  static_cast<std::size_t>(count));
}

}  // namespace

int reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return reduce_scatter_counts(
      "MPI_Reduce_scatter", sendbuf, recvbuf, [&] { return valid_counts(recvcounts, comm); },
      datatype, op, comm,
      [&] { return PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm); });
}

int reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm) {
  return reduce_scatter_counts(
      "MPI_Reduce_scatter_block", sendbuf, recvbuf, [&] { return equal_counts(recvcount, comm); },
      datatype, op, comm,
      [&] { return PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}

#if MPI_VERSION >= 4

int reduce_scatter(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return reduce_scatter_counts(
      "MPI_Reduce_scatter", sendbuf, recvbuf, [&] { return valid_counts(recvcounts, comm); },
      datatype, op, comm,
      [&] { return PMPI_Reduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm); });
}

int reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return reduce_scatter_counts(
      "MPI_Reduce_scatter_block", sendbuf, recvbuf, [&] { return equal_counts(recvcount, comm); },
      datatype, op, comm,
      [&] { return PMPI_Reduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}

#endif

}  // namespace tightwire::collective
