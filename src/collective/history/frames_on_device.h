// Frames of a message whose values a GPU has, or is to have: made and read there.
//
// The message is known by its image on the host (mpi/device/coded_buffer.h). Streams pass by pinned
// memory, between which and the frames they are copied. Thread safe; nothing is thrown.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "codec/encoding.h"
#include "codec/estimate/value_range.h"
#include "mpi/device/coded_buffer.h"
#include "wire/pack.h"

namespace tightwire::collective {

struct ValuesOnDevice {
  std::shared_ptr<mpi::CodedBuffer> buffer;
  codec::ValueRange range;  // of all finite ones
};

// A frame of the values that belong at `image`, in packing_size() bytes. Returns its size; 0 where
// the GPU does not make them shorter, or cannot.
[[nodiscard]] std::size_t frame_made_there(const ValuesOnDevice& values,
                                           std::span<const std::byte> image,
                                           const codec::Encoding& encoding, std::uint32_t sequence,
                                           std::span<std::byte> frame);

// Of a frame that a GPU has made: its values, on the device. Nothing where the processor has to do
// it.
[[nodiscard]] std::optional<wire::Unpacked> frame_read_there(const mpi::CodedBuffer& buffer,
                                                             std::span<const std::byte> frame,
                                                             std::uint32_t sequence,
                                                             std::span<std::byte> image);
// What the processor has made of another frame goes to the device, too.
[[nodiscard]] wire::Unpacked put_there(const mpi::CodedBuffer& buffer, wire::Unpacked unpacked,
                                       std::span<std::byte> image);

}  // namespace tightwire::collective
