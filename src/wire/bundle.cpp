#include "wire/bundle.h"

#include <algorithm>

#include "wire/fields.h"

namespace tightwire::wire {

void BundleWriter::add(std::span<const std::byte> frame) {
  put(message_, added_ * bundled_frame_header, static_cast<std::uint32_t>(frame.size()));
  std::ranges::copy(frame, message_.subspan(end_).begin());
  ++added_;
  end_ += frame.size();
}

bool find_bundled(std::span<const std::byte> message,
                  std::span<std::span<const std::byte>> frames) {
  const std::size_t sizes = bundle_size(frames.size(), 0);
  if (message.size() < sizes) return false;
  std::span<const std::byte> left = message.subspan(sizes);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t size = get<std::uint32_t>(message, i * bundled_frame_header);
    if (size > left.size()) return false;
    frames[i] = left.first(size);
    left = left.subspan(size);
  }
  return left.empty();
}

}  // namespace tightwire::wire
