// Reduce_scatter and Reduce_scatter_block.
#include <vector>

#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/reductions.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::reduce_scatter;

// Each rank's part of the result; empty where a count is for MPI to complain of.
template <class CountOf>
std::vector<mpi::Part> segments_of(MPI_Comm comm, CountOf&& count_of) {
  const mpi::Place place = mpi::place_in(comm, 0);
  std::vector<mpi::Part> segments;
  std::size_t begin = 0;
  for (int rank = 0; place.valid && rank < place.size; ++rank) {
    const Count count = count_of(rank);
    if (count < 0) return {};
    segments.push_back({begin, static_cast<std::size_t>(count)});
    begin += static_cast<std::size_t>(count);
  }
  return segments;
}

Count items_in(const std::vector<mpi::Part>& segments) {
  return segments.empty() ? 0 : static_cast<Count>(segments.back().begin + segments.back().count);
}

// What both forms share.
template <class Segments>
int scatter_result(const char* function, const void* sendbuf, void* recvbuf, Segments&& segments_of,
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const bool sound = sendbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
  mpi::CallName name{function};
  return mpi::guarded(name, comm, [&] {
    std::vector<mpi::Part> segments = segments_of();
    const mpi::Buffer own = mpi::own_values(sendbuf, recvbuf, items_in(segments), datatype);
    const auto reduction = recognise(operation, own, op, comm);
    name.bytes = reduction ? reduction->bytes() : 0;
    const ReductionPlan plan = reduction && sound
                                   ? plan_reduction(*reduction, comm, std::move(segments))
                                   : ReductionPlan{};
    return carry_out(plan, operation, name, comm, pass, [&](Work& work) {
      return reduce_scatter_schedule(plan, recvbuf, in_place, work);
    });
  });
}

}  // namespace

int reduce_scatter(const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  const auto segments = [&] {
    return recvcounts.given() ? segments_of(comm, [&](int rank) { return recvcounts[rank]; })
                              : std::vector<mpi::Part>{};
  };
  return scatter_result("MPI_Reduce_scatter", sendbuf, recvbuf, segments, datatype, op, comm, pass);
}

int reduce_scatter_block(const void* sendbuf, void* recvbuf, Count recvcount, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  const auto segments = [&] { return segments_of(comm, [&](int) { return recvcount; }); };
  return scatter_result("MPI_Reduce_scatter_block", sendbuf, recvbuf, segments, datatype, op, comm,
                        pass);
}

}  // namespace tightwire::collective
