// Several frames in one message, where each alone would be small beside what a message takes.
//
//   for each frame, 4 bytes: its size
//   the frames, one after another
//
// How many there are both ends know. Sizes in bytes. No MPI, no allocation, no exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tightwire::wire {

// What each frame takes in front.
inline constexpr std::size_t bundled_frame_header = sizeof(std::uint32_t);

// Of a message with `frames` frames of `bytes` in all.
[[nodiscard]] constexpr std::size_t bundle_size(std::size_t frames, std::size_t bytes) {
  return frames * bundled_frame_header + bytes;
}

// Writes a message frame by frame. There has to be room for all.
class BundleWriter {
 public:
  BundleWriter(std::span<std::byte> message, std::size_t frames)
      : message_(message), end_(bundle_size(frames, 0)) {}

  void add(std::span<const std::byte> frame);
  // Of the message so far.
  [[nodiscard]] std::size_t size() const { return end_; }

 private:
  std::span<std::byte> message_;
  std::size_t added_ = 0;
  std::size_t end_;
};

// Finds as many frames in a message as `frames` has room for. False if their sizes are not those of
// a message of that length; then `frames` tells nothing.
[[nodiscard]] bool find_bundled(std::span<const std::byte> message,
                                std::span<std::span<const std::byte>> frames);

}  // namespace tightwire::wire
