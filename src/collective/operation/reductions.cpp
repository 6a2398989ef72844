#include "collective/operation/reductions.h"

#include <cstring>
#include <optional>

#include "collective/multilane/lane_reduction.h"
#include "collective/plan/on_devices/reduction.h"
#include "collective/reduce/chain_scan.h"
#include "collective/reduce/rabenseifner.h"
#include "collective/reduce/recursive_doubling.h"
#include "collective/reduce/reducer/device_reducer.h"
#include "collective/reduce/reducer/timed_reducer.h"
#include "collective/reduce/ring/ring.h"
#include "collective/reduce/tree_reduce.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {
namespace {

bool goes_by_host(const ReductionPlan& plan) {
  return plan.encoding.codec->id() != codec::Id::bounded_device;
}

PreparedReducer reducer_of(const ReductionPlan& plan, const mpi::Buffer& result) {
  if (goes_by_host(plan)) return reducer_for(plan);
  const mpi::Communicator& communicator = *plan.decision.communicator;
  return {{},
          make_timed(make_device_reducer(plan.encoding, plan.reduction.own, result,
                                         communicator.program_rank(communicator.rank)))};
}

// A plan that goes flat, ready to be run.
struct Flat {
  Flat(const ReductionPlan& plan, const mpi::Buffer& result)
      : communicator(*plan.decision.communicator),
        prepared(reducer_of(plan, result)),
        message(goes_by_host(plan) ? message_in_pieces(plan, result) : message_of(plan, result)) {
    ++communicator.calls;
    if (plan.remembers) message.sums = &sums.emplace(plan);
  }

  // Own values are here, at the end all of them: of what could not be copied from a device others
  // have been told. Throws MpiError.
  void check() const {
    if (message.own_pieces != nullptr) message.own_pieces->wait_for_all();
  }

  mpi::Communicator& communicator;
  PreparedReducer prepared;
  ReductionMessage message;
  std::optional<SumHistory> sums;
};

Schedule<> algorithm_of_allreduce(policy::Algorithm algorithm, Flat& flat, Work& work) {
  const auto run = algorithm == policy::Algorithm::recursive_doubling ? recursive_doubling_allreduce
                   : algorithm == policy::Algorithm::rabenseifner     ? rabenseifner_allreduce
                                                                      : ring_allreduce;
  return run(flat.communicator, *flat.prepared.reducer, flat.message, work.health, work.traffic);
}

Schedule<> algorithm_of_reduce(policy::Algorithm algorithm, Flat& flat, int root, Work& work) {
  const auto run = algorithm == policy::Algorithm::tree ? tree_reduce : ring_reduce;
  return run(flat.communicator, *flat.prepared.reducer, flat.message, root, work.health,
             work.traffic);
}

Schedule<> algorithm_of_reduce_scatter(policy::Algorithm algorithm, Flat& flat, Work& work) {
  const auto run =
      algorithm == policy::Algorithm::rabenseifner ? halving_reduce_scatter : ring_reduce_scatter;
  return run(flat.communicator, *flat.prepared.reducer, flat.message, work.health, work.traffic);
}

Schedule<> reduce_scatter_to(const ReductionPlan& plan, const mpi::Buffer& result, Work& work) {
  if (plan.path == Path::lanes) {
    co_await lane_reduce_scatter(plan, result, work);
    co_return;
  }
  Flat flat(plan, result);
  co_await algorithm_of_reduce_scatter(plan.plan.algorithm, flat, work);
  flat.check();
}

}  // namespace

Schedule<> allreduce_schedule(const ReductionPlan& plan, const mpi::Buffer& result, Work& work) {
  work.largest_bound = plan.bound_of_result;
  if (plan.path == Path::lanes) {
    co_await lane_allreduce(plan, result, work);
    co_return;
  }
  Flat flat(plan, result);
  co_await algorithm_of_allreduce(plan.plan.algorithm, flat, work);
  flat.check();
}

Schedule<> reduce_schedule(const ReductionPlan& plan, const mpi::Buffer& result, int root,
                           Work& work) {
  work.largest_bound = plan.bound_of_result;
  if (plan.path == Path::lanes) {
    co_await lane_reduce(plan, result, root, work);
    co_return;
  }
  Flat flat(plan, result);
  co_await algorithm_of_reduce(plan.plan.algorithm, flat, root, work);
  flat.check();
}

Schedule<> reduce_scatter_schedule(const ReductionPlan& plan, const mpi::Buffer& result,
                                   Work& work) {
  work.largest_bound = plan.bound_of_result;
  if (result.address != plan.reduction.own.address) {
    co_await reduce_scatter_to(plan, result, work);
    co_return;
  }
  // In place: the result lies over values that are still to be sent.
  const std::span<std::byte> bytes = result.host_bytes();
  const mpi::BufferPool::Lease aside = plan.decision.communicator->scratch.insist(bytes.size());
  const mpi::Buffer elsewhere{aside.bytes().data(), result.count, result.datatype};
  co_await reduce_scatter_to(plan, elsewhere, work);
  if (!bytes.empty()) std::memcpy(bytes.data(), elsewhere.host(), bytes.size());
}

Schedule<> scan_schedule(const ReductionPlan& plan, const mpi::Buffer& result, bool inclusive,
                         Work& work) {
  work.largest_bound = plan.bound_of_result;
  Flat flat(plan, result);
  flat.check();
  const ScanMessage message{flat.message.own, flat.message.result, plan.reduction.items(),
                            flat.message.item_size, plan.chunks};
  co_await chain_scan(flat.communicator, *flat.prepared.reducer, message, inclusive, work.health,
                      work.traffic);
}

Schedule<> reduction_on_devices_schedule(const ReductionPlan& plan, const mpi::Buffer& result,
                                         Schedule<> reduction, Work& work) {
  co_await std::move(reduction);
  note_reduction_on_devices(plan, work.traffic);
  const auto own = mpi::coded_buffer_at(plan.reduction.own.address);
  const auto there = mpi::coded_buffer_at(result.address);
  // What could not be copied others have been told of.
  for (const auto& buffer : {own, there}) {
    if (buffer != nullptr && buffer->has_failed()) throw mpi::MpiError{MPI_ERR_BUFFER};
  }
  if (there != nullptr) there->set_decoded();
}

}  // namespace tightwire::collective
