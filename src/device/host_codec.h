// The device profile on the processor: the kernels with lanes that take turns.
//
// It is there to write and read what a device does where there is none, and to test the kernels;
// codec::chunked::decode() reads the same streams many times faster.
//
// Units: sizes are bytes. Buffers are the caller's; those of values are aligned to their type.
// Thread safety: any number of threads at once. Errors are returned as by codec::Codec; hostile
// bytes give Error::damaged, and so do sound encodings that are none of the profile.
#pragma once

#include <span>

#include "codec/bounded/layout.h"
#include "codec/codec.h"
#include "device/grids.h"  // IWYU pragma: export
#include "device/kernels/vocabulary.h"

namespace tightwire::device {

// An output of this size always suffices for encode(), merge() and combine().
[[nodiscard]] std::size_t max_encoded_size(codec::ElementType type, std::size_t count);

// `header` is one of grids.h. Error::bad_parameter for one without a grid.
codec::Result encode(HostLanes lanes, const codec::bounded::Header& header,
                     std::span<const std::byte> values, std::span<std::byte> out);

// The encoding of the sum of what `incoming` holds, a stream of header_for_sums(), and of `own`.
// Integers are added; values that the grid does not hold as codec::bounded::combine() does. `out`
// must not overlap the others. Error::damaged where `incoming` has another grid.
codec::Result merge(HostLanes lanes, const codec::bounded::Header& header,
                    std::span<const std::byte> incoming, std::span<const std::byte> own,
                    std::span<std::byte> out);

// The same of what two such streams of `count` values hold.
codec::Result combine(HostLanes lanes, const codec::bounded::Header& header, std::size_t count,
                      std::span<const std::byte> first, std::span<const std::byte> second,
                      std::span<std::byte> out);

codec::Result decode(HostLanes lanes, codec::ElementType type, std::span<const std::byte> encoded,
                     std::span<std::byte> values);

}  // namespace tightwire::device
