#include "collective/operation/persistent_call.h"

#include "collective/transfer/background.h"

namespace tightwire::collective {

// What values are like is looked up once: they are of the same buffer at each start.
void PersistentCall::start() {
  if (!has_looked_) prepared_->look_at_values();
  has_looked_ = true;
  started_ = std::make_shared<StartedCall>(prepared_);
  background().begin(started_, prepared_->communicator());
}

bool PersistentCall::progress(Waiting waiting) {
  waiting == Waiting::yes ? background().finish(*started_) : background().advance();
  return started_->is_over();
}

mpi::Outcome PersistentCall::outcome() {
  mpi::Outcome outcome;
  set_empty(&outcome.status);
  outcome.code = started_->raise();
  return outcome;
}

}  // namespace tightwire::collective
