// Bytes to tiles of integers. The bytes are not trusted.
#pragma once

#include "codec/generic/pack.h"
#include "codec/generic/predict.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class TileReader {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  TileReader(std::size_t row_length, std::span<const std::byte> in)
      : row_length_(row_length), in_(in), history_(row_length) {}

  // Fills a tile of `count` values, whose q stays valid until the next call. False: damaged.
  bool read(std::size_t count, Tile<T>& tile) {
    tile.q = history_.next();
    tile.count = count;
    tile.any_exceptions = false;
    std::fill_n(tile.exceptions, tile_blocks, std::uint16_t{0});
    if (!decode(tile)) return false;
    history_.append(count);
    return true;
  }

  bool at_end() const { return in_.empty() && run_ == 0; }

 private:
  const std::byte* take(std::size_t size) {
    if (in_.size() < size) return nullptr;
    const std::byte* p = in_.data();
    in_ = in_.subspan(size);
    return p;
  }

  bool decode(Tile<T>& tile) {
    if (run_ > 0) return decode_run(tile);
    const std::byte* p = take(1);
    if (p == nullptr) return false;
    const auto kind = static_cast<bounded::TileKind>(static_cast<unsigned>(*p) & 15);
    const unsigned predictor = static_cast<unsigned>(*p) >> 4;
    if (predictor >= bounded::predictors) return false;
    predictor_ = static_cast<Predictor>(predictor);
    if (predictor_ == Predictor::row && row_length_ == 0) return false;
    switch (kind) {
      case bounded::TileKind::verbatim:
        return predictor == 0 && decode_verbatim(tile);
      case bounded::TileKind::dense:
        return decode_blocks(tile, false);
      case bounded::TileKind::sparse:
        return decode_blocks(tile, true);
      case bounded::TileKind::run:
        p = take(1);
        if (p == nullptr) return false;
        run_ = static_cast<std::size_t>(*p) + 1;
        return decode_run(tile);
    }
    return false;
  }

  bool decode_run(Tile<T>& tile) {
    --run_;
    std::fill_n(residuals_, tile_values, U{0});
    restore_tile(residuals_, predictor_, row_length_, tile);
    return true;
  }

  bool decode_verbatim(Tile<T>& tile) {
    const std::byte* p = take(tile.count * sizeof(T));
    if (p == nullptr) return false;
    std::memcpy(tile.verbatim, p, tile.count * sizeof(T));
    std::fill_n(tile.q, tile.count, tile.q[-1]);
    for (std::size_t b = 0; b < tile.blocks(); ++b) tile.exceptions[b] = tile.all_lanes(b);
    tile.any_exceptions = true;
    return true;
  }

  bool read_codes(std::size_t blocks, bool sparse, std::uint8_t* codes) {
    std::uint64_t map = ~std::uint64_t{0} >> (tile_blocks - blocks);
    if (sparse) {
      const std::byte* p = take(sizeof map);
      if (p == nullptr) return false;
      const auto given = load<std::uint64_t>(p);
      if ((given & ~map) != 0) return false;
      map = given;
    }
    const auto used = static_cast<std::size_t>(std::popcount(map));
    const std::byte* p = take((used + 1) / 2);
    if (p == nullptr) return false;
    std::size_t nibble = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      codes[b] = 0;
      if ((map >> b & 1) == 0) continue;
      codes[b] =
          static_cast<std::uint8_t>(static_cast<unsigned>(p[nibble / 2]) >> (nibble % 2 * 4) & 15);
      ++nibble;
    }
    return true;
  }

  bool read_widths(std::size_t blocks, unsigned base, const std::uint8_t* codes) {
    for (std::size_t b = 0; b < blocks; ++b) {
      unsigned width = codes[b] == 0 ? 0 : base + codes[b];
      has_values_[b] = false;
      if (codes[b] >= bounded::code_wide) {
        const std::byte* p = take(1);
        if (p == nullptr) return false;
        width = static_cast<unsigned>(*p);
        if (codes[b] == bounded::code_exceptions) {
          has_values_[b] = (width & bounded::exceptions_have_values) != 0;
          width &= ~bounded::exceptions_have_values;
        }
      }
      if (width > sizeof(T) * 8) return false;
      widths_[b] = static_cast<std::uint8_t>(width);
    }
    return true;
  }

  bool decode_blocks(Tile<T>& tile, bool sparse) {
    const std::size_t blocks = tile.blocks();
    std::uint8_t codes[tile_blocks];
    const std::byte* base = take(1);
    if (base == nullptr || !read_codes(blocks, sparse, codes) ||
        !read_widths(blocks, static_cast<unsigned>(*base), codes)) {
      return false;
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::byte* p = take(packed_size(widths_[b]));
      if (p == nullptr) return false;
      unpack_block(p, widths_[b], residuals_ + b * block_values);
      if (codes[b] == bounded::code_exceptions && !read_exceptions(tile, b)) return false;
    }
    restore_tile(residuals_, predictor_, row_length_, tile);
    return true;
  }

  bool read_exceptions(Tile<T>& tile, std::size_t block) {
    const std::byte* p = take(sizeof(std::uint16_t));
    if (p == nullptr) return false;
    const auto mask = load<std::uint16_t>(p);
    if (mask == 0 || (mask & ~tile.all_lanes(block)) != 0) return false;
    const auto kept = static_cast<std::size_t>(std::popcount(mask));
    p = has_values_[block] ? take(kept * sizeof(T)) : p;
    if (p == nullptr) return false;
    for (std::size_t i = 0; i < tile.lanes(block); ++i) {
      if ((mask >> i & 1) == 0) continue;
      T value = -T{0};
      if (has_values_[block]) {
        value = load<T>(p);
        p += sizeof(T);
      }
      tile.verbatim[block * block_values + i] = value;
    }
    tile.exceptions[block] = mask;
    tile.any_exceptions = true;
    return true;
  }

  std::size_t row_length_;
  std::span<const std::byte> in_;
  std::size_t run_ = 0;
  Predictor predictor_ = Predictor::none;
  std::uint8_t widths_[tile_blocks];
  bool has_values_[tile_blocks];
  U residuals_[tile_values];
  History<Int> history_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
