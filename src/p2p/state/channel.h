// The private communicator of all processes, for what follows a frame: never matched by a receive
// of the program.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mpi/error.h"

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
  // Of what lengths on the wire mean.
  static constexpr int length_tag = 2;
  // For all that follows one frame. Tags come again, but long after.
  [[nodiscard]] std::uint32_t next_tag() { return 3 + (tags_++ % (largest_tag_ - 3)); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::uint32_t largest_tag_ = 32767;
  std::atomic<std::uint32_t> tags_{0};
};

[[nodiscard]] Channel& channel();

// Hands every message of `size` bytes that has come with a tag to take(from, bytes). Throws
// MpiError.
template <std::size_t size, class Take>
void take_all(int tag, Take&& take) {
  for (;;) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    mpi::check(PMPI_Improbe(MPI_ANY_SOURCE, tag, channel().comm(), &found, &message, &status));
    if (found == 0) return;
    std::array<std::byte, size> bytes{};
    mpi::check(
        PMPI_Mrecv(bytes.data(), static_cast<int>(size), MPI_BYTE, &message, MPI_STATUS_IGNORE));
    take(status.MPI_SOURCE, std::span<const std::byte>(bytes));
  }
}

}  // namespace tightwire::p2p
