#include "p2p/feedback/helped.h"

#include <atomic>
#include <optional>

#include "p2p/feedback/transfer_feedback.h"
#include "policy/choose.h"
#include "policy/message.h"
#include "runtime/crew/together.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

// By the settings of the job; rules and hints are the sender's.
bool may_come_in_chunks(std::size_t bytes) {
  const runtime::Runtime& runtime = runtime::current();
  if (runtime.overridable.load(std::memory_order_relaxed)) return true;
  const policy::Plan plan =
      policy::choose(runtime.settings, {policy::Operation::send, bytes, true});
  const auto chunks = policy::message_chunk_range(runtime.settings, plan, bytes);
  return chunks && policy::may_be_helped(*chunks, 0);
}

}  // namespace

Helped helped(int receiver, std::size_t bytes) {
  TransferFeedback* const feedback = transfer_feedback();
  const std::optional<double> told =
      feedback == nullptr ? std::nullopt : feedback->coding_speedup_of(receiver);
  return {runtime::sender_coding_speedup(bytes), runtime::receiver_coding_speedup(told, bytes)};
}

void measure_own_helpers(std::size_t bytes) {
  if (may_come_in_chunks(bytes)) static_cast<void>(runtime::own_coding_speedup(bytes));
}

}  // namespace tightwire::p2p
