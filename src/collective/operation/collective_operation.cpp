#include "collective/operation/collective_operation.h"

#include "runtime/runtime.h"

namespace tightwire::collective {

bool CollectiveOperation::progress(Waiting waiting) {
  const runtime::SplitOfThread split(work_.split);
  return schedule_->advance(progress_, waiting == Waiting::yes);
}

void CollectiveOperation::count() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  runtime::Statistics& statistics = runtime::current().statistics;
  if (work_.plan.tier == policy::Tier::raw) {
    statistics.count_passed(operation_, work_.plan.why, name_.counted(),
                            static_cast<std::uint64_t>(1e9 * elapsed.count()));
  } else {
    statistics.add({operation_, work_.plan, 1, name_.counted(), work_.traffic.bytes_before,
                    work_.traffic.bytes_after, elapsed.count(), work_.largest_bound, work_.split});
  }
}

mpi::Outcome CollectiveOperation::outcome() {
  count();
  mpi::Outcome outcome;
  if (work_.health.first()) outcome.code = mpi::raise(*work_.health.first(), name_, comm_);
  return outcome;
}

void CollectiveOperation::abort() noexcept {
  const Slot::Abandoning abandoning;
  schedule_.reset();
}

}  // namespace tightwire::collective
