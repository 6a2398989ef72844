// What a receiver keeps of the messages that came, as their senders wish.
//
// A sender refers only to what it has been told is kept, and a message is kept until the sender has
// said that it is not needed any more: nothing is dropped here for want of memory.
//
// Not thread safe, but for the budget.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "codec/codec.h"
#include "history/copy.h"
#include "wire/history.h"

namespace tightwire::history {

// What a message is predicted from, the nearest first.
struct FoundReferences {
  std::array<SharedCopy, codec::most_references> copies;
  std::size_t size = 0;
};

class ReceivedChannels {
 public:
  explicit ReceivedChannels(Budget& budget) : budget_(&budget) {}

  // What a message of `bytes` is predicted from; nothing where that is not here, or something else
  // is.
  [[nodiscard]] std::optional<FoundReferences> references(int sender,
                                                          const wire::HistoryBlock& block,
                                                          std::size_t bytes) const;
  // This message is kept, or one of a higher number.
  [[nodiscard]] bool is_repeated(int sender, const wire::HistoryBlock& block) const;
  // The message is in its place: keeps it, and drops what its sender does not need any more.
  // Returns what to tell the sender.
  [[nodiscard]] wire::HistoryAnswer keep(int sender, const wire::HistoryBlock& block,
                                         std::span<const std::byte> message);
  void forget(int sender, std::uint32_t channel) { channels_.erase({sender, channel}); }

 private:
  struct Channel {
    std::map<std::uint64_t, std::shared_ptr<Copy>> messages;  // by number
    // Drops what is older; what may be used again.
    [[nodiscard]] std::shared_ptr<Copy> drop_older_than(std::uint64_t oldest);
  };

  Budget* budget_;
  std::map<std::pair<int, std::uint32_t>, Channel> channels_;
};

}  // namespace tightwire::history
