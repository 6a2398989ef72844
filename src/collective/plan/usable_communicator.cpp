#include "collective/plan/usable_communicator.h"

#include "collective/transfer/background.h"
#include "mpi/device/collectives.h"
#include "mpi/progress/persistent_operation.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

UsableCommunicator if_usable(mpi::Communicator& communicator) {
  if (!communicator.usable()) return {nullptr, policy::Reason::same_host};
  return {&communicator, policy::Reason::none};
}

// Where nothing can be left to go on, or its ranks would have to agree on something, there are
// none.
UsableCommunicator usable_at_once(const mpi::Participants& participants) {
  if (!may_start() || mpi::collectives_are_left_to_mpi()) return {};
  return if_usable(*mpi::communicator_at_once(participants));
}

// Of a persistent request, in the call that makes it.
UsableCommunicator usable_for_starts(const mpi::Participants& participants) {
  if (!may_start() || !mpi::may_keep_persistent() || mpi::collectives_are_left_to_mpi()) return {};
  return if_usable(mpi::communicator_of(participants));
}

// Between two groups tags are agreed on in calls that wait, of which those that return at once can
// make use. But an MPI may count an MPI_Ibcast on a rank that passes MPI_PROC_NULL, too, and that
// does not know how large the message is.
bool may_go_between(const CalledOn& on) {
  if (on.calling == Calling::waits) return true;
  return on.calling == Calling::returns_at_once &&
         on.participants.who == mpi::Participants::Who::both_groups &&
         mpi::known_communicator(on.comm()) != nullptr;
}

UsableCommunicator usable_in_a_call_that_waits(const CalledOn& on) {
  finish_started(on.comm());
  const UsableCommunicator found = if_usable(mpi::communicator_of(on.participants));
  const bool is_left = found.communicator != nullptr && mpi::collectives_are_left_to_mpi();
  return is_left ? UsableCommunicator{} : found;
}

}  // namespace

bool may_be_on_devices(const CalledOn& on) {
  return on.calling == Calling::waits && !on.participants.are_between() &&
         runtime::asked_for().settings.device == settings::Device::compress;
}

UsableCommunicator usable_on(const CalledOn& on) {
  if (on.participants.are_between() && !may_go_between(on)) return {};
  if (on.calling == Calling::returns_at_once) return usable_at_once(on.participants);
  if (on.calling == Calling::persistent) return usable_for_starts(on.participants);
  return usable_in_a_call_that_waits(on);
}

bool passes_all(MPI_Comm comm) {
  const bool counts = runtime::current().reporting();
  if (counts || comm == MPI_COMM_NULL || comm == MPI_COMM_SELF) return false;
  const mpi::Communicator* const known = mpi::known_communicator(comm);
  return known != nullptr && !known->usable();
}

}  // namespace tightwire::collective
