#include "comparison/mpi_method.h"

#include <cstdio>

#include "comparison/mpi_clock.h"
#include "tightwire.h"

namespace tightwire::comparison {
namespace {

void set(const char* key, const std::string& value) {
  if (tightwire_set(key, value.c_str()) == TIGHTWIRE_OK) return;
  std::fprintf(stderr, "tightwire refused %s = %s\n", key, value.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace

int run_mpi(const bench::Functions& functions, const Call& call, MPI_Comm comm) {
  const int count = static_cast<int>(call.count);
  const int block = static_cast<int>(call.block());
  auto* const own = const_cast<float*>(call.own.data());  // a broadcast's root only reads it
  float* const result = call.result.data();
  switch (call.operation) {
    case Operation::allreduce:
      return functions.allreduce(own, result, count, MPI_FLOAT, MPI_SUM, comm);
    case Operation::allgather:
      return functions.allgather(own, block, MPI_FLOAT, result, block, MPI_FLOAT, comm);
    case Operation::reduce_scatter: {
      const std::vector<int> blocks(static_cast<std::size_t>(call.ranks), block);
      return functions.reduce_scatter(own, result, blocks.data(), MPI_FLOAT, MPI_SUM, comm);
    }
    case Operation::bcast:
      return functions.bcast(call.rank == root ? own : result, count, MPI_FLOAT, root, comm);
    case Operation::scatter:
      return functions.scatter(own, block, MPI_FLOAT, result, block, MPI_FLOAT, root, comm);
    case Operation::gather:
      return functions.gather(own, block, MPI_FLOAT, result, block, MPI_FLOAT, root, comm);
    case Operation::alltoall:
      return functions.alltoall(own, block, MPI_FLOAT, result, block, MPI_FLOAT, comm);
  }
  return MPI_ERR_OTHER;
}

Breakdown PlainMpi::run(const Call& call) {
  Breakdown breakdown;
  timed(breakdown.communicate,
        [&] { static_cast<void>(run_mpi(bench::plain_mpi(), call, MPI_COMM_WORLD)); });
  return breakdown;
}

void Tightwire::prepare() {
  set("error-bound", error_bound_);
  set("bound-applies-to", bound_applies_to_);
  before_ = own_times();
}

Breakdown Tightwire::run(const Call& call) {
  start_mpi_clock();
  static_cast<void>(run_mpi(bench::called_by_programs(), call, MPI_COMM_WORLD));
  const SecondsInMpi inside = seconds_in_mpi();
  Breakdown breakdown;
  breakdown.communicate = inside.communicate;
  breakdown.wait = inside.wait;
  return breakdown;
}

void Tightwire::settle(Breakdown& parts) {
  const OwnTimes now = own_times();
  parts.compress = now.encoding - before_.encoding;
  parts.merge = now.combining - before_.combining;
  parts.decompress = now.decoding - before_.decoding;
  parts.plain = now.compressed_calls == before_.compressed_calls;
}

}  // namespace tightwire::comparison
