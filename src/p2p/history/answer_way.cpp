#include "p2p/history/answer_way.h"

#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/put_off.h"

namespace tightwire::p2p {

void PrivateAnswerWay::send(int to, std::span<const std::byte> bytes) {
  deferred_sends().post(bytes, to, Channel::answer_tag, DeferredSends::Ends::when_received);
}

// MPI may move a started collective on meanwhile, which looks for answers, too.
void PrivateAnswerWay::take_all(const Take& take) {
  if (taking_.test_and_set(std::memory_order_acquire)) return;
  const struct End {
    std::atomic_flag& taking;
    ~End() { taking.clear(std::memory_order_release); }
  } end{taking_};
  paced_([&] { p2p::take_all<wire::answer_size>(Channel::answer_tag, take); });
}

bool PrivateAnswerWay::may_look() {
  return may_ask_mpi();
}

}  // namespace tightwire::p2p
