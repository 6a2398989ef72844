// Who wants to know what the codecs do: a simulation, which charges its own time for it. Costs a
// load where nobody does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/codec.h"

namespace tightwire::codec {

enum class Work : std::uint8_t {
  encode,        // values to a frame
  decode,        // a frame to values
  merge,         // a frame and values to a frame
  combine,       // two frames to a frame
  complete,      // a frame and values to values, and to a frame where one is wanted
  encode_coded,  // values to a frame, by Parameters::second_stage too
  decode_coded,  // a frame that the second stage made
  encode_alone,  // values to a frame that will not be summed, so on a grid of their own
};
inline constexpr std::size_t work_count = 8;

struct WorkDone {
  Work work{};
  std::size_t value_bytes = 0;  // of the values that the frame stands for
  std::size_t moved_bytes = 0;  // of frames, that come from the network or go there
};

using WorkObserver = void (*)(const WorkDone&);

// Told after each piece of work, by the thread that did it; nullptr: nobody. It must not throw. Set
// while no codec is at work.
inline WorkObserver work_observer = nullptr;

inline void note_work(Work work, std::size_t value_bytes, std::size_t moved_bytes = 0) {
  if (work_observer != nullptr) work_observer({work, value_bytes, moved_bytes});
}

// The second stage is at work also where what it makes is no shorter, and is dropped.
[[nodiscard]] constexpr Work work_of_encoding(const Parameters& parameters) {
  if (parameters.second_stage != SecondStage::none) return Work::encode_coded;
  return parameters.alone && parameters.terms == 1 ? Work::encode_alone : Work::encode;
}

// By the header of what `codec` has made.
[[nodiscard]] Work work_of_decoding(Id codec, std::span<const std::byte> encoded);

// As note_work(), of the work of decoding.
inline void note_decoding(Id codec, std::span<const std::byte> encoded, std::size_t value_bytes) {
  if (work_observer == nullptr) return;
  note_work(work_of_decoding(codec, encoded), value_bytes, encoded.size());
}

}  // namespace tightwire::codec
