// Steps over the tiles of docs/dev/format.md without decoding them.
#include "constant_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "codec/bounded/layout.h"

namespace tightwire::bench {
namespace {

using codec::bounded::block_values;
using codec::bounded::GridKind;
using codec::bounded::Header;
using codec::bounded::tile_values;
using codec::bounded::TileKind;

class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> left) : left_(left) {}

  std::span<const std::byte> take(std::size_t size) {
    if (size > left_.size()) throw std::runtime_error("an encoding ends within a block");
    const auto taken = left_.first(size);
    left_ = left_.subspan(size);
    return taken;
  }
  unsigned byte() { return std::to_integer<unsigned>(take(1)[0]); }
  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  [[nodiscard]] bool empty() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

// The values of a component.
struct Stream {
  std::size_t left = 0;
  unsigned run = 0;  // tiles still to come that have no bytes
};

// How many values each block of a tile has, of those that are there.
using Blocks = std::vector<std::size_t>;

Blocks blocks_of(std::size_t count) {
  Blocks blocks(count / block_values, block_values);
  if (count % block_values != 0) blocks.push_back(count % block_values);
  return blocks;
}

class Tiles {
 public:
  Tiles(std::span<const std::byte> tiles, std::size_t value_size)
      : in_(tiles), value_size_(value_size) {}

  void pass_tile(Stream& stream) {
    const std::size_t count = std::min(stream.left, tile_values);
    stream.left -= count;
    const Blocks blocks = blocks_of(count);
    blocks_ += blocks.size();
    if (stream.run > 0) {
      --stream.run;
      constant_ += blocks.size();
      return;
    }
    const TileKind kind = read_kind();
    if (kind == TileKind::run || kind == TileKind::fill) {
      stream.run = in_.byte();
      constant_ += blocks.size();
    } else if (kind == TileKind::verbatim || kind == TileKind::integers) {
      in_.take(count * value_size_);
    } else if (kind == TileKind::masked) {
      pass_masked(count);
    } else {
      pass_blocks(kind, blocks);
    }
  }

  [[nodiscard]] bool at_end() const { return in_.empty(); }
  [[nodiscard]] double constant_share() const {
    return static_cast<double>(constant_) / static_cast<double>(blocks_);
  }

 private:
  TileKind read_kind() {
    const unsigned byte = in_.byte();
    const auto kind = static_cast<TileKind>(byte & 15);
    const bool filled = kind == TileKind::masked || kind == TileKind::fill;
    if (filled && byte >> 4 == 1) in_.take(value_size_);
    return kind;
  }

  // Blocks that are masked throughout are not among those of the tile that follows.
  void pass_masked(std::size_t count) {
    const std::vector<bool> mask = read_mask(count);
    Blocks given;
    for (std::size_t begin = 0; begin < count; begin += block_values) {
      const std::size_t end = std::min(begin + block_values, count);
      const bool all = std::all_of(mask.begin() + static_cast<std::ptrdiff_t>(begin),
                                   mask.begin() + static_cast<std::ptrdiff_t>(end),
                                   [](bool masked) { return masked; });
      if (all) {
        ++constant_;
      } else {
        given.push_back(end - begin);
      }
    }
    const TileKind kind = read_kind();
    if (kind == TileKind::run) {
      constant_ += given.size();
    } else {
      pass_blocks(kind, given);
    }
  }

  std::vector<bool> read_mask(std::size_t count) {
    std::vector<bool> mask(count);
    const unsigned changes = in_.byte();
    if (changes == codec::bounded::mask_as_bits) {
      for (std::size_t i = 0; i < count; i += block_values) {
        const auto bits = in_.number<std::uint16_t>();
        for (std::size_t k = i; k < std::min(i + block_values, count); ++k) {
          mask[k] = (bits >> (k - i) & 1U) != 0;
        }
      }
      return mask;
    }
    std::size_t place = 0;
    for (unsigned seen = 0; seen < changes;) {
      const unsigned distance = in_.byte();
      place += distance;
      if (distance == codec::bounded::far_change) continue;
      ++seen;
      for (std::size_t i = place; i < count; ++i) mask[i] = !mask[i];
    }
    return mask;
  }

  void pass_blocks(TileKind kind, const Blocks& blocks) {
    const unsigned base = in_.byte();
    if (kind == TileKind::close) return pass_close_blocks(base, blocks);
    const std::vector<unsigned> codes = read_codes(kind, blocks.size());
    std::vector<unsigned> escapes(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (codes[b] >= codec::bounded::code_wide) escapes[b] = in_.byte();
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (codes[b] == codec::bounded::code_exceptions) {
        pass_exceptions(escapes[b], blocks[b]);
      } else if (codes[b] == codec::bounded::code_wide) {
        pass_residuals(escapes[b]);
      } else {
        pass_residuals(codes[b] == 0 ? 0 : base + codes[b]);
      }
    }
  }

  void pass_close_blocks(unsigned base, const Blocks& blocks) {
    const std::size_t size = codec::bounded::close_codes_size(blocks.size());
    const auto codes = in_.take(size);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto four = std::to_integer<unsigned>(codes[b % size]);
      pass_residuals(base + (four >> 2 * (b / size) & codec::bounded::most_above_base));
    }
  }

  std::vector<unsigned> read_codes(TileKind kind, std::size_t blocks) {
    const std::uint64_t map =
        kind == TileKind::sparse ? in_.number<std::uint64_t>() : ~std::uint64_t{0};
    std::vector<std::size_t> coded;
    for (std::size_t b = 0; b < blocks; ++b) {
      if ((map >> b & 1U) != 0) coded.push_back(b);
    }
    const auto halves = in_.take((coded.size() + 1) / 2);
    std::vector<unsigned> codes(blocks);
    for (std::size_t i = 0; i < coded.size(); ++i) {
      codes[coded[i]] = std::to_integer<unsigned>(halves[i / 2]) >> i % 2 * 4 & 15U;
    }
    return codes;
  }

  void pass_residuals(unsigned width) {
    in_.take(std::size_t{2} * width);
    if (width == 0) ++constant_;
  }

  void pass_exceptions(unsigned escape, std::size_t values) {
    if (escape == codec::bounded::block_of_words) {
      in_.take(sizeof(std::uint16_t) + values * value_size_);
      return;
    }
    const unsigned have_values = escape & codec::bounded::exceptions_have_values;
    in_.take(std::size_t{2} * (escape - have_values));
    const auto mask = in_.number<std::uint16_t>();
    if (have_values == 0) return;
    const std::size_t bits = in_.byte() * static_cast<std::size_t>(std::popcount(mask));
    in_.take((bits + 7) / 8);
  }

  Bytes in_;
  std::size_t value_size_;
  std::size_t blocks_ = 0;
  std::size_t constant_ = 0;
};

// Component i has every value whose number is i modulo theirs.
std::vector<Stream> streams_of(const Header& header) {
  std::vector<Stream> streams(header.components);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    streams[i].left = (header.count + streams.size() - 1 - i) / streams.size();
  }
  return streams;
}

}  // namespace

std::optional<double> constant_blocks(codec::ElementType type, std::span<const std::byte> encoded) {
  Header header;
  if (codec::bounded::read_header(encoded, header) != codec::Error::none) {
    throw std::runtime_error("no encoding of bounded");
  }
  const bool tiled = header.grid == GridKind::derived || header.grid == GridKind::given;
  if (!tiled || header.count == 0) return std::nullopt;
  Tiles tiles(encoded.subspan(codec::bounded::header_size), element_size(type));
  std::vector<Stream> streams = streams_of(header);
  // They take turns, and the first has no fewer values than the others.
  while (streams.front().left > 0) {
    for (Stream& stream : streams) {
      if (stream.left > 0) tiles.pass_tile(stream);
    }
  }
  if (!tiles.at_end()) throw std::runtime_error("an encoding goes on behind its last block");
  return tiles.constant_share();
}

}  // namespace tightwire::bench
