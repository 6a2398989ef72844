// Bytes to tiles of integers. The bytes are not trusted.
#pragma once

#include "codec/generic/predict.h"
#include "codec/generic/quantise.h"
#include "codec/generic/read_codes.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class TileReader {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  TileReader(std::size_t row_length, std::span<const std::byte> in)
      : row_length_(row_length), in_{in.data(), in.data() + in.size()}, history_(row_length) {}

  // Fills a tile of `count` values, whose q stays valid until the next call. False: damaged.
  bool read(std::size_t count, Tile<T>& tile) {
    return read(count, tile, [](Block<U>, std::size_t) {});
  }

  // The same, and calls use(integers, number) for each block while it is in registers.
  template <class Use>
  bool read(std::size_t count, Tile<T>& tile, Use use) {
    tile.q = history_.next();
    tile.count = count;
    tile.any_exceptions = false;
    std::fill_n(tile.exceptions, tile_blocks, std::uint16_t{0});
    zeros_ = false;
    if (!decode(tile, use)) return false;
    history_.append(count);
    return true;
  }

  // Whether the tile that was read last is known to be zeros; it may be zeros without.
  bool read_zeros() const { return zeros_; }

  bool at_end() const { return in_.size() == 0 && run_ == 0; }

 private:
  template <class Use>
  bool decode(Tile<T>& tile, Use use) {
    if (run_ == 0) {
      keep_end_readable();
      if (!read_kind()) return false;
      if (kind_ == bounded::TileKind::verbatim) return decode_verbatim(tile, use);
      if (kind_ == bounded::TileKind::integers) return decode_integers(tile, use);
      if (kind_ == bounded::TileKind::run) {
        if (in_.size() == 0) return false;
        run_ = static_cast<std::size_t>(*in_.p++) + 1;
      } else {
        if (!read_codes(in_, tile.blocks(), sizeof(T) * 8, kind_ == bounded::TileKind::sparse,
                        codes_)) {
          return false;
        }
        return restore(tile, use);
      }
    }
    --run_;
    if (predictor_ == Predictor::none || predictor_ == Predictor::previous) {
      const Int integer = predictor_ == Predictor::none ? Int{0} : tile.q[-1];
      zeros_ = integer == 0;
      hold(tile, integer, use);
      return true;
    }
    codes_.clear();
    return restore(tile, use);
  }

  // One integer for all values.
  template <class Use>
  static void hold(Tile<T>& tile, Int integer, Use use) {
    const auto held = Block<U>::fill(static_cast<U>(integer));
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      held.store(tile.q + b * block_values);
      use(held, b);
    }
  }

  template <class Use>
  bool decode_integers(Tile<T>& tile, Use use) {
    const std::size_t size = tile.count * sizeof(Int);
    if (predictor_ != Predictor::none || in_.size() < size) return false;
    std::memcpy(tile.q, in_.p, size);
    in_.p += size;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      use(Block<U>::load(tile.q + b * block_values), b);
    }
    return true;
  }

  // Unpacking reads behind a block. The last bytes are moved to where that is allowed.
  void keep_end_readable() {
    constexpr std::size_t enough = bounded::max_tile_size(sizeof(T)) + block_slack;
    if (moved_ || in_.size() >= enough) return;
    moved_ = true;
    const std::size_t size = in_.size();
    if (size != 0) std::memcpy(end_, in_.p, size);
    std::memset(end_ + size, 0, block_slack);
    in_ = {end_, end_ + size};
  }

  bool read_kind() {
    if (in_.size() == 0) return false;
    const auto byte = static_cast<unsigned>(*in_.p++);
    kind_ = static_cast<bounded::TileKind>(byte & 15);
    if (kind_ > bounded::TileKind::integers || byte >> 4 >= bounded::predictors) return false;
    predictor_ = static_cast<Predictor>(byte >> 4);
    return predictor_ != Predictor::row || row_length_ != 0;
  }

  template <class Use>
  bool decode_verbatim(Tile<T>& tile, Use use) {
    const std::size_t size = tile.count * sizeof(T);
    if (predictor_ != Predictor::none || in_.size() < size) return false;
    std::memcpy(tile.verbatim, in_.p, size);
    in_.p += size;
    for (std::size_t b = 0; b < tile.blocks(); ++b) tile.exceptions[b] = tile.all_lanes(b);
    tile.any_exceptions = true;
    hold(tile, tile.q[-1], use);
    return true;
  }

  template <class Use>
  bool restore(Tile<T>& tile, Use use) {
    if (codes_.any_exceptions) return unpack(tile) && restore_unpacked(tile, use);
    if (in_.size() < codes_.payload) return false;
    if (predictor_ == Predictor::row && row_length_ < block_values) {
      return unpack(tile) && restore_unpacked(tile, use);
    }
    with_predictor(predictor_, [&](auto constant) {
      Restorer<constant.value, Int> restorer(tile.q, row_length_);
      const std::byte* p = in_.p;
      for (std::size_t b = 0; b < tile.blocks(); ++b) {
        const auto folded = Block<U>::unpack(p, codes_.widths[b]);
        p += packed_size(codes_.widths[b]);
        use(restorer.next(folded, tile.q + b * block_values), b);
      }
      in_.p = p;
    });
    return true;
  }

  bool unpack(Tile<T>& tile) {
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      if (in_.size() < packed_size(codes_.widths[b])) return false;
      Block<U>::unpack(in_.p, codes_.widths[b]).store(residuals_ + b * block_values);
      in_.p += packed_size(codes_.widths[b]);
      if (codes_.codes[b] == bounded::code_exceptions && !read_exceptions(tile, b)) return false;
    }
    return true;
  }

  template <class Use>
  bool restore_unpacked(Tile<T>& tile, Use use) {
    if (predictor_ == Predictor::row && row_length_ < block_values) {
      restore_one_by_one(residuals_, tile.blocks() * block_values, predictor_, row_length_, tile.q);
      for (std::size_t b = 0; b < tile.blocks(); ++b) {
        use(Block<U>::load(tile.q + b * block_values), b);
      }
      return true;
    }
    with_predictor(predictor_, [&](auto constant) {
      Restorer<constant.value, Int> restorer(tile.q, row_length_);
      for (std::size_t b = 0; b < tile.blocks(); ++b) {
        use(restorer.next(Block<U>::load(residuals_ + b * block_values), tile.q + b * block_values),
            b);
      }
    });
    return true;
  }

  bool read_exceptions(Tile<T>& tile, std::size_t block) {
    std::uint16_t mask = 0;
    if (in_.size() < sizeof mask) return false;
    mask = load<std::uint16_t>(in_.p);
    in_.p += sizeof mask;
    if (mask == 0 || (mask & ~tile.all_lanes(block)) != 0) return false;
    const bool have_values = codes_.have_values[block] != 0;
    if (have_values && in_.size() < static_cast<std::size_t>(std::popcount(mask)) * sizeof(T)) {
      return false;
    }
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      T& value = tile.verbatim[block * block_values + i];
      value = -T{0};
      if (!have_values) continue;
      value = load<T>(in_.p);
      in_.p += sizeof(T);
    }
    tile.exceptions[block] = mask;
    tile.any_exceptions = true;
    return true;
  }

  std::size_t row_length_;
  Input in_;
  std::size_t run_ = 0;
  bool zeros_ = false;
  bounded::TileKind kind_ = bounded::TileKind::run;
  Predictor predictor_ = Predictor::none;
  BlockCodes codes_;
  bool moved_ = false;
  std::byte end_[bounded::max_tile_size(sizeof(T)) + 2 * block_slack];
  alignas(64) U residuals_[tile_values];
  History<Int> history_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
