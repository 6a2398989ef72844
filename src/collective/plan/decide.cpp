#include "collective/plan/decide.h"

#include <bit>

#include "mpi/device/call_buffers.h"
#include "mpi/error.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

void hold_tuning_round(mpi::Communicator& communicator, policy::OnlineTuner& tuner,
                       const CallKey& call_key, std::size_t bytes, double fraction) {
  std::array<double, 3> numbers = tuner.measurements(fraction).numbers();
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()),
                            MPI_DOUBLE, MPI_MAX, communicator.user));
  const policy::Facts facts{call_key.operation, bytes, communicator.size, communicator.network};
  tuner.end_round({call_key.effective.settings, call_key.plan, facts, call_key.type},
                  policy::Measurements::of(numbers));
}

}  // namespace

Decision decide(const CallKey& call_key, MPI_Comm user,
                const std::function<double(mpi::Communicator&)>& fraction) {
  if (call_key.plan.tier == policy::Tier::raw) return {};
  mpi::Communicator& communicator = mpi::communicator_of(user);
  if (!communicator.usable() || mpi::any_on_device(communicator.comm)) return {};
  if (!mpi::is_adaptive(communicator, call_key.effective.settings.mode))
    return {&communicator, nullptr, 1, {}};
  const std::size_t bytes = std::bit_floor(call_key.bytes);
  policy::OnlineTuner& tuner = communicator.learned->tuners[{
      call_key.operation, call_key.kind, std::bit_width(bytes), call_key.effective.hash}];
  if (tuner.round_due()) {
    hold_tuning_round(communicator, tuner, call_key, bytes, fraction(communicator));
  }
  const double scale = static_cast<double>(bytes) / static_cast<double>(call_key.bytes);
  return {tuner.compress() ? &communicator : nullptr, &tuner, scale,
          std::chrono::steady_clock::now()};
}

UnevenDecision decide_uneven(policy::Operation operation, MPI_Comm user) {
  if (mpi::agreed_resolver_of(user).all_raw()) return {};
  mpi::Communicator& communicator = mpi::communicator_of(user);
  if (!communicator.usable() || mpi::any_on_device(communicator.comm)) return {};
  if (!mpi::is_adaptive(communicator, runtime::current().settings.mode))
    return {&communicator, nullptr};
  policy::Backoff& backoff = communicator.learned->backoffs[operation];
  if (backoff.round_due()) {
    int gained = backoff.has_gained() ? 1 : 0;
    mpi::check(PMPI_Allreduce(MPI_IN_PLACE, &gained, 1, MPI_INT, MPI_MAX, communicator.user));
    backoff.end_round(gained != 0);
  }
  return {backoff.begin_call() ? &communicator : nullptr, &backoff};
}

}  // namespace tightwire::collective
