// Whose turn it is among messages in chunks that are on their way from one rank. Chunks of one are
// usually sent before those of the next.
#pragma once

#include <cstdint>

namespace tightwire::p2p {

// Of one message of several chunks, from when its first one is here until it is destroyed. Any
// number of threads.
class Turn {
 public:
  explicit Turn(int world_rank);  // of the sender
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // Whether it is the first one of its sender that is here.
  [[nodiscard]] bool is_first() const;
  // The first one's; any other's as well if nobody has asked this for the first one since this one
  // last did: a program may look at the second one alone. To be asked once whenever the program
  // looks at the message.
  [[nodiscard]] bool has_come();

 private:
  struct Turns;
  static Turns& turns();
  [[nodiscard]] const Turn* first() const;

  int world_rank_;
  std::uint64_t asked_ = 0;      // how often
  std::uint64_t seen_ = 0;       // `asked_` of the first one then
  const Turn* first_ = nullptr;  // which one that was
};

}  // namespace tightwire::p2p
