// A stronger codec for time that is free.
//
// It must give the receiver the very values that the encoding asked for, so that results do not
// depend on when somebody had time: exact values move up to a heavier lossless codec, and a lossy
// encoding stays what it is.
#pragma once

#include <optional>

#include "early/encoding/encoded_chunk.h"

namespace tightwire::early {

// Nothing if `encoding` is the strongest.
[[nodiscard]] std::optional<codec::Encoding> stronger(const codec::Encoding& encoding);

// What lies between two ranks, and whether encoding and transfer of a message's chunks overlap.
struct Path {
  double link = 0;  // bytes per second; 0: not known
  bool overlapped = true;
};

// Whether the stronger encoding reaches the receiver's memory sooner, its slower decoding included.
[[nodiscard]] bool arrives_sooner(const EncodedChunk& weak, const EncodedChunk& strong,
                                  std::size_t value_bytes, const Path& path);

}  // namespace tightwire::early
