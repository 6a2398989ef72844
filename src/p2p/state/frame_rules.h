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
  // Where the codec is to suit the network, how fast that is.
  enum class Link {
    no_matter,  // each message is encoded as the settings say
    given,      // link_speed
    watched,    // see transfer_feedback.h
  };
  Link link = Link::no_matter;
  double link_speed = 0;       // bytes per second
  bool multithreaded = false;  // MPI_THREAD_MULTIPLE
};

namespace detail {
inline FrameRules frame_rules;
}

// Valid while messages may be frames (lifecycle.h).
[[nodiscard]] inline const FrameRules& frame_rules() {
  return detail::frame_rules;
}

// Works the rules out. False where no message may be a frame. Throws MpiError.
[[nodiscard]] bool set_frame_rules();

}  // namespace tightwire::p2p
