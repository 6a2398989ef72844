// Chunks of a message as they were encoded, at rest until they are sent.
#pragma once

#include <atomic>
#include <memory>

#include "codec/encoding.h"
#include "early/tracking/pages.h"

namespace tightwire::early {

// Whether encodings of one stand for those of the other: the same values arrive. The length of rows
// matters to the ratio alone.
[[nodiscard]] inline bool same_values(const codec::Encoding& a, const codec::Encoding& b) {
  return a.codec == b.codec && a.type == b.type &&
         a.parameters.error_bound == b.parameters.error_bound &&
         a.parameters.terms == b.parameters.terms && a.parameters.alone == b.parameters.alone &&
         a.parameters.zfp_rate == b.parameters.zfp_rate;
}

// An encoding at rest.
struct EncodedChunk {
  codec::Id codec = codec::Id::raw;     // raw: nothing is gained, the values are sent unencoded
  std::unique_ptr<std::byte[]> memory;  // none if raw
  std::size_t size = 0;                 // of what is sent
  double encode_seconds = 0;  // of processor time; of the encoding asked for, if this is stronger
  bool strong = false;        // see codec_upgrade.h
  bool strongest = false;     // nothing better is to be had
  bool ahead = false;
  std::atomic<unsigned> uses{0};  // by sends, also of the weaker one it replaced
  [[nodiscard]] Bytes payload() const {
    return memory == nullptr ? Bytes() : Bytes(memory.get(), size);
  }
};

// Encodes into `workspace` (workspace_size() bytes) and copies the result, if it is a gain. Null
// without memory.
[[nodiscard]] std::shared_ptr<EncodedChunk> encode(const codec::Encoding& encoding, Bytes values,
                                                   std::span<std::byte> workspace);
[[nodiscard]] std::size_t workspace_size(const codec::Encoding& encoding, std::size_t value_bytes);

// A copy of a payload made elsewhere; of codec raw, which is the values themselves, none is made.
// Null without memory.
[[nodiscard]] std::shared_ptr<EncodedChunk> keep(codec::Id codec, Bytes payload,
                                                 double encode_seconds);

}  // namespace tightwire::early
