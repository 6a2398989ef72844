#include "collective/plan/decision/earlier_runs.h"

#include <set>
#include <vector>

#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

policy::Extent extent_of(const mpi::Communicator& communicator) {
  const std::vector<int>& nodes = communicator.hosts->nodes();
  const std::set<int> hosts(nodes.begin(), nodes.end());
  return {communicator.size, static_cast<int>(hosts.size())};
}

template <typename Learner, typename Kind, typename Earlier>
void begin(Learner& learner, const mpi::Communicator& communicator, const Kind& kind,
           const Earlier& earlier) {
  if (earlier.empty()) return;
  const auto found = earlier.find({extent_of(communicator), kind});
  if (found != earlier.end()) learner.begin_with(found->second);
}

}  // namespace

policy::OnlineTuner& tuner_of(const mpi::Communicator& communicator,
                              const policy::KindOfCall& kind) {
  const auto [at, is_new] = communicator.learned->tuners.try_emplace(kind);
  const auto& earlier = runtime::current().lessons.earlier();
  if (is_new) begin(at->second, communicator, kind, earlier.calls);
  return at->second;
}

policy::Backoff& backoff_of(const mpi::Communicator& communicator, policy::Operation operation,
                            bool remembers, bool compares) {
  const auto [at, is_new] =
      communicator.learned->backoffs.try_emplace(operation, remembers, compares);
  const auto& earlier = runtime::current().lessons.earlier();
  if (is_new) begin(at->second, communicator, operation, earlier.uneven_calls);
  return at->second;
}

void keep(const mpi::Communicator& communicator, const policy::KindOfCall& kind,
          const policy::OnlineTuner& tuner) {
  runtime::Lessons& lessons = runtime::current().lessons;
  if (!lessons.keeps_calls()) return;
  if (const auto learned = tuner.experience()) {
    lessons.note(extent_of(communicator), kind, *learned);
  }
}

void keep(const mpi::Communicator& communicator, policy::Operation operation,
          const policy::Backoff& backoff) {
  runtime::Lessons& lessons = runtime::current().lessons;
  if (lessons.keeps_calls()) lessons.note(extent_of(communicator), operation, backoff.experience());
}

}  // namespace tightwire::collective
