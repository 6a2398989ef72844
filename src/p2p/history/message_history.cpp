#include "p2p/history/message_history.h"

#include <mpi.h>

#include <algorithm>
#include <memory>

#include "mpi/error.h"
#include "mpi/status.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/process_wide.h"
#include "p2p/state/where_memory_allows.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

// A receiver may keep in vain what its sender has given up for so long.
constexpr unsigned looks_between_forgetting = 64;

}  // namespace

MessageHistory* message_history() {
  return process_wide<std::unique_ptr<MessageHistory>>().get();
}

void open_message_history() {
  const settings::Settings& settings = runtime::current().settings;
  if (settings.history == settings::History::off || settings.history_memory.value == 0) return;
  process_wide<std::unique_ptr<MessageHistory>>() =
      std::make_unique<MessageHistory>(settings.history_memory.value);
}

void close_message_history() {
  if (message_history() == nullptr) return;
  runtime::current().statistics.count_kept(message_history()->most_held());
  process_wide<std::unique_ptr<MessageHistory>>().reset();
}

// MPI_Finalize waits until they are received: none may be left in MPI.
void MessageHistory::tell(int world_rank, const wire::HistoryAnswer& answer) const {
  if (silent_.load(std::memory_order_relaxed)) return;
  deferred_sends().post(wire::write_answer(answer), world_rank, Channel::answer_tag,
                        DeferredSends::Ends::when_received);
}

void MessageHistory::take_answers() {
  take_all<wire::answer_size>(
      Channel::answer_tag,
      [this](int from, std::span<const std::byte> bytes) { take_answer(from, bytes); });
}

// A damaged one is as good as none: what was not said to be kept is not referred to.
void MessageHistory::take_answer(int from, std::span<const std::byte> bytes) {
  const auto answer = wire::read_answer(bytes);
  if (!answer) return;
  if (answer->kind == wire::HistoryAnswer::Kind::forget) {
    received_.forget(from, answer->channel);
  } else {
    sent_.answered(*answer);
  }
}

void MessageHistory::note_held() {
  most_held_ = std::max(most_held_, sent_memory_.held() + received_memory_.held());
}

void MessageHistory::let_forget() {
  if (++looks_ % looks_between_forgetting != 0) return;
  for (const auto& [receiver, channel] : sent_.to_be_forgotten()) {
    tell(receiver, {wire::HistoryAnswer::Kind::forget, channel, 0, 0});
  }
}

std::optional<history::Outlook> MessageHistory::look(const Key& key, std::size_t bytes,
                                                     const codec::Parameters& parameters,
                                                     const Read& read) {
  const std::scoped_lock lock(mutex_);
  take_answers();
  let_forget();
  history::SentChannel* channel = sent_.channel(key, bytes);
  if (channel == nullptr || channel->skips()) return std::nullopt;
  return channel->look(key.type, read(), parameters);
}

wire::HistoryBlock MessageHistory::send(const Key& key, std::span<const std::byte> values,
                                        const history::Outlook& outlook, std::uint8_t used) {
  const std::scoped_lock lock(mutex_);
  history::SentChannel& channel = *sent_.find(key, values.size());
  const wire::HistoryBlock block = channel.send(values, outlook, used);
  sent_.learn(key, channel, used > 0);
  note_held();
  return block;
}

void MessageHistory::pass(const Key& key, std::span<const std::byte> values,
                          const history::Outlook& outlook) {
  const std::scoped_lock lock(mutex_);
  if (history::SentChannel* channel = sent_.find(key, values.size())) {
    channel->pass(values, outlook);
    note_held();
  }
}

void MessageHistory::abandon(const Key& key, std::size_t bytes, const history::Outlook& outlook) {
  const std::scoped_lock lock(mutex_);
  if (history::SentChannel* channel = sent_.find(key, bytes)) channel->abandon(outlook);
}

std::optional<history::FoundReferences> MessageHistory::references(int sender,
                                                                   const wire::HistoryBlock& block,
                                                                   std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  return received_.references(sender, block, bytes);
}

// The message itself is in its place, and a sender that is not answered begins anew after a while.
void MessageHistory::keep(int sender, const wire::HistoryBlock& block,
                          std::span<const std::byte> message) {
  const std::scoped_lock lock(mutex_);
  where_memory_allows([&] {
    take_answers();
    tell(sender, received_.keep(sender, block, message));
    note_held();
  });
}

void MessageHistory::leave(int sender, const wire::HistoryBlock& block) {
  where_memory_allows([&] {
    tell(sender, {wire::HistoryAnswer::Kind::not_kept, block.channel, block.number, 0});
  });
}

}  // namespace tightwire::p2p
