#include "collective/history/frames_on_device.h"

#include <algorithm>

#include "mpi/device/pinned_work.h"
#include "mpi/error.h"
#include "runtime/device_traffic.h"
#include "wire/frame.h"

namespace tightwire::collective {
namespace {

std::size_t room_for(codec::ElementType type, std::size_t bytes) {
  return mpi::coder::max_encoded_size(type, bytes / codec::element_size(type));
}

}  // namespace

std::size_t frame_made_there(const ValuesOnDevice& values, std::span<const std::byte> image,
                             const codec::Encoding& encoding, std::uint32_t sequence,
                             std::span<std::byte> frame) {
  const codec::Id codec = codec::Id::bounded_device;
  std::size_t size = 0;
  const auto make = [&](std::span<std::byte> pinned) {
    const auto there = values.buffer->values_at(encoding.type, image);
    const std::size_t made =
        mpi::coder::encode(there, encoding.parameters.error_bound, values.range, pinned);
    if (made >= image.size()) return;
    size = wire::pack_encoded(codec, codec, encoding.type, image.size(), pinned.first(made),
                              sequence, frame);
    runtime::device_traffic().encoded += image.size();
  };
  return mpi::done_on_device(*values.buffer, room_for(encoding.type, image.size()), make) ? size
                                                                                          : 0;
}

std::optional<wire::Unpacked> frame_read_there(const mpi::CodedBuffer& buffer,
                                               std::span<const std::byte> frame,
                                               std::uint32_t sequence, std::span<std::byte> image) {
  const wire::Opened opened = wire::open(frame, {std::nullopt, image.size(), sequence});
  const bool is_for_devices = !opened.problem && opened.codec == codec::Id::bounded_device &&
                              codec::is_floating_point(opened.type) &&
                              image.size() % codec::element_size(opened.type) == 0 &&
                              buffer.is_aligned_to(opened.type);
  if (!is_for_devices) return std::nullopt;
  const auto read = [&](std::span<std::byte> pinned) {
    std::ranges::copy(opened.payload, pinned.begin());
    mpi::coder::decode(pinned, buffer.values_at(opened.type, image));
    runtime::device_traffic().decoded += image.size();
  };
  if (!mpi::done_on_device(buffer, opened.payload.size(), read)) return std::nullopt;
  return wire::Unpacked{std::nullopt, opened.origin, opened.tried};
}

wire::Unpacked put_there(const mpi::CodedBuffer& buffer, wire::Unpacked unpacked,
                         std::span<std::byte> image) {
  if (unpacked.problem) return unpacked;
  try {
    buffer.put(image);
  } catch (const mpi::MpiError&) {
    unpacked.problem = wire::Problem::undecodable;
  }
  return unpacked;
}

}  // namespace tightwire::collective
