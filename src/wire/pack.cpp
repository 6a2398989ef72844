#include "wire/pack.h"

#include <algorithm>

#include "codec/codec_work.h"
#include "codec/instances.h"
#include "wire/fields.h"

namespace tightwire::wire {
namespace {

constexpr std::size_t kind_offset = 5;  // see frame.h
constexpr std::size_t codec_offset = 6;
constexpr std::size_t sequence_offset = 24;

// The payload begins behind the header and so many bytes more, which are there already.
std::size_t pack_behind(std::size_t more, Kind kind, const codec::Codec& codec,
                        codec::ElementType type, std::span<const std::byte> values,
                        const codec::Parameters& parameters, std::uint32_t sequence,
                        std::span<std::byte> frame) {
  const std::span<std::byte> payload = frame.subspan(header_size + more);
  codec::Id id = codec.id();
  codec::Result encoded = codec.encode(type, values, parameters, payload);
  if (!encoded.ok() || encoded.size >= values.size()) {
    id = codec::Id::raw;
    encoded = codec::raw_codec().encode(type, values, parameters, payload);
  }
  codec::note_work(codec::work_of_encoding(parameters), values.size(), encoded.size);
  const std::size_t size = header_size + more + encoded.size;
  seal(frame.first(size), {kind, id, type, values.size(), sequence, codec.id()});
  return size;
}

}  // namespace

std::size_t packing_size(const codec::Codec& codec, codec::ElementType type,
                         std::size_t value_bytes) {
  const std::size_t count = value_bytes / codec::element_size(type);
  return std::max(max_frame_size(value_bytes), header_size + codec.max_encoded_size(type, count));
}

std::size_t max_frame_size(std::size_t value_bytes) {
  return std::max(header_size + value_bytes, failure_frame_size);
}

std::size_t pack(const codec::Codec& codec, codec::ElementType type,
                 std::span<const std::byte> values, const codec::Parameters& parameters,
                 std::uint32_t sequence, std::span<std::byte> frame) {
  return pack_behind(0, Kind::data, codec, type, values, parameters, sequence, frame);
}

std::size_t pack_remembered(const codec::Codec& codec, codec::ElementType type,
                            std::span<const std::byte> values, const codec::Parameters& parameters,
                            const HistoryBlock& block, std::uint32_t sequence,
                            std::span<std::byte> frame) {
  const auto bytes = write_history(block);
  std::copy(bytes.begin(), bytes.end(), frame.subspan(header_size).begin());
  return pack_behind(history_size, Kind::remembered, codec, type, values, parameters, sequence,
                     frame);
}

std::size_t pack_encoded(codec::Id codec, codec::Id tried, codec::ElementType type,
                         std::size_t value_bytes, std::span<const std::byte> payload,
                         std::uint32_t sequence, std::span<std::byte> frame) {
  std::copy(payload.begin(), payload.end(), frame.subspan(header_size).begin());
  const std::size_t size = header_size + payload.size();
  seal(frame.first(size), {Kind::data, codec, type, value_bytes, sequence, tried});
  return size;
}

codec::Id codec_of(std::span<const std::byte> frame) {
  return static_cast<codec::Id>(frame[codec_offset]);
}

std::optional<std::uint32_t> sequence_of(std::span<const std::byte> frame) {
  if (frame.size() < header_size) return std::nullopt;
  return get<std::uint32_t>(frame, sequence_offset);
}

std::optional<HistoryBlock> history_of(std::span<const std::byte> frame) {
  if (frame.size() < header_size + history_size ||
      get<Kind>(frame, kind_offset) != Kind::remembered) {
    return std::nullopt;
  }
  return read_history(frame.subspan(header_size, history_size));
}

Unpacked unpack(std::span<const std::byte> frame, std::optional<codec::ElementType> type,
                std::uint32_t sequence, std::span<std::byte> values, codec::References references) {
  const Opened opened = open(frame, {type, values.size(), sequence});
  if (opened.problem) return {opened.problem, opened.origin, opened.tried};
  const codec::Codec* codec = codec::find(opened.codec);
  if (codec == nullptr || !codec->supports(opened.type))
    return {Problem::unknown_codec, {}, opened.tried};
  if (!codec->decode_with(opened.type, opened.payload, references, values).ok())
    return {Problem::undecodable, {}, opened.tried};
  codec::note_decoding(opened.codec, opened.payload, values.size());
  return {std::nullopt, {}, opened.tried};
}

}  // namespace tightwire::wire
