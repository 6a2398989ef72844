// LZ4: the values in pieces of 16 MiB (its sizes are ints), each a u32 size and one LZ4 block.
#include <lz4.h>
#include <lz4hc.h>

#include <algorithm>

#include "codec/adapters/byte_io.h"
#include "codec/instances.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t piece_size = std::size_t{16} << 20;

const char* chars(std::span<const std::byte> bytes) {
  return reinterpret_cast<const char*>(bytes.data());
}
char* chars(std::span<std::byte> bytes) {
  return reinterpret_cast<char*>(bytes.data());
}

int compress(std::span<const std::byte> values, std::span<std::byte> space, Lz4Search search) {
  const int size = static_cast<int>(values.size());
  const int capacity = static_cast<int>(std::min(space.size(), 2 * piece_size));
  return search == Lz4Search::thorough
             ? LZ4_compress_HC(chars(values), chars(space), size, capacity, LZ4HC_CLEVEL_DEFAULT)
             : LZ4_compress_default(chars(values), chars(space), size, capacity);
}

class Lz4 final : public Codec {
 public:
  Id id() const override { return Id::lz4; }
  bool lossy() const override { return false; }
  bool supports(ElementType) const override { return true; }

  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    const std::size_t size = count * element_size(type);
    const std::size_t pieces = size / piece_size + 1;
    return size + size / 255 + pieces * (16 + sizeof(std::uint32_t));
  }

  Result encode(ElementType, std::span<const std::byte> values, const Parameters& parameters,
                std::span<std::byte> encoded) const override {
    std::size_t written = 0;
    while (!values.empty()) {
      const auto piece = values.first(std::min(values.size(), piece_size));
      values = values.subspan(piece.size());
      auto space = encoded.subspan(written);
      if (space.size() <= sizeof(std::uint32_t)) return {Error::output_too_small, 0};
      space = space.subspan(sizeof(std::uint32_t));
      const int size = compress(piece, space, parameters.lz4_search);
      if (size <= 0) return {Error::output_too_small, 0};
      const auto stated = static_cast<std::uint32_t>(size);
      std::memcpy(encoded.data() + written, &stated, sizeof stated);
      written += sizeof stated + stated;
    }
    return {Error::none, written};
  }

  Result decode(ElementType, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override {
    const std::size_t total = values.size();
    while (!values.empty()) {
      const auto piece = values.first(std::min(values.size(), piece_size));
      values = values.subspan(piece.size());
      std::uint32_t size = 0;
      if (!take(encoded, size) || size > encoded.size() || size > 2 * piece_size) {
        return {Error::damaged, 0};
      }
      const int got = LZ4_decompress_safe(chars(encoded.first(size)), chars(piece),
                                          static_cast<int>(size), static_cast<int>(piece.size()));
      if (got < 0 || static_cast<std::size_t>(got) != piece.size()) return {Error::damaged, 0};
      encoded = encoded.subspan(size);
    }
    if (!encoded.empty()) return {Error::damaged, 0};
    return {Error::none, total};
  }
};

}  // namespace

const Codec& lz4_codec() {
  static const Lz4 codec;
  return codec;
}

}  // namespace tightwire::codec
