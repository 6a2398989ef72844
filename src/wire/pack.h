// Values to frame and back: a codec's encoding with a frame around it.
#pragma once

#include "wire/frame.h"
#include "wire/history.h"

namespace tightwire::wire {

// A buffer of this size suffices for pack().
[[nodiscard]] std::size_t packing_size(const codec::Codec& codec, codec::ElementType type,
                                       std::size_t value_bytes);

// No frame that pack() or write_failure() leaves behind is larger: what a receiver needs room for.
[[nodiscard]] std::size_t max_frame_size(std::size_t value_bytes);

// Encodes `values` into `frame` (packing_size() bytes) and returns the frame's size. Where the
// codec does not make the chunk smaller, or can't encode it, the values travel as they are.
[[nodiscard]] std::size_t pack(const codec::Codec& codec, codec::ElementType type,
                               std::span<const std::byte> values,
                               const codec::Parameters& parameters, std::uint32_t sequence,
                               std::span<std::byte> frame);

// The same for a part of a message that its receiver is to remember; parameters.references are what
// the block says. `frame` holds history_size bytes more.
[[nodiscard]] std::size_t pack_remembered(const codec::Codec& codec, codec::ElementType type,
                                          std::span<const std::byte> values,
                                          const codec::Parameters& parameters,
                                          const HistoryBlock& block, std::uint32_t sequence,
                                          std::span<std::byte> frame);

// The same for values that have been encoded before, by `codec` with `tried` in mind.
[[nodiscard]] std::size_t pack_encoded(codec::Id codec, codec::Id tried, codec::ElementType type,
                                       std::size_t value_bytes, std::span<const std::byte> payload,
                                       std::uint32_t sequence, std::span<std::byte> frame);

// Of a frame that pack() made.
[[nodiscard]] codec::Id codec_of(std::span<const std::byte> frame);
// Which chunk a frame says it is, for where chunks come in any order; nothing if it is no frame.
// unpack() tells whether that is true.
[[nodiscard]] std::optional<std::uint32_t> sequence_of(std::span<const std::byte> frame);

// What pack_remembered() wrote into it; nothing if it did not, or the block is damaged.
[[nodiscard]] std::optional<HistoryBlock> history_of(std::span<const std::byte> frame);

// `type` is nothing where only the sender knows it; `references` are those that pack() was given.
// The Problem, if there is one; `origin` says more of Problem::peer_failed. On a Problem the
// contents of `values` are unspecified.
struct Unpacked {
  std::optional<Problem> problem;
  Origin origin;
  codec::Id tried = codec::Id::raw;  // codec that the sender chose for the data
};
[[nodiscard]] Unpacked unpack(std::span<const std::byte> frame,
                              std::optional<codec::ElementType> type, std::uint32_t sequence,
                              std::span<std::byte> values, codec::References references = {});

}  // namespace tightwire::wire
