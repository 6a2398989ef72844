// What a device tells of values before it encodes them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "codec/estimate/value_range.h"
#include "mpi/device/coded_buffer.h"
#include "settings/settings.h"

namespace tightwire::mpi {

struct DeviceLook {
  codec::ValueRange range;  // of the finite ones
  // Whether some may be fill values, which a range leaves out (codec/fill/find.h).
  bool may_have_fill_values = false;
};

// For a sample.
inline constexpr std::size_t sample_bytes = std::size_t{128} << 10;

// A sample of the values comes to `pinned`: as much as there is room for. Without any nobody asks
// for fill values. Throws coder::Error.
[[nodiscard]] DeviceLook look_on_device(const coder::Values& values, std::span<std::byte> pinned);

// The same of those that belong at `image`, a part of the buffer's pinned memory, with memory of
// its own. Nothing where the device cannot look, which is said.
[[nodiscard]] std::optional<DeviceLook> look_at(const CodedBuffer& buffer, codec::ElementType type,
                                                std::span<const std::byte> image,
                                                bool for_fill_values);

// The bound in numbers; nothing where the host must look.
[[nodiscard]] std::optional<double> bound_by(const DeviceLook& look,
                                             const settings::ErrorBound& bound);

}  // namespace tightwire::mpi
