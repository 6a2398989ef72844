#include "scale/job/calls.h"

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "collective/entry/collective.h"
#include "scale/job/charge.h"

namespace tightwire::scale {

using comparison::Call;
using comparison::Operation;
using comparison::root;

namespace {

std::vector<int> blocks_of(const Call& call) {
  return std::vector<int>(static_cast<std::size_t>(call.ranks), static_cast<int>(call.block()));
}

float* broadcast_values(const Call& call) {
  return call.rank == root ? const_cast<float*>(call.own.data()) : call.result.data();
}

// MPICH's root receives its own blocks again, and a field cannot be written to.
float* written_values(const Call& call) {
  if (call.rank == root) std::ranges::copy(call.own, call.result.begin());
  return call.result.data();
}

}  // namespace

PlainMpi::PlainMpi(bool is_mpich) {
  if (is_mpich) mpich_.emplace();
}

int PlainMpi::run(const Call& call) const {
  if (comparison::is_reduction(call.operation)) charge_adding(call.count * sizeof(float));
  const int count = static_cast<int>(call.count);
  const int block = static_cast<int>(call.block());
  const float* const own = call.own.data();
  float* const result = call.result.data();
  switch (call.operation) {
    case Operation::allreduce:
      if (mpich_) return mpich_->allreduce(own, result, count);
      return PMPI_Allreduce(own, result, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    case Operation::allgather:
      if (mpich_) return Mpich::allgather(own, result, block);
      return PMPI_Allgather(own, block, MPI_FLOAT, result, block, MPI_FLOAT, MPI_COMM_WORLD);
    case Operation::reduce_scatter:
      if (mpich_) return Mpich::reduce_scatter(own, result, blocks_of(call).data());
      return PMPI_Reduce_scatter(own, result, blocks_of(call).data(), MPI_FLOAT, MPI_SUM,
                                 MPI_COMM_WORLD);
    case Operation::bcast:
      if (mpich_) return mpich_->bcast(written_values(call), count);
      return PMPI_Bcast(broadcast_values(call), count, MPI_FLOAT, root, MPI_COMM_WORLD);
    case Operation::scatter:
      if (mpich_) return Mpich::scatter(own, result, block);
      return PMPI_Scatter(own, block, MPI_FLOAT, result, block, MPI_FLOAT, root, MPI_COMM_WORLD);
    case Operation::gather:
      if (mpich_) return Mpich::gather(own, result, block);
      return PMPI_Gather(own, block, MPI_FLOAT, result, block, MPI_FLOAT, root, MPI_COMM_WORLD);
    case Operation::alltoall:
      return PMPI_Alltoall(own, block, MPI_FLOAT, result, block, MPI_FLOAT, MPI_COMM_WORLD);
  }
  return MPI_ERR_OTHER;
}

void run_ccoll(comparison::Ccoll& method, const Call& call) {
  const std::size_t all = call.count * sizeof(float);
  const std::size_t block = all / static_cast<std::size_t>(call.ranks);
  const bool is_rooted =
      call.operation == Operation::scatter || call.operation == Operation::gather;
  if (comparison::is_reduction(call.operation)) charge_adding(all - block);
  // Its own block is copied, by a root at last.
  if (call.operation != Operation::bcast && !is_rooted) charge_adding(block);
  static_cast<void>(method.run(call));
  if (is_rooted && call.rank == root) charge_adding(block);
}

int run_tightwire(const PlainMpi& plain, const Call& call) {
  const auto pass = [&] { return plain.run(call); };
  const auto count = static_cast<mpi::Count>(call.count);
  const auto block = static_cast<mpi::Count>(call.block());
  const float* const own = call.own.data();
  float* const result = call.result.data();
  switch (call.operation) {
    case Operation::allreduce:
      return collective::allreduce({"MPI_Allreduce"}, own, result, count, MPI_FLOAT, MPI_SUM,
                                   MPI_COMM_WORLD, pass);
    case Operation::allgather:
      return collective::allgather({"MPI_Allgather"}, own, block, MPI_FLOAT, result, block,
                                   MPI_FLOAT, MPI_COMM_WORLD, pass);
    case Operation::reduce_scatter:
      return collective::reduce_scatter({"MPI_Reduce_scatter"}, own, result, blocks_of(call).data(),
                                        MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, pass);
    case Operation::bcast:
      return collective::bcast({"MPI_Bcast"}, broadcast_values(call), count, MPI_FLOAT, root,
                               MPI_COMM_WORLD, pass);
    case Operation::scatter:
      return collective::scatter({"MPI_Scatter"}, own, block, MPI_FLOAT, result, block, MPI_FLOAT,
                                 root, MPI_COMM_WORLD, pass);
    case Operation::gather:
      return collective::gather({"MPI_Gather"}, own, block, MPI_FLOAT, result, block, MPI_FLOAT,
                                root, MPI_COMM_WORLD, pass);
    case Operation::alltoall:
      return collective::alltoall({"MPI_Alltoall"}, own, block, MPI_FLOAT, result, block, MPI_FLOAT,
                                  MPI_COMM_WORLD, pass);
  }
  return MPI_ERR_OTHER;
}

}  // namespace tightwire::scale
