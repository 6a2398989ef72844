#include "mpi/history/sent_history.h"

#include <array>

namespace tightwire::mpi {

SentHistory::~SentHistory() {
  MessageHistory* history = message_history();
  if ((open_ || sent_) && history != nullptr) history->abandon(key_, bytes_, offered_);
}

bool SentHistory::wants(const MessageHistory::Key& key, MessageHistory::Receivers receivers,
                        std::size_t bytes) {
  MessageHistory* history = message_history();
  key_ = key;
  bytes_ = bytes;
  wanted_ = history != nullptr && history->wants(key, receivers, bytes);
  return *wanted_;
}

void SentHistory::look(const MessageHistory::Key& key, MessageHistory::Receivers receivers,
                       std::size_t bytes, const codec::Parameters& parameters,
                       const MessageHistory::Read& read) {
  if (!wanted_) static_cast<void>(wants(key, receivers, bytes));
  if (!*wanted_) return;
  const auto offered = message_history()->look(key, bytes, parameters, read);
  open_ = offered.has_value();
  if (open_) offered_ = *offered;
}

codec::ReferenceParts SentHistory::references(std::size_t begin, std::size_t count) const {
  std::array<std::span<const std::byte>, codec::most_references> whole;
  for (std::size_t k = 0; k < used_; ++k) whole[k] = offered_.references[k]->bytes();
  return {std::span(whole).first(used_),
          [&](std::span<const std::byte> one) { return one.subspan(begin, count); }};
}

double SentHistory::coded_ratio(double ratio) const {
  constexpr double hoped_for = 1.25;
  return ratio * (offered_.coded_gain == 0 ? hoped_for : offered_.coded_gain);
}

void SentHistory::coded(std::size_t bytes, std::size_t encoded) {
  const double ratio = static_cast<double>(bytes) / static_cast<double>(encoded);
  message_history()->coded(key_, bytes_, ratio / offered_.ratio);
}

wire::HistoryBlock SentHistory::send(std::span<const std::byte> values) {
  const wire::HistoryBlock block = message_history()->send(key_, values, offered_, used_);
  open_ = false;
  sent_ = true;
  return block;
}

wire::HistoryBlock SentHistory::announce() {
  const wire::HistoryBlock block = message_history()->announce(key_, bytes_, offered_, used_);
  open_ = false;
  sent_ = true;
  return block;
}

void SentHistory::keep(std::span<const std::byte> values) {
  message_history()->keep_sent(key_, values, offered_);
}

void SentHistory::pass(std::span<const std::byte> values) {
  open_ = false;
  message_history()->pass(key_, values, offered_);
}

}  // namespace tightwire::mpi
