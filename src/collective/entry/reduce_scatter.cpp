// Reduce_scatter and Reduce_scatter_block.
#include <utility>
#include <vector>

#include "collective/entry/carry_out_reduction.h"
#include "collective/entry/collective.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::reduce_scatter;

// Each rank's part of the result, of which a count is told for each. Nothing where a count is for
// MPI to complain of.
template <class CountOf>
std::vector<mpi::Part> segments_of(int ranks, CountOf&& count_of) {
  std::vector<mpi::Part> segments;
  std::size_t begin = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto count = static_cast<std::size_t>(count_of(rank));
    segments.push_back({begin, count});
    begin += count;
  }
  return segments;
}

template <class CountOf>
Count items_in(int ranks, CountOf&& count_of) {
  Count items = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const Count count = count_of(rank);
    if (count < 0) return 0;
    items += count;
  }
  return items;
}

// What both forms share.
template <class CountOf>
int scatter_result(const Form& form, const void* sendbuf, void* recvbuf, CountOf&& count_of,
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  const bool sound = sendbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_in(comm, 0);
    const Count items = place.valid ? items_in(place.size, count_of) : 0;
    const mpi::Buffer own = mpi::own_values(sendbuf, recvbuf, items, datatype);
    name.bytes = own.bytes();
    const ReductionCall call{form, operation, name, own, op, comm, pass};
    if (is_small(name.bytes, form, comm)) return pass_small(call);
    std::vector<mpi::Part> segments;
    if (items > 0) segments = segments_of(place.size, count_of);
    const mpi::Buffer result{recvbuf, place.valid ? count_of(place.rank) : 0, datatype};
    // In place, a result on the way would lie over values that are still to be sent.
    const bool may_stay = sendbuf != MPI_IN_PLACE;
    return carry_out_reduction(call, sound && items > 0, place, std::move(segments), may_stay,
                               &reduce_scatter_schedule, result);
  });
}

int scatter_segments(const Form& form, const void* sendbuf, void* recvbuf, Counts recvcounts,
                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  // -1: for MPI to complain of.
  const auto count_of = [&](int rank) { return recvcounts.given() ? recvcounts[rank] : Count{-1}; };
  return scatter_result(form, sendbuf, recvbuf, count_of, datatype, op, comm, pass);
}

int scatter_blocks(const Form& form, const void* sendbuf, void* recvbuf, Count recvcount,
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  const auto count_of = [&](int) { return recvcount; };
  return scatter_result(form, sendbuf, recvbuf, count_of, datatype, op, comm, pass);
}

}  // namespace

int reduce_scatter(const Form& form, const void* sendbuf, void* recvbuf, Counts recvcounts,
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  return scatter_segments(form, sendbuf, recvbuf, recvcounts, datatype, op, comm, pass);
}

int reduce_scatter_block(const Form& form, const void* sendbuf, void* recvbuf, Count recvcount,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  return scatter_blocks(form, sendbuf, recvbuf, recvcount, datatype, op, comm, pass);
}

}  // namespace tightwire::collective
