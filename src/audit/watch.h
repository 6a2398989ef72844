// The last messages of a channel, as far as samples look at them: what the next one may be
// predicted from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
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

// The watches of an audit, at most one for each kind of call (an address that tells it from
// others); few at once, for each takes some memory. Not thread safe. Throws std::bad_alloc.
class Watches {
 public:
  static constexpr std::size_t most = 8;

  // A message of the kind comes: nullptr where none is watched.
  [[nodiscard]] Watch* at_message(const void* kind);
  // `part` is the first to be kept. Nothing is begun where there are as many as there may be, and
  // the messages of all of them still come.
  void begin(const void* kind, const Watch& watch, std::span<const std::byte> part);
  void end(const void* kind) { watches_.erase(kind); }

 private:
  // Messages of any kind without one of a watch's, after which it makes room for another: the part
  // of the program that it was begun in may be over.
  static constexpr std::uint64_t most_idle = 64;

  struct Begun {
    Watch watch;
    std::uint64_t last_message;
  };

  [[nodiscard]] bool has_room();

  std::map<const void*, Begun> watches_;
  std::uint64_t messages_ = 0;
};

}  // namespace tightwire::audit
