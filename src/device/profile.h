// The device profile of the `bounded` format: what a GPU writes, and the processor as well, byte by
// byte. docs/dev/format.md, "The device profile", has it in words.
//
// A stream of the profile is a chunked stream (codec/chunked/) of encodings of `bounded`, so every
// reader of those can read it. It differs in what a writer does: chunks of 64 KiB, nothing of which
// depends on another chunk, and one predictor a chunk, found by counting all bits.
#pragma once

#include "codec/bounded/layout.h"

namespace tightwire::device {

using codec::bounded::Predictor;
using codec::bounded::TileKind;

// In the type in which kernels count.
inline constexpr unsigned block_values = codec::bounded::block_values;
inline constexpr unsigned tile_blocks = codec::bounded::tile_blocks;
inline constexpr unsigned tile_values = codec::bounded::tile_values;
inline constexpr unsigned header_size = codec::bounded::header_size;

inline constexpr unsigned chunk_bytes = 1U << 16;

// Numbers of what a chunk of floats or doubles holds.
template <class T>
struct Extent {
  static constexpr unsigned values = chunk_bytes / unsigned{sizeof(T)};
  static constexpr unsigned blocks = values / block_values;
  static constexpr unsigned tiles = values / tile_values;
};

}  // namespace tightwire::device
