// Whose turn it is among messages in chunks that come from one rank at once. Their sender posts all
// chunks of one before those of the next.
#pragma once

#include <cstdint>
#include <memory>

namespace tightwire::p2p {

// Of one message, from its first frame on until it is destroyed. Thread safe among each other.
class Turn {
 public:
  explicit Turn(int world_rank);  // of the sender
  ~Turn();
  Turn(Turn&&) = default;
  Turn& operator=(Turn&&) = delete;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // The first message's that is here. Any other's as well if nobody has asked for the first one
  // since this one last did: a program may wait for the second one alone.
  [[nodiscard]] bool has_come();

 private:
  struct Place {
    int world_rank;
    std::uint64_t asked = 0;       // how often
    std::uint64_t seen = 0;        // `asked` of the first one then
    const Place* first = nullptr;  // which one that was
  };
  struct Places;
  static Places& places();

  std::shared_ptr<Place> own_;  // none: moved from
};

}  // namespace tightwire::p2p
