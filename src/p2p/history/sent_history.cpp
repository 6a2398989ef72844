#include "p2p/history/sent_history.h"

#include <array>

namespace tightwire::p2p {

SentHistory::~SentHistory() {
  if (open_) message_history()->abandon(key_, bytes_, outlook_);
}

void SentHistory::look(const MessageHistory::Key& key, std::span<const std::byte> values,
                       const codec::Parameters& parameters) {
  MessageHistory* history = message_history();
  if (history == nullptr) return;
  key_ = key;
  bytes_ = values.size();
  outlook_ = history->look(key, values, parameters);
  open_ = true;
}

codec::ReferenceParts SentHistory::references(std::size_t begin, std::size_t count) const {
  std::array<std::span<const std::byte>, codec::most_references> whole;
  for (std::size_t k = 0; k < used_; ++k) whole[k] = outlook_.references[k]->bytes();
  return {std::span(whole).first(used_),
          [&](std::span<const std::byte> one) { return one.subspan(begin, count); }};
}

wire::HistoryBlock SentHistory::send(std::span<const std::byte> values) {
  open_ = false;
  return message_history()->send(key_, values, outlook_, used_);
}

void SentHistory::pass(std::span<const std::byte> values) {
  open_ = false;
  message_history()->pass(key_, values, outlook_);
}

}  // namespace tightwire::p2p
