// Lengths on the wire of which this process has told others what they mean, and the other way round
// (wire/lengths/frame_length.h).
//
// What a length means never changes between two processes, so that messages and announcements may
// overtake each other: a probe that meets a length before it has heard of it finds no message yet.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace tightwire::p2p {

// Processes are named by their ranks in MPI_COMM_WORLD. Thread safe. Throws MpiError,
// std::bad_alloc.
class AnnouncedLengths {
 public:
  // The length that a message of `bytes`, at least as many as the shortest frame has, gets on its
  // way to `receiver`: its own if that can be announced, else a shorter one. The receiver is told
  // if it does not know. Nothing where all near it have other meanings.
  [[nodiscard]] std::optional<std::size_t> length_of(std::size_t bytes, int receiver);

  // The length that a frame of at least `least` bytes gets, which stands for `bytes`, of which
  // there are more. Few frames of messages of so many bytes get different ones.
  [[nodiscard]] std::optional<std::size_t> length_from(std::size_t least, std::size_t bytes,
                                                       int receiver);

  // What `length` means in messages of `sender`, once that has been heard.
  [[nodiscard]] std::optional<std::size_t> meaning_of(std::size_t length, int sender);

 private:
  using Key = std::pair<int, std::size_t>;  // a process, a length on the wire

  // Whether it does, from now on if it stood for nothing.
  [[nodiscard]] bool stands_for(std::size_t length, std::size_t bytes, int receiver);
  void announce(std::size_t length, std::size_t bytes, int receiver);
  void take_announcements();

  std::mutex mutex_;
  std::map<Key, std::size_t> told_;
  std::map<Key, std::size_t> heard_;
};

[[nodiscard]] AnnouncedLengths& announced_lengths();

}  // namespace tightwire::p2p
