#include "p2p/completion/catch_up.h"

#include "mpi/history/message_history.h"
#include "mpi/where_memory_allows.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/state/deferred_sends.h"

namespace tightwire::p2p {

void make_up_for_what_was_put_off() {
  nothing_is_put_off();
  mpi::where_possible([] {
    deferred_sends().reap();
    if (transfer_feedback() != nullptr) transfer_feedback()->take_reports();
    if (mpi::MessageHistory* history = mpi::message_history()) history->take_answers();
  });
}

}  // namespace tightwire::p2p
