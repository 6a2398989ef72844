// The private communicator of all processes, for what follows a frame: never matched by a receive
// of the program.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

namespace tightwire::p2p {

// Thread safe but for open() and close().
class Channel {
 public:
  // Collective over the private world. False, on all ranks, where MPI has no communicator left.
  // Throws MpiError.
  [[nodiscard]] bool open();
  void close();

  // Ranks are those of MPI_COMM_WORLD.
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  // MPI_TAG_UB.
  [[nodiscard]] std::uint32_t largest_tag() const { return largest_tag_; }
  // Of what processes tell each other of earlier messages.
  static constexpr int answer_tag = 0;
  // Of what receivers tell of how long messages took.
  static constexpr int report_tag = 1;
  // For all that follows one frame. Tags come again, but long after.
  [[nodiscard]] std::uint32_t next_tag() { return 2 + (tags_++ % (largest_tag_ - 2)); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::uint32_t largest_tag_ = 32767;
  std::atomic<std::uint32_t> tags_{0};
};

[[nodiscard]] Channel& channel();

}  // namespace tightwire::p2p
