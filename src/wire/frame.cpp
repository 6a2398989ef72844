#include "wire/frame.h"

#include <xxhash.h>

#include <array>
#include <bit>

#include "wire/checksum.h"
#include "wire/fields.h"
#include "wire/history.h"

namespace tightwire::wire {
namespace {

static_assert(std::endian::native == std::endian::little, "the frame header is little endian");

constexpr std::array<std::uint8_t, 4> magic{'T', 'W', 'f', 0x1a};
constexpr std::size_t checksum_offset = 32;
constexpr std::uint32_t next_unframed_bit = 0x100;  // of the four bytes at 28

// The checksum field itself lies between the two parts, so the header's hash seeds the payload's.
std::uint64_t checksum(std::span<const std::byte> frame) {
  const XXH64_hash_t seed = XXH3_64bits(frame.data(), checksum_offset);
  return payload_hash(frame.data() + header_size, frame.size() - header_size, seed);
}

}  // namespace

std::string_view describe(Problem problem) {
  switch (problem) {
    case Problem::truncated:
      return "the frame is truncated or has bytes too many";
    case Problem::foreign:
      return "this is not a tightwire frame";
    case Problem::other_version:
      return "the frame was made by another version of tightwire";
    case Problem::checksum:
      return "the frame's checksum does not match: it was damaged on the way";
    case Problem::out_of_order:
      return "the frame belongs to another place of the message";
    case Problem::mismatch:
      return "the frame holds values of another type or size than this call; do the ranks agree on "
             "count and datatype?";
    case Problem::unknown_codec:
      return "the frame was made by a codec that this build does not have";
    case Problem::undecodable:
      return "the frame's payload does not decode";
    case Problem::peer_failed:
      return "another rank could not go on with this operation";
    case Problem::repeated:
      return "the frame has come before";
    case Problem::no_reference:
      return "is predicted from earlier messages that are not here";
  }
  return "unknown problem";
}

void seal(std::span<std::byte> frame, const Header& header) {
  std::memcpy(frame.data(), magic.data(), magic.size());
  put(frame, 4, format_version);
  put(frame, 5, header.kind);
  put(frame, 6, header.codec);
  put(frame, 7, header.type);
  put(frame, 8, header.value_bytes);
  put(frame, 16, static_cast<std::uint64_t>(frame.size() - header_size));
  put(frame, 24, header.sequence);
  put(frame, 28,
      static_cast<std::uint32_t>(header.tried) | (header.next_unframed ? next_unframed_bit : 0));
  put(frame, checksum_offset, checksum(frame));
}

namespace {

Opened refuse(Problem problem) {
  return {problem, {}, {}, {}, {}, {}};
}

// Of a frame of any kind: whether it is whole, of this version, undamaged and the one that is next.
std::optional<Problem> problem_of(std::span<const std::byte> frame, std::uint32_t sequence) {
  if (frame.size() < header_size) return Problem::truncated;
  if (std::memcmp(frame.data(), magic.data(), magic.size()) != 0) return Problem::foreign;
  if (get<std::uint8_t>(frame, 4) != format_version) return Problem::other_version;
  if (get<std::uint64_t>(frame, 16) != frame.size() - header_size) return Problem::truncated;
  if (get<std::uint64_t>(frame, checksum_offset) != checksum(frame)) return Problem::checksum;
  if (get<std::uint32_t>(frame, 24) != sequence) return Problem::out_of_order;
  return std::nullopt;
}

Opened open_failure(std::span<const std::byte> frame) {
  if (frame.size() != failure_frame_size) return refuse(Problem::truncated);
  const Origin origin{get<std::uint32_t>(frame, header_size), get<Problem>(frame, header_size + 4)};
  if (static_cast<std::size_t>(origin.problem) >= problem_count) return refuse(Problem::foreign);
  return {Problem::peer_failed, {}, {}, {}, {}, origin};
}

}  // namespace

Opened open(std::span<const std::byte> frame, const Expected& expected) {
  if (const auto problem = problem_of(frame, expected.sequence)) return refuse(*problem);
  const auto kind = get<Kind>(frame, 5);
  if (kind == Kind::failure) return open_failure(frame);
  const bool remembered = kind == Kind::remembered;
  const std::uint32_t reserved = ~(0xff | (remembered ? 0 : next_unframed_bit));
  if ((kind != Kind::data && !remembered) || (get<std::uint32_t>(frame, 28) & reserved) != 0) {
    return refuse(Problem::foreign);
  }
  const std::size_t payload = header_size + (remembered ? history_size : 0);
  if (frame.size() < payload) return refuse(Problem::truncated);
  const auto type = get<codec::ElementType>(frame, 7);
  const auto value_bytes = get<std::uint64_t>(frame, 8);
  const std::size_t element = codec::element_size(type);
  if (element == 0 || value_bytes != expected.value_bytes || value_bytes % element != 0 ||
      (expected.type && type != *expected.type)) {
    return refuse(Problem::mismatch);
  }
  return {std::nullopt,
          get<codec::Id>(frame, 6),
          type,
          get<codec::Id>(frame, 28),
          frame.subspan(payload),
          {}};
}

std::optional<Kind> kind_of(std::span<const std::byte> frame, std::uint32_t sequence) {
  if (problem_of(frame, sequence)) return std::nullopt;
  return get<Kind>(frame, 5);
}

void tell_next_unframed(std::span<std::byte> frame) {
  put(frame, 28, get<std::uint32_t>(frame, 28) | next_unframed_bit);
  put(frame, checksum_offset, checksum(frame));
}

bool next_is_unframed(std::span<const std::byte> frame) {
  return (get<std::uint32_t>(frame, 28) & next_unframed_bit) != 0;
}

void write_unframed(std::span<std::byte> frame, std::uint64_t value_bytes, std::uint32_t sequence,
                    bool next) {
  seal(frame.first(header_size), {Kind::unframed, codec::Id::raw, codec::ElementType::bytes,
                                  value_bytes, sequence, codec::Id::raw, next});
}

UnframedNotice open_unframed(std::span<const std::byte> frame, std::uint64_t value_bytes,
                             std::uint32_t sequence) {
  if (const auto problem = problem_of(frame, sequence)) return {problem};
  const auto last = get<std::uint32_t>(frame, 28);
  if (get<Kind>(frame, 5) != Kind::unframed || last > next_unframed_bit) return {Problem::foreign};
  if (frame.size() != header_size) return {Problem::truncated};
  if (get<std::uint64_t>(frame, 8) != value_bytes) return {Problem::mismatch};
  return {std::nullopt, last != 0};
}

std::size_t write_failure(std::span<std::byte> frame, std::uint32_t sequence,
                          const Origin& origin) {
  put(frame, header_size, origin.rank);
  put(frame, header_size + 4, origin.problem);
  seal(frame.first(failure_frame_size),
       {Kind::failure, codec::Id::raw, codec::ElementType::bytes, 0, sequence, codec::Id::raw});
  return failure_frame_size;
}

}  // namespace tightwire::wire
