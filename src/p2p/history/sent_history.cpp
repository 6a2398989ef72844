#include "p2p/history/sent_history.h"

#include <array>

namespace tightwire::p2p {

SentHistory::~SentHistory() {
  MessageHistory* history = message_history();
  if ((open_ || sent_) && history != nullptr) history->abandon(key_, bytes_, outlook_);
}

void SentHistory::look(const MessageHistory::Key& key, std::size_t bytes,
                       const codec::Parameters& parameters, const MessageHistory::Read& read) {
  MessageHistory* history = message_history();
  if (history == nullptr) return;
  key_ = key;
  bytes_ = bytes;
  const auto outlook = history->look(key, bytes, parameters, read);
  open_ = outlook.has_value();
  if (open_) outlook_ = *outlook;
}

codec::ReferenceParts SentHistory::references(std::size_t begin, std::size_t count) const {
  std::array<std::span<const std::byte>, codec::most_references> whole;
  for (std::size_t k = 0; k < used_; ++k) whole[k] = outlook_.references[k]->bytes();
  return {std::span(whole).first(used_),
          [&](std::span<const std::byte> one) { return one.subspan(begin, count); }};
}

wire::HistoryBlock SentHistory::send(std::span<const std::byte> values) {
  const wire::HistoryBlock block = message_history()->send(key_, values, outlook_, used_);
  open_ = false;
  sent_ = true;
  return block;
}

void SentHistory::pass(std::span<const std::byte> values) {
  open_ = false;
  message_history()->pass(key_, values, outlook_);
}

}  // namespace tightwire::p2p
