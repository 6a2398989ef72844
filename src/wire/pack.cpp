#include "wire/pack.h"

#include <algorithm>

#include "codec/instances.h"
#include "wire/fields.h"

namespace tightwire::wire {

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
  const std::span<std::byte> payload = frame.subspan(header_size);
  codec::Id id = codec.id();
  codec::Result encoded = codec.encode(type, values, parameters, payload);
  if (!encoded.ok() || encoded.size >= values.size()) {
    id = codec::Id::raw;
    encoded = codec::raw_codec().encode(type, values, parameters, payload);
  }
  const std::size_t size = header_size + encoded.size;
  seal(frame.first(size), {Kind::data, id, type, values.size(), sequence, codec.id()});
  return size;
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
  constexpr std::size_t place = 6;  // see frame.h
  return static_cast<codec::Id>(frame[place]);
}

std::optional<std::uint32_t> sequence_of(std::span<const std::byte> frame) {
  constexpr std::size_t place = 24;  // see frame.h
  if (frame.size() < header_size) return std::nullopt;
  return get<std::uint32_t>(frame, place);
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
  return {std::nullopt, {}, opened.tried};
}

}  // namespace tightwire::wire
