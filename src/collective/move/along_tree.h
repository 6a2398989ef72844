// One of the trees that a Bcast's chunks go along, at one rank: what comes from its parent there
// is kept in slots, handed on to its children, and gives up its slot once it is decoded, too.
//
// Chunks have their numbers in this tree, in the order that they go in.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "collective/transfer/slot.h"
#include "mpi/communicator/communicator.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {

// Frames that are on their way to each child at once: so many, and of small ones so many bytes.
struct UnderWay {
  std::size_t frames;
  std::size_t bytes;
};

class AlongTree {
 public:
  // What goes along it, by a tag of its own, in frames of at most `capacity` bytes. No more of them
  // are under way than `most`.
  struct Course {
    const policy::Tree* tree;
    int tag;
    std::size_t chunks;
    std::size_t slots;
  };
  AlongTree(mpi::Communicator& communicator, const Course& course, std::size_t capacity,
            std::optional<UnderWay> most);

  [[nodiscard]] const policy::Tree& tree() const { return *course_.tree; }
  [[nodiscard]] std::span<std::byte> buffer(std::size_t chunk) { return slot_of(chunk).buffer(); }
  [[nodiscard]] std::size_t& size_of(std::size_t chunk) { return sizes_[chunk % slots_.size()]; }
  [[nodiscard]] std::span<const std::byte> frame(std::size_t chunk) {
    return buffer(chunk).first(size_of(chunk));
  }

  // How many have come, or were encoded.
  [[nodiscard]] std::size_t framed() const { return framed_; }
  // The next one has been encoded, into its slot.
  void encoded() { ++framed_; }
  // Whether the next one has come. Its frame is too large for the slot if size_of() says so.
  [[nodiscard]] bool finds_next();
  // The next ones, into slots of those that are decoded, the first `decoded`, and handed on.
  void receive_where_free(std::size_t decoded);
  // Of those that are here, as many as may be under way; finds what has left.
  void hand_on();
  // Whether what had its slot before has left it.
  [[nodiscard]] bool is_free(std::size_t chunk) const { return chunk < slots_.size() + sent_; }
  [[nodiscard]] bool is_all_sent() const { return sent_ == course_.chunks; }
  // Grows whenever something has come, gone on or left.
  [[nodiscard]] std::size_t moved() const { return framed_ + handed_on_ + sent_; }
  // Lets MPI move data, without waiting.
  void poll();
  // Before a pause of os::SpinThenSleep: what comes or leaves next ends it.
  void ends_pause();

 private:
  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  [[nodiscard]] bool is_enough_under_way();
  void send(std::size_t chunk);
  void look_for_sent();

  Course course_;
  std::optional<UnderWay> most_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> sizes_;  // of frames, by slot
  // How many are received or being received, here in a frame, handed on, and out of their slots.
  std::size_t received_ = 0;
  std::size_t framed_ = 0;
  std::size_t handed_on_ = 0;
  std::size_t sent_ = 0;
};

}  // namespace tightwire::collective
