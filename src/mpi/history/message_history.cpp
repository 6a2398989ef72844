#include "mpi/history/message_history.h"

#include <algorithm>

#include "history/host_memory.h"
#include "mpi/where_memory_allows.h"
#include "runtime/remembers.h"
#include "runtime/report/phase.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

// A receiver may keep in vain what its sender has given up for so long.
constexpr unsigned looks_between_forgetting = 64;
constexpr unsigned looks_for_forgotten = 64;

// Threads of the program may outlive static destruction.
std::unique_ptr<MessageHistory>& of_process() {
  static auto* const history = new std::unique_ptr<MessageHistory>;
  return *history;
}

std::size_t usual_memory() {
  const runtime::Runtime& runtime = runtime::current();
  return history::usual_memory(runtime.nodes.ranks_of(runtime.nodes.node_of(runtime.rank)));
}

}  // namespace

MessageHistory* message_history() {
  return of_process().get();
}

void open_message_history(std::unique_ptr<AnswerWay> way) {
  const settings::Threshold wish = runtime::current().settings.history_memory;
  if (wish.value == 0 || !runtime::any_call_remembers(runtime::current())) return;
  const std::size_t memory = wish.value_or(usual_memory());
  of_process() = std::make_unique<MessageHistory>(memory, std::move(way));
}

void close_message_history() {
  if (message_history() == nullptr) return;
  runtime::current().statistics.count_kept(message_history()->most_held());
  of_process().reset();
}

void MessageHistory::tell(int world_rank, const wire::HistoryAnswer& answer) {
  if (silent_.load(std::memory_order_relaxed)) return;
  const runtime::OutsideOfPhases mpi;
  way_->send(world_rank, wire::write_answer(answer));
}

void MessageHistory::take_answers() {
  if (awaits_answers()) look_for_answers();
}

void MessageHistory::look_for_answers() {
  const runtime::OutsideOfPhases mpi;
  way_->take_all([this](int from, std::span<const std::byte> bytes) { take_answer(from, bytes); });
}

// Where nothing is due a look is in vain, and Open MPI may hand the core on in it. Of what others
// have given up nothing is due, but it holds memory.
bool MessageHistory::awaits_answers() {
  if (answers_due_.load(std::memory_order_relaxed) > 0) return true;
  return ++looks_in_vain_ % looks_for_forgotten == 0;
}

// A damaged one is as good as none: what was not said to be kept is not referred to.
void MessageHistory::take_answer(int from, std::span<const std::byte> bytes) {
  const auto answer = wire::read_answer(bytes);
  if (!answer) return;
  const std::scoped_lock lock(mutex_);
  if (answer->kind == wire::HistoryAnswer::Kind::forget) {
    received_.forget(from, answer->channel);
  } else if (sent_.answered(*answer)) {
    --answers_due_;
  }
}

void MessageHistory::note_held() {
  most_held_ = std::max(most_held_, sent_memory_.held() + received_memory_.held());
}

std::vector<history::SentChannels::Forgotten> MessageHistory::to_be_forgotten() {
  const std::scoped_lock lock(mutex_);
  if (++looks_ % looks_between_forgetting != 0) return {};
  return sent_.to_be_forgotten();
}

void MessageHistory::let_forget() {
  for (const auto& [receivers, channel] : to_be_forgotten()) {
    for (const int receiver : receivers) {
      tell(receiver, {wire::HistoryAnswer::Kind::forget, channel, 0, 0});
    }
  }
}

history::SentChannel* MessageHistory::channel_to_look_at(const Key& key, std::size_t bytes,
                                                         Receivers receivers) {
  history::SentChannel* channel = sent_.channel(key, bytes, receivers);
  return channel == nullptr || channel->skips() ? nullptr : channel;
}

bool MessageHistory::wants(const Key& key, Receivers receivers, std::size_t bytes) {
  if (awaits_answers() && way_->may_look()) look_for_answers();
  bool wanted = false;
  where_memory_allows([&] {
    let_forget();
    const std::scoped_lock lock(mutex_);
    wanted = channel_to_look_at(key, bytes, receivers) != nullptr;
  });
  return wanted;
}

// Another thread may have had the channel's memory meanwhile.
std::optional<history::OfferedReferences> MessageHistory::look(const Key& key, std::size_t bytes,
                                                               const codec::Parameters& parameters,
                                                               const Read& read) {
  std::optional<history::OfferedReferences> offered;
  where_memory_allows([&] {
    const std::scoped_lock lock(mutex_);
    history::SentChannel* const channel = sent_.find(key, bytes);
    if (channel != nullptr) offered = channel->look(key.type, read(), parameters);
  });
  return offered;
}

// The receiver may keep what is not kept here: then it is not referred to.
wire::HistoryBlock MessageHistory::send(const Key& key, std::span<const std::byte> values,
                                        const history::OfferedReferences& offered,
                                        std::uint8_t used) {
  const wire::HistoryBlock block = announce(key, values.size(), offered, used);
  keep_sent(key, values, offered);
  return block;
}

wire::HistoryBlock MessageHistory::announce(const Key& key, std::size_t bytes,
                                            const history::OfferedReferences& offered,
                                            std::uint8_t used) {
  const std::scoped_lock lock(mutex_);
  history::SentChannel& channel = *sent_.find(key, bytes);
  const wire::HistoryBlock block = channel.announce(offered, used);
  answers_due_ += channel.receivers();
  sent_.learn(key, channel, used > 0);
  return block;
}

void MessageHistory::keep_sent(const Key& key, std::span<const std::byte> values,
                               const history::OfferedReferences& offered) {
  const std::scoped_lock lock(mutex_);
  if (history::SentChannel* channel = sent_.find(key, values.size())) {
    where_memory_allows([&] { channel->keep(values, offered); });
    note_held();
  }
}

void MessageHistory::pass(const Key& key, std::span<const std::byte> values,
                          const history::OfferedReferences& offered) {
  const std::scoped_lock lock(mutex_);
  if (history::SentChannel* channel = sent_.find(key, values.size())) {
    where_memory_allows([&] { channel->pass(values, offered); });
    note_held();
  }
}

void MessageHistory::coded(const Key& key, std::size_t bytes, double gain) {
  const std::scoped_lock lock(mutex_);
  if (history::SentChannel* channel = sent_.find(key, bytes)) channel->coded(gain);
}

void MessageHistory::abandon(const Key& key, std::size_t bytes,
                             const history::OfferedReferences& offered) {
  const std::scoped_lock lock(mutex_);
  if (history::SentChannel* channel = sent_.find(key, bytes)) {
    answers_due_ -= channel->abandon(offered);
  }
}

std::optional<history::FoundReferences> MessageHistory::references(int sender,
                                                                   const wire::HistoryBlock& block,
                                                                   std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  return received_.references(sender, block, bytes);
}

bool MessageHistory::is_repeated(int sender, const wire::HistoryBlock& block) {
  const std::scoped_lock lock(mutex_);
  return received_.is_repeated(sender, block);
}

// The message itself is in its place, and a sender that is not answered begins anew after a while.
void MessageHistory::keep(int sender, const wire::HistoryBlock& block,
                          std::span<const std::byte> message) {
  where_memory_allows([&] {
    take_answers();
    tell(sender, kept(sender, block, message));
  });
}

wire::HistoryAnswer MessageHistory::kept(int sender, const wire::HistoryBlock& block,
                                         std::span<const std::byte> message) {
  wire::HistoryAnswer answer{wire::HistoryAnswer::Kind::no_room, block.channel, block.number, 0};
  const std::scoped_lock lock(mutex_);
  where_memory_allows([&] { answer = received_.keep(sender, block, message); });
  note_held();
  return answer;
}

void MessageHistory::leave(int sender, const wire::HistoryBlock& block) {
  where_memory_allows([&] {
    tell(sender, {wire::HistoryAnswer::Kind::not_kept, block.channel, block.number, 0});
  });
}

}  // namespace tightwire::mpi
