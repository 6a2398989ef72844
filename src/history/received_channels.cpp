#include "history/received_channels.h"

namespace tightwire::history {

using Kind = wire::HistoryAnswer::Kind;

std::optional<FoundReferences> ReceivedChannels::references(int sender,
                                                            const wire::HistoryBlock& block,
                                                            std::size_t bytes) const {
  FoundReferences found;
  if (block.references == 0) return found;
  const auto channel = channels_.find({sender, block.channel});
  if (channel == channels_.end()) return std::nullopt;
  std::array<std::uint64_t, codec::most_references> hashes{};
  std::uint64_t number = block.number;
  for (; found.size < block.references; ++found.size) {
    number -= block.spacing;
    const auto message = channel->second.messages.find(number);
    if (message == channel->second.messages.end()) return std::nullopt;
    const std::shared_ptr<Copy>& copy = message->second;
    if (copy->bytes().size() != bytes) return std::nullopt;
    hashes[found.size] = copy->hash();
    found.copies[found.size] = copy;
  }
  const auto used = std::span(hashes).first(found.size);
  return wire::combined_hash(used) == block.checksum ? std::optional(found) : std::nullopt;
}

bool ReceivedChannels::is_repeated(int sender, const wire::HistoryBlock& block) const {
  const auto channel = channels_.find({sender, block.channel});
  if (channel == channels_.end() || channel->second.messages.empty()) return false;
  return channel->second.messages.rbegin()->first >= block.number;
}

std::shared_ptr<Copy> ReceivedChannels::Channel::drop_older_than(std::uint64_t oldest) {
  std::shared_ptr<Copy> dropped;
  while (!messages.empty() && messages.begin()->first < oldest) {
    dropped = std::move(messages.begin()->second);
    messages.erase(messages.begin());
  }
  return dropped;
}

wire::HistoryAnswer ReceivedChannels::keep(int sender, const wire::HistoryBlock& block,
                                           std::span<const std::byte> message) {
  Channel& channel = channels_[{sender, block.channel}];
  std::shared_ptr<Copy> copy = Copy::of(message, *budget_, channel.drop_older_than(block.oldest));
  if (!copy) return {Kind::no_room, block.channel, block.number, 0};
  const std::uint64_t hash = copy->hash();
  channel.messages.insert_or_assign(block.number, std::move(copy));
  return {Kind::kept, block.channel, block.number, hash};
}

}  // namespace tightwire::history
