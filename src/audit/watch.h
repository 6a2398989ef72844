// The last messages of a channel, as far as samples look at them: what the next one may be
// predicted from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "codec/codec.h"

namespace tightwire::audit {

// Of messages from one place in a program.
struct Channel {
  int peer = 0;
  int tag = 0;
  std::size_t bytes = 0;

  bool operator==(const Channel&) const = default;
};

// Not thread safe. Throws std::bad_alloc.
class Watch {
 public:
  // `turn`: which part of the messages is looked at.
  Watch(const Channel& channel, std::uint64_t turn) : channel_(channel), turn_(turn) {}

  // Whether a message is one of the channel. Where too many are not, the watch is in vain.
  [[nodiscard]] bool meets(const Channel& channel);
  [[nodiscard]] bool is_in_vain() const { return others_ > most_others; }

  [[nodiscard]] std::uint64_t turn() const { return turn_; }
  // Of so many as a message may be predicted from.
  [[nodiscard]] bool is_full() const { return parts_.size() == codec::most_references; }
  // The oldest one makes room.
  void keep(std::span<const std::byte> part);
  // The nearest in time first; of a part of another size, none.
  [[nodiscard]] std::vector<std::span<const std::byte>> parts(std::size_t size) const;

 private:
  static constexpr unsigned most_others = 256;

  Channel channel_;
  std::uint64_t turn_;
  unsigned others_ = 0;  // since the last of the channel
  std::deque<std::vector<std::byte>> parts_;
};

}  // namespace tightwire::audit
