// What is fixed at MPI_Init for all messages of a process.
#pragma once

#include <cstddef>

namespace tightwire::p2p {

struct FrameRules {
  // Across the network, messages of at least so many bytes are looked at: by senders for marks of
  // frames, by receivers for frames. Smaller ones are passed through unmodified. The length of the
  // shortest frame: a message of just so many bytes has room for one.
  std::size_t shortest_frame = 0;
  // A message of fewer bytes is never encoded.
  std::size_t shortest_encoded = 0;
  double link_speed = 0;       // bytes per second; 0 where that is no matter
  bool multithreaded = false;  // MPI_THREAD_MULTIPLE
};

namespace detail {
inline FrameRules frame_rules;
}

// Valid while messages may be frames (lifecycle.h).
[[nodiscard]] inline const FrameRules& frame_rules() {
  return detail::frame_rules;
}

// Works the rules out, but for the link speed. False where no message may be a frame. Throws
// MpiError.
[[nodiscard]] bool set_frame_rules();
// Measures the network, where its speed matters and the settings do not tell it. Collective over
// the private communicator; throws MpiError.
void measure_link_speed();

}  // namespace tightwire::p2p
