#include <array>

#include "calls.h"

namespace devices {
namespace {

// What collectives with a count for each rank are given.
constexpr std::array<int, most_ranks> counts{count, count, count, count};
constexpr std::array<int, most_ranks> places{0, count, 2 * count, 3 * count};
constexpr int block = count * sizeof(int);
constexpr std::array<int, most_ranks> bytes{0, block, 2 * block, 3 * block};
constexpr std::array<MPI_Aint, most_ranks> addresses{0, block, 2 * block, 3 * block};
std::array<MPI_Datatype, most_ranks> types() {
  return {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
}

}  // namespace

#define WAITS(name, ...)                                                        \
  {                                                                             \
#name, [](Buffers& b) { MPI_##name(__VA_ARGS__, graph); static_cast<void>(b); } \
  }
#define AT_ONCE(name, ...)                    \
  {                                           \
#name, [](Buffers& b) {                     \
     MPI_##name(__VA_ARGS__, graph, &b.request); \
     MPI_Wait(&b.request, MPI_STATUS_IGNORE);  \
   } \
  }
#if MPI_VERSION >= 4
#define PERSISTENT(name, ...)                                   \
  {#name, [](Buffers& b) {                                      \
     MPI_##name(__VA_ARGS__, graph, MPI_INFO_NULL, &b.request); \
     start_and_wait(b.request);                                 \
   }},
#else
#define PERSISTENT(name, ...)
#endif
// The three forms of a collective.
#define COLLECTIVE(name, started, ...) \
  WAITS(name, __VA_ARGS__), AT_ONCE(I##started, __VA_ARGS__), PERSISTENT(name##_init, __VA_ARGS__)

const std::vector<Call>& collectives() {
  static const auto both = types();
  static const std::vector<Call> all = {
      // clang-format off
      COLLECTIVE(Allreduce, allreduce, b.send, b.receive, count, MPI_INT, MPI_MAX)
      COLLECTIVE(Reduce, reduce, b.send, b.receive, count, MPI_INT, MPI_MAX, 0)
      COLLECTIVE(Bcast, bcast, b.receive, count, MPI_INT, 0)
      COLLECTIVE(Reduce_scatter, reduce_scatter, b.send, b.receive, counts.data(), MPI_INT, MPI_MAX)
      COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, b.send, b.receive, count, MPI_INT, MPI_MAX)
      COLLECTIVE(Scan, scan, b.send, b.receive, count, MPI_INT, MPI_MAX)
      COLLECTIVE(Exscan, exscan, b.send, b.receive, count, MPI_INT, MPI_MAX)
      COLLECTIVE(Gather, gather, b.send, count, MPI_INT, b.receive, count, MPI_INT, 0)
      COLLECTIVE(Gatherv, gatherv, b.send, count, MPI_INT, b.receive, counts.data(), places.data(), MPI_INT, 0)
      COLLECTIVE(Scatter, scatter, b.send, count, MPI_INT, b.receive, count, MPI_INT, 0)
      COLLECTIVE(Scatterv, scatterv, b.send, counts.data(), places.data(), MPI_INT, b.receive, count, MPI_INT, 0)
      COLLECTIVE(Allgather, allgather, b.send, count, MPI_INT, b.receive, count, MPI_INT)
      COLLECTIVE(Allgatherv, allgatherv, b.send, count, MPI_INT, b.receive, counts.data(), places.data(), MPI_INT)
      COLLECTIVE(Alltoall, alltoall, b.send, count, MPI_INT, b.receive, count, MPI_INT)
      COLLECTIVE(Alltoallv, alltoallv, b.send, counts.data(), places.data(), MPI_INT, b.receive, counts.data(), places.data(), MPI_INT)
      COLLECTIVE(Alltoallw, alltoallw, b.send, counts.data(), bytes.data(), both.data(), b.receive, counts.data(), bytes.data(), both.data())
      COLLECTIVE(Neighbor_allgather, neighbor_allgather, b.send, count, MPI_INT, b.receive, count, MPI_INT)
      COLLECTIVE(Neighbor_allgatherv, neighbor_allgatherv, b.send, count, MPI_INT, b.receive, counts.data(), places.data(), MPI_INT)
      COLLECTIVE(Neighbor_alltoall, neighbor_alltoall, b.send, count, MPI_INT, b.receive, count, MPI_INT)
      COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv, b.send, counts.data(), places.data(), MPI_INT, b.receive, counts.data(), places.data(), MPI_INT)
      COLLECTIVE(Neighbor_alltoallw, neighbor_alltoallw, b.send, counts.data(), addresses.data(), both.data(), b.receive, counts.data(), addresses.data(), both.data())
      // clang-format on
  };
  return all;
}

// Every other integer; a block, and a gap after it.
constexpr int half = count / 2;
constexpr std::array<int, most_ranks> halves{half, half, half, half};

MPI_Datatype every_other() {
  static const MPI_Datatype type = [] {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_vector(half, 1, 2, MPI_INT, &made);
    MPI_Type_commit(&made);
    return made;
  }();
  return type;
}

const std::vector<Call>& special_collectives() {
  static const MPI_Datatype strided = every_other();
  static const std::vector<Call> all = {
      // clang-format off
      COLLECTIVE(Allreduce, allreduce, MPI_IN_PLACE, b.receive, count, MPI_INT, MPI_MAX)
      COLLECTIVE(Reduce_scatter, reduce_scatter, MPI_IN_PLACE, b.receive, counts.data(), MPI_INT, MPI_MAX)
      COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, MPI_IN_PLACE, b.receive, count, MPI_INT, MPI_MAX)
      COLLECTIVE(Scan, scan, MPI_IN_PLACE, b.receive, count, MPI_INT, MPI_MAX)
      COLLECTIVE(Reduce, reduce, rank == 0 ? MPI_IN_PLACE : b.receive, b.receive, count, MPI_INT, MPI_MAX, 0)
      COLLECTIVE(Gather, gather, rank == 0 ? MPI_IN_PLACE : b.send, count, MPI_INT, b.receive, count, MPI_INT, 0)
      COLLECTIVE(Scatter, scatter, b.send, count, MPI_INT, rank == 0 ? MPI_IN_PLACE : b.receive, count, MPI_INT, 0)
      COLLECTIVE(Allgather, allgather, MPI_IN_PLACE, 0, MPI_INT, b.receive, count, MPI_INT)
      COLLECTIVE(Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_INT, b.receive, counts.data(), places.data(), MPI_INT)
      COLLECTIVE(Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_INT, b.receive, count, MPI_INT)
      COLLECTIVE(Alltoallv, alltoallv, MPI_IN_PLACE, nullptr, nullptr, MPI_INT, b.receive, counts.data(), places.data(), MPI_INT)
      COLLECTIVE(Bcast, bcast, b.receive, 1, strided, 0)
      COLLECTIVE(Allgather, allgather, b.send, half, MPI_INT, b.receive, 1, strided)
      COLLECTIVE(Allgatherv, allgatherv, b.send, half, MPI_INT, b.receive, halves.data(), places.data(), MPI_INT)
      COLLECTIVE(Gatherv, gatherv, b.send, 1, strided, b.receive, halves.data(), places.data(), MPI_INT, 0)
      COLLECTIVE(Alltoallv, alltoallv, b.send, halves.data(), places.data(), MPI_INT, b.receive, halves.data(), places.data(), MPI_INT)
      // clang-format on
  };
  return all;
}

}  // namespace devices
