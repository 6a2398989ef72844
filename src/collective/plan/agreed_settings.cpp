#include "collective/plan/agreed_settings.h"

#include <array>

#include "collective/plan/decision/decide.h"
#include "mpi/communicator/effective_settings.h"
#include "mpi/error.h"

namespace tightwire::collective {

const policy::EffectiveSettings* agreed_settings(policy::CallFacts call, const CalledOn& on) {
  const policy::SettingsResolver* const resolver = resolver_for(on);
  if (resolver == nullptr) return nullptr;
  call.at_place = mpi::rules_at_call_site();
  const policy::EffectiveSettings& own = resolver->of(call);
  if (call.at_place == nullptr || !resolver->depends_on_place(call)) return &own;
  if (!on.may_wait()) return nullptr;
  // There the call goes to MPI whatever holds; between groups, and in another world where nobody
  // may know of this, it would meet no such question.
  if (!mpi::communicator_of(on.participants).usable()) return &own;
  const auto rule = static_cast<int>(own.rule);
  std::array<int, 2> rules{rule, -rule};
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, rules.data(), 2, MPI_INT, MPI_MAX, on.comm()));
  return rules[0] == -rules[1] ? &own : nullptr;
}

}  // namespace tightwire::collective
