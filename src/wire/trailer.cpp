#include "wire/trailer.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "wire/fields.h"

namespace tightwire::wire {
namespace {

// Numbers drawn at random: no data has any reason to hold them.
constexpr std::uint64_t front_mark = 0xb71f38ffc82e1466;
constexpr std::uint64_t end_mark = 0x19a04bb1bf9b5e73;
constexpr int most_wrong_bits = 8;

constexpr std::size_t version_offset = 36;
constexpr std::size_t checksum_offset = 48;
constexpr std::size_t mark_offset = 56;

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

// Sizes that no sender writes.
bool impossible(const Trailer& trailer, std::size_t message_size) {
  if (message_size < end_size(trailer.has_history)) return true;
  const std::size_t room = message_size - end_size(trailer.has_history);
  if (trailer.kind == FrameKind::stored) {
    return trailer.value_bytes < message_size || trailer.value_bytes - message_size > room ||
           trailer.payload_bytes != room;
  }
  if (trailer.kind != FrameKind::encoded || room < mark_size) return true;
  const std::size_t element = codec::element_size(trailer.type);
  return element == 0 || trailer.value_bytes % element != 0 ||
         trailer.payload_bytes > room - mark_size || trailer.value_bytes < message_size;
}

bool resembles(std::uint64_t number, std::uint64_t mark) {
  return std::popcount(number ^ mark) <= most_wrong_bits;
}

}  // namespace

std::array<std::byte, mark_size> write_mark() {
  std::array<std::byte, mark_size> bytes{};
  put(bytes, 0, front_mark);
  return bytes;
}

bool looks_framed(std::span<const std::byte> message) {
  return message.size() >= mark_size &&
         (resembles(get<std::uint64_t>(message, 0), front_mark) ||
          resembles(get<std::uint64_t>(message, message.size() - mark_size), end_mark));
}

std::array<std::byte, trailer_size> write_trailer(const Trailer& trailer,
                                                  std::span<const std::byte> payload) {
  std::array<std::byte, trailer_size> bytes{};
  put(bytes, 0, trailer.value_bytes);
  put(bytes, 8, trailer.payload_bytes);
  put(bytes, 16, payload.empty() ? std::uint64_t{0} : hash_of(payload));
  put(bytes, 24, trailer.tag);
  put(bytes, 28, trailer.chunks);
  put(bytes, 32, trailer.kind);
  put(bytes, 33, trailer.codec);
  put(bytes, 34, trailer.type);
  put(bytes, 35, trailer.tried);
  put(bytes, version_offset, trailer_version);
  put(bytes, 37, static_cast<std::uint8_t>(trailer.has_history));
  put(bytes, 40, trailer.number);
  put(bytes, checksum_offset, hash_of(std::span(bytes).first(checksum_offset)));
  put(bytes, mark_offset, end_mark);
  return bytes;
}

bool ReadTrailer::matches(std::span<const std::byte> payload) const {
  return payload.size() == trailer.payload_bytes && hash_of(payload) == checksum;
}

ReadTrailer read_trailer(std::span<const std::byte> bytes, std::size_t message_size) {
  const auto refuse = [](Problem problem) { return ReadTrailer{problem, {}, 0}; };
  if (bytes.size() != trailer_size || message_size < trailer_size) {
    return refuse(Problem::truncated);
  }
  if (get<std::uint64_t>(bytes, mark_offset) != end_mark) {
    return refuse(Problem::foreign);
  }
  if (get<std::uint8_t>(bytes, version_offset) != trailer_version) {
    return refuse(Problem::other_version);
  }
  if (get<std::uint64_t>(bytes, checksum_offset) != hash_of(bytes.first(checksum_offset))) {
    return refuse(Problem::checksum);
  }
  ReadTrailer read;
  read.trailer.value_bytes = get<std::uint64_t>(bytes, 0);
  read.trailer.payload_bytes = get<std::uint64_t>(bytes, 8);
  read.checksum = get<std::uint64_t>(bytes, 16);
  read.trailer.tag = get<std::uint32_t>(bytes, 24);
  read.trailer.chunks = get<std::uint32_t>(bytes, 28);
  read.trailer.kind = get<FrameKind>(bytes, 32);
  read.trailer.codec = get<codec::Id>(bytes, 33);
  read.trailer.type = get<codec::ElementType>(bytes, 34);
  read.trailer.tried = get<codec::Id>(bytes, 35);
  read.trailer.has_history = get<std::uint8_t>(bytes, 37) != 0;
  read.trailer.number = get<std::uint64_t>(bytes, 40);
  return impossible(read.trailer, message_size) ? refuse(Problem::truncated) : read;
}

void write_trailing_bytes(std::span<const std::byte> last, std::uint32_t tag,
                          std::span<std::byte> to) {
  std::copy(last.begin(), last.end(), to.begin());
  put(to, last.size(), XXH3_64bits_withSeed(last.data(), last.size(), tag));
}

std::optional<std::span<const std::byte>> read_trailing_bytes(std::span<const std::byte> trailing,
                                                              std::uint32_t tag) {
  if (trailing.size() < trailing_size(0)) return std::nullopt;
  const std::span<const std::byte> last = trailing.first(trailing.size() - trailing_size(0));
  if (get<std::uint64_t>(trailing, last.size()) !=
      XXH3_64bits_withSeed(last.data(), last.size(), tag)) {
    return std::nullopt;
  }
  return last;
}

}  // namespace tightwire::wire
