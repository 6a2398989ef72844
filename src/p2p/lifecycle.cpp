#include "p2p/lifecycle.h"

#include "mpi/datatype/datatype_cache.h"
#include "mpi/history/message_history.h"
#include "mpi/progress/persistent_operation.h"
#include "p2p/completion/unmatched_receives.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/history/answer_way.h"
#include "p2p/request/persistent_collective.h"
#include "p2p/request/request_table.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/sequence_numbers.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {

void start() {
  if (!set_frame_rules()) return;
  const runtime::Runtime& runtime = runtime::current();
  if (!channel().open()) {
    if (runtime.rank == 0) {
      runtime::log(
          "MPI has no communicator left for messages between two ranks: they stay as they are");
    }
    return;
  }
  sequence_numbers().set_size(static_cast<std::size_t>(runtime.ranks));
  message_pool().limit(runtime.settings.memory_limit.value);
  mpi::open_message_history(std::make_unique<PrivateAnswerWay>());
  open_transfer_feedback();
  mpi::open_datatype_cache();
  mpi::set_keeper(&keep_collective);
  detail::is_active.store(true, std::memory_order_release);
}

void finish() {
  if (!active()) return;
  mpi::set_keeper(nullptr);
  if (mpi::message_history() != nullptr) mpi::message_history()->fall_silent();
  if (transfer_feedback() != nullptr) transfer_feedback()->fall_silent();
  request_table().drain();
  deferred_sends().drain([] {
    request_table().reap();
    return request_table().any_abandoned();  // receives
  });
  detail::is_active.store(false, std::memory_order_release);
  mpi::close_datatype_cache();
  unmatched_receives().cancel();
  mpi::close_message_history();
  close_transfer_feedback();
  channel().close();
}

}  // namespace tightwire::p2p
