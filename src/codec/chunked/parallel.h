// Chunked streams by several threads. Both functions return nothing, having done nothing that
// counts, where one thread has to do it: few chunks, a busy pool, no memory.
#pragma once

#include <optional>

#include "codec/chunked/chunked.h"

namespace tightwire::codec::chunked {

[[nodiscard]] std::optional<Result> encode_in_parallel(const Codec& codec, ElementType type,
                                                       std::span<const std::byte> values,
                                                       const Parameters& parameters,
                                                       const Options& options,
                                                       std::span<std::byte> out);

[[nodiscard]] std::optional<Result> decode_in_parallel(const View& view, const Header& header,
                                                       const Options& options,
                                                       std::span<std::byte> values);

}  // namespace tightwire::codec::chunked
