// A stream of the device profile as its index shows it.
#pragma once

#include <span>

#include "codec/bounded/layout.h"
#include "codec/chunked/layout.h"
#include "device/profile.h"

namespace tightwire::device {

[[nodiscard]] codec::chunked::Header stream_header(codec::ElementType type, std::size_t count);

struct Chunks {
  codec::chunked::Header header;
  std::span<const std::byte> encoded;

  [[nodiscard]] std::span<const std::byte> at(std::uint64_t chunk) const;
};

// Checks the stream's header and index. Hostile bytes give Error::damaged.
[[nodiscard]] codec::Error open(std::span<const std::byte> encoded, codec::ElementType type,
                                std::size_t count, Chunks& chunks);

// Whether a chunk's header is one that a writer of the profile gives `count` values.
[[nodiscard]] bool is_of_profile(const codec::bounded::Header& header, codec::ElementType type,
                                 std::uint64_t count);
[[nodiscard]] bool has_grid_of_profile(const codec::bounded::Header& header);

// The same as open(), for whoever decodes the chunks by himself; `header` becomes that of the first
// chunk that is not stored; where there is none, one of the type.
[[nodiscard]] codec::Error open_stream(std::span<const std::byte> encoded, codec::ElementType type,
                                       std::size_t count, codec::bounded::Header& header);

}  // namespace tightwire::device
