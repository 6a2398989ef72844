#include <array>

#include "calls.h"

namespace devices {
namespace {

// What collectives with a count for each rank are given.
constexpr std::array<int, 2> counts{count, count};
constexpr std::array<int, 2> places{0, count};
constexpr std::array<int, 2> bytes{0, count * sizeof(int)};
constexpr std::array<MPI_Aint, 2> addresses{0, count * sizeof(int)};
std::array<MPI_Datatype, 2> types() {
  return {MPI_INT, MPI_INT};
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

}  // namespace devices
