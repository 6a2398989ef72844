#include "collective/judge.h"

#include <bit>

#include "collective/failure.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

void review(Communicator& communicator, policy::Experience& experience, const Matter& matter,
            std::size_t bytes, double fraction) {
  std::array<double, 3> numbers = experience.findings(fraction).numbers();
  check(PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE,
                       MPI_MAX, communicator.comm));
  const policy::Facts facts{matter.operation, bytes, communicator.size, communicator.network};
  experience.review({matter.in_force.settings, matter.plan, facts, matter.type},
                    policy::Findings::of(numbers));
}

}  // namespace

Judgement judge(const Matter& matter, MPI_Comm user,
                const std::function<double(Communicator&)>& fraction) {
  runtime::count_rule(matter.in_force);
  if (matter.plan.tier == policy::Tier::raw) return {};
  Communicator& communicator = communicator_of(user);
  if (!communicator.usable()) return {};
  if (!is_adaptive(communicator, matter.in_force.settings.mode)) return {&communicator, nullptr, 1};
  const std::size_t bytes = std::bit_floor(matter.bytes);
  policy::Experience& experience = communicator.experiences[{
      matter.operation, matter.kind, std::bit_width(bytes), matter.in_force.hash}];
  if (experience.review_due()) {
    review(communicator, experience, matter, bytes, fraction(communicator));
  }
  const double scale = static_cast<double>(bytes) / static_cast<double>(matter.bytes);
  return {experience.compress() ? &communicator : nullptr, &experience, scale};
}

UnevenJudgement judge_uneven(policy::Operation operation, MPI_Comm user) {
  if (runtime::agreed_guide_of(user).all_raw()) return {};
  Communicator& communicator = communicator_of(user);
  if (!communicator.usable()) return {};
  if (!is_adaptive(communicator, runtime::current().settings.mode)) return {&communicator, nullptr};
  policy::Rest& rest = communicator.rests[operation];
  if (rest.review_due()) {
    int gained = rest.has_gained() ? 1 : 0;
    check(PMPI_Allreduce(MPI_IN_PLACE, &gained, 1, MPI_INT, MPI_MAX, communicator.comm));
    rest.review(gained != 0);
  }
  return {rest.begin_call() ? &communicator : nullptr, &rest};
}

}  // namespace tightwire::collective
