#include "scale/job/mpich.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

// SMPI's algorithms, which its library exports; its headers say nothing of them.
// NOLINTBEGIN(bugprone-reserved-identifier): SMPI's names.
namespace simgrid::smpi {
int allgather__NTSLR(const void*, int, Datatype*, void*, int, Datatype*, Comm*);
int allgather__bruck(const void*, int, Datatype*, void*, int, Datatype*, Comm*);
int allgather__rdb(const void*, int, Datatype*, void*, int, Datatype*, Comm*);
int allreduce__rab_rdb(const void*, void*, int, Datatype*, Op*, Comm*);
int allreduce__rdb(const void*, void*, int, Datatype*, Op*, Comm*);
int bcast__binomial_tree(void*, int, Datatype*, int, Comm*);
int bcast__scatter_LR_allgather(void*, int, Datatype*, int, Comm*);
int bcast__scatter_rdb_allgather(void*, int, Datatype*, int, Comm*);
int reduce__binomial(const void*, void*, int, Datatype*, Op*, int, Comm*);
int reduce__scatter_gather(const void*, void*, int, Datatype*, Op*, int, Comm*);
int reduce_scatter__mpich_pair(const void*, void*, const int*, Datatype*, Op*, Comm*);
int reduce_scatter__ompi_basic_recursivehalving(const void*, void*, const int*, Datatype*, Op*,
                                                Comm*);
}  // namespace simgrid::smpi
// NOLINTEND(bugprone-reserved-identifier)

namespace tightwire::scale {

namespace {

namespace smpi = simgrid::smpi;

constexpr std::size_t short_reduction = 2048;   // bytes, up to which ranks exchange all
constexpr std::size_t short_bcast = 12288;      // bytes, below which a tree carries all
constexpr std::size_t long_bcast = 524288;      // bytes, from which blocks go round a ring
constexpr int fewest_for_blocks = 8;            // ranks of a Bcast that goes in blocks
constexpr std::size_t short_allgather = 81920;  // bytes in all, below which blocks gather up
constexpr std::size_t long_allgather = 524288;  // bytes in all, from which a ring passes them on
constexpr std::size_t long_reduce_scatter = 524288;  // bytes, from which blocks go one by one

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

std::size_t bytes_of(int count) {
  return sizeof(float) * static_cast<std::size_t>(count);
}

bool takes_halves(int count, MPI_Comm comm) {
  const unsigned power = std::bit_floor(static_cast<unsigned>(size_of(comm)));
  return bytes_of(count) > short_reduction && static_cast<unsigned>(count) >= power;
}

int allreduce_among(MPI_Comm comm, const float* own, float* result, int count) {
  const auto by = takes_halves(count, comm) ? smpi::allreduce__rab_rdb : smpi::allreduce__rdb;
  return by(own, result, count, MPI_FLOAT, MPI_SUM, comm);
}

int reduce_among(MPI_Comm comm, const float* own, float* result, int count) {
  const auto by = takes_halves(count, comm) ? smpi::reduce__scatter_gather : smpi::reduce__binomial;
  return by(own, result, count, MPI_FLOAT, MPI_SUM, 0, comm);
}

int bcast_among(MPI_Comm comm, float* values, int count) {
  const std::size_t bytes = bytes_of(count);
  const int ranks = size_of(comm);
  const bool is_power = std::has_single_bit(static_cast<unsigned>(ranks));
  const auto by = bytes < short_bcast || ranks < fewest_for_blocks ? smpi::bcast__binomial_tree
                  : bytes < long_bcast && is_power ? smpi::bcast__scatter_rdb_allgather
                                                   : smpi::bcast__scatter_LR_allgather;
  return by(values, count, MPI_FLOAT, 0, comm);
}

// Ranks of this one's subtree in a binomial tree: as many as the lowest bit of its number says.
int subtree_of(int rank, int ranks) {
  int reach = 1;
  while (reach < ranks && (rank & reach) == 0) reach <<= 1;
  return reach;
}

}  // namespace

Mpich::Mpich() {
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host_);
  const int color = rank_in(host_) == 0 ? 0 : MPI_UNDEFINED;
  PMPI_Comm_split(MPI_COMM_WORLD, color, 0, &leaders_);
  int largest = size_of(host_);
  PMPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  shares_hosts_ = largest > 1;
}

int Mpich::allreduce(const float* own, float* result, int count) const {
  if (!shares_hosts_) return allreduce_among(MPI_COMM_WORLD, own, result, count);
  std::vector<float> of_host(static_cast<std::size_t>(count));
  const int code = reduce_among(host_, own, of_host.data(), count);
  if (code != MPI_SUCCESS) return code;
  if (leaders_ != MPI_COMM_NULL) {
    const int among = allreduce_among(leaders_, of_host.data(), result, count);
    if (among != MPI_SUCCESS) return among;
  }
  return bcast_among(host_, result, count);
}

int Mpich::bcast(float* values, int count) const {
  if (!shares_hosts_) return bcast_among(MPI_COMM_WORLD, values, count);
  if (leaders_ != MPI_COMM_NULL) {
    const int code = bcast_among(leaders_, values, count);
    if (code != MPI_SUCCESS) return code;
  }
  return bcast_among(host_, values, count);
}

int Mpich::reduce_scatter(const float* own, float* result, const int* counts) {
  const int count = std::accumulate(counts, counts + size_of(MPI_COMM_WORLD), 0);
  const auto by = bytes_of(count) < long_reduce_scatter
                      ? smpi::reduce_scatter__ompi_basic_recursivehalving
                      : smpi::reduce_scatter__mpich_pair;
  return by(own, result, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

int Mpich::allgather(const float* own, float* result, int count_each) {
  const int ranks = size_of(MPI_COMM_WORLD);
  const std::size_t bytes = bytes_of(count_each) * static_cast<std::size_t>(ranks);
  const auto by = bytes < long_allgather && std::has_single_bit(static_cast<unsigned>(ranks))
                      ? smpi::allgather__rdb
                  : bytes < short_allgather ? smpi::allgather__bruck
                                            : smpi::allgather__NTSLR;
  return by(own, count_each, MPI_FLOAT, result, count_each, MPI_FLOAT, MPI_COMM_WORLD);
}

// A binomial tree: a rank passes on the larger half of what it has first.
int Mpich::scatter(const float* own, float* result, int count_each) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int ranks = size_of(MPI_COMM_WORLD);
  const int reach = subtree_of(rank, ranks);
  constexpr int tag = 0;
  const auto blocks = [&](int of, int most) { return std::min(most, ranks - of) * count_each; };

  std::vector<float> passed_on;
  if (rank != 0) {
    const int count = blocks(rank, reach);
    passed_on.resize(static_cast<std::size_t>(count));
    const int code = PMPI_Recv(passed_on.data(), count, MPI_FLOAT, rank - reach, tag,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return code;
    own = passed_on.data();
  }
  for (int half = reach >> 1; half > 0; half >>= 1) {
    if (rank + half >= ranks) continue;
    const float* const block =
        own + static_cast<std::size_t>(half) * static_cast<std::size_t>(count_each);
    const int code =
        PMPI_Send(block, blocks(rank + half, half), MPI_FLOAT, rank + half, tag, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) return code;
  }
  std::copy_n(own, count_each, result);
  return MPI_SUCCESS;
}

// A binomial tree: a rank takes the blocks of the smallest subtree below it first, and hands all of
// its own on at once.
int Mpich::gather(const float* own, float* result, int count_each) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int ranks = size_of(MPI_COMM_WORLD);
  const int reach = subtree_of(rank, ranks);
  constexpr int tag = 0;
  const auto blocks = [&](int of, int most) { return std::min(most, ranks - of) * count_each; };

  std::vector<float> handed_on;
  if (rank != 0) {
    handed_on.resize(static_cast<std::size_t>(blocks(rank, reach)));
    result = handed_on.data();
  }
  std::copy_n(own, count_each, result);
  for (int half = 1; half < reach && rank + half < ranks; half <<= 1) {
    float* const block =
        result + static_cast<std::size_t>(half) * static_cast<std::size_t>(count_each);
    const int code = PMPI_Recv(block, blocks(rank + half, half), MPI_FLOAT, rank + half, tag,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return code;
  }
  if (rank == 0) return MPI_SUCCESS;
  return PMPI_Send(result, blocks(rank, reach), MPI_FLOAT, rank - reach, tag, MPI_COMM_WORLD);
}

}  // namespace tightwire::scale
