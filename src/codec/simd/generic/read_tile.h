// Bytes to tiles of integers. The bytes are not trusted.
#pragma once

#include "codec/simd/generic/history.h"
#include "codec/simd/generic/masked/mask.h"
#include "codec/simd/generic/predict.h"
#include "codec/simd/generic/quantise.h"
#include "codec/simd/generic/read_exceptions.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class TileReader {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  // `planes` is of a PlaneMemory, if the rows make planes.
  TileReader(bounded::Rows rows, std::span<const std::byte> in, Int* planes = nullptr)
      : rows_(rows), in_{in.data(), in.data() + in.size()}, history_(rows, planes) {}

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
    tile.any_masked = false;
    constant_ = zeros_ = false;
    std::fill_n(tile.exceptions, tile_blocks, std::uint16_t{0});
    if (!decode(tile, use)) return false;
    history_.append(count, constant_);
    return true;
  }

  // Whether the next tile is known to be zeros; it may be without.
  bool zeros_next() const { return zeros_ && run_ > 0; }

  bool at_end() const { return in_.size() == 0 && run_ == 0; }
  // Where the next tile is. Readers that take turns hand it on.
  Input& input() { return in_; }

 private:
  template <class Use>
  bool decode(Tile<T>& tile, Use use) {
    if (run_ == 0) {
      keep_end_readable();
      if (!read_kind()) return false;
      if (kind_ == bounded::TileKind::verbatim) return decode_verbatim(tile, use);
      if (kind_ == bounded::TileKind::integers) return decode_integers(tile, use);
      if (kind_ == bounded::TileKind::masked) return decode_masked(tile, use);
      if (kind_ == bounded::TileKind::run || kind_ == bounded::TileKind::fill) {
        if (in_.size() == 0) return false;
        run_ = static_cast<std::size_t>(*in_.p++) + 1;
      } else {
        if (kind_ == bounded::TileKind::close && tile.blocks() != tile_blocks) return false;
        if (!read_codes(in_, tile.blocks(), sizeof(T) * 8, kind_, codes_)) return false;
        return restore(tile, use);
      }
    }
    --run_;
    if (kind_ == bounded::TileKind::fill) return hold_fill(tile, use);
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
  void hold(Tile<T>& tile, Int integer, Use use) {
    constant_ = integer == tile.q[-1];
    const auto held = Block<U>::fill(static_cast<U>(integer));
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      held.store(tile.q + b * block_values);
      use(held, b);
    }
  }

  // Then a block's values predict each other.
  bool rows_are_short() const { return row_order_of(predictor_) != 0 && apart_.row < block_values; }

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
    if (kind_ == bounded::TileKind::masked || kind_ == bounded::TileKind::fill) {
      return read_fill(byte >> 4);
    }
    if (kind_ > bounded::TileKind::close || byte >> 4 >= bounded::predictors) return false;
    predictor_ = static_cast<Predictor>(byte >> 4);
    return bounded::usable(predictor_, rows_);
  }

  // Whether another fill value follows.
  bool read_fill(unsigned another) {
    if (another == 0) return has_fill_;
    if (another != 1 || in_.size() < sizeof fill_) return false;
    fill_ = load<T>(in_.p);
    in_.p += sizeof fill_;
    has_fill_ = true;
    return true;
  }

  void put_fill(Tile<T>& tile) {
    tile.fill = fill_;
    tile.any_masked = true;
    tile.any_exceptions = true;
  }

  template <class Use>
  bool hold_fill(Tile<T>& tile, Use use) {
    for (std::size_t b = 0; b < tile.blocks(); ++b) tile.masked[b] = tile.all_lanes(b);
    put_fill(tile);
    hold(tile, tile.q[-1], use);
    return true;
  }

  // The tile of the blocks that are not fill values alone.
  template <class Use>
  bool decode_masked(Tile<T>& tile, Use use) {
    if (!read_mask(in_, tile) || !read_kind()) return false;
    put_fill(tile);
    bool left_out[tile_blocks];
    std::size_t given = 0;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      left_out[b] = tile.masked[b] == tile.all_lanes(b);
      given += left_out[b] ? 0 : 1;
    }
    switch (kind_) {
      case bounded::TileKind::run:
        codes_.clear();
        break;
      case bounded::TileKind::dense:
      case bounded::TileKind::sparse:
      case bounded::TileKind::close:
        if (!read_codes(in_, given, sizeof(T) * 8, kind_, codes_)) return false;
        codes_.spread(left_out, tile.blocks(), given);
        break;
      default:
        return false;
    }
    return restore(tile, use);
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
    if (rows_are_short()) return unpack(tile) && restore_unpacked(tile, use);
    with_predictor(
        predictor_, [&](auto constant) __attribute__((always_inline)) {
          Restorer<constant.value, Int> restorer(tile.q, apart_);
          const std::byte* p = in_.p;
          for (std::size_t b = 0; b < tile.blocks(); ++b) {
            const auto folded = Block<U>::unpack(p, codes_.widths[b]);
            p += packed_size(codes_.widths[b]);
            fetch_next_tile_to_write<T>(reinterpret_cast<std::byte*>(tile.q + b * block_values));
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
      const bool exceptions = codes_.any_exceptions && codes_.codes[b] == bounded::code_exceptions;
      if (exceptions && !read_exceptions(tile, b)) return false;
    }
    return true;
  }

  template <class Use>
  bool restore_unpacked(Tile<T>& tile, Use use) {
    if (codes_.any_words || rows_are_short()) {
      restore_one_by_one(tile);
      for (std::size_t b = 0; b < tile.blocks(); ++b) {
        use(Block<U>::load(tile.q + b * block_values), b);
      }
      return true;
    }
    with_predictor(
        predictor_, [&](auto constant) __attribute__((always_inline)) {
          Restorer<constant.value, Int> restorer(tile.q, apart_);
          for (std::size_t b = 0; b < tile.blocks(); ++b) {
            use(restorer.next(Block<U>::load(residuals_ + b * block_values),
                              tile.q + b * block_values),
                b);
          }
        });
    return true;
  }

  // Rows shorter than a block, and blocks of words.
  void restore_one_by_one(Tile<T>& tile) {
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      const unsigned given =
          codes_.any_words && codes_.words[b] ? ~unsigned{tile.exceptions[b]} : 0;
      for (std::size_t i = 0; i < tile.lanes(b); ++i) {
        if ((given >> i & 1) != 0) continue;
        Int* const q = tile.q + b * block_values + i;
        *q = static_cast<Int>(unfold_sign(residuals_[b * block_values + i]) +
                              static_cast<U>(predict_one(q, predictor_, apart_)));
      }
    }
  }

  bool read_exceptions(Tile<T>& tile, std::size_t block) {
    std::uint16_t mask = 0;
    if (in_.size() < sizeof mask) return false;
    mask = load<std::uint16_t>(in_.p);
    in_.p += sizeof mask;
    if (mask == 0 || (mask & ~tile.all_lanes(block)) != 0) return false;
    if (tile.any_masked && (mask & tile.masked[block]) != 0) return false;
    tile.exceptions[block] = mask;
    tile.any_exceptions = true;
    if (codes_.words[block]) return read_words(tile, block);
    T* const verbatim = tile.verbatim + block * block_values;
    if (codes_.have_values[block] != 0) return read_kept(in_, mask, verbatim);
    for_each_exception(mask, [&](std::size_t i) { verbatim[i] = -T{0}; });
    return true;
  }

  bool read_words(Tile<T>& tile, std::size_t block) {
    const std::size_t first = block * block_values;
    const std::size_t size = tile.lanes(block) * sizeof(T);
    if (in_.size() < size) return false;
    std::memcpy(tile.verbatim + first, in_.p, size);
    std::memcpy(tile.q + first, in_.p, size);
    in_.p += size;
    return true;
  }

  bounded::Rows rows_;
  Distances apart_ = rows_.apart();
  Input in_;
  std::size_t run_ = 0;
  bool zeros_ = false;
  bool has_fill_ = false;
  T fill_ = 0;
  bounded::TileKind kind_ = bounded::TileKind::run;
  Predictor predictor_ = Predictor::none;
  BlockCodes codes_;
  bool constant_ = false;  // the tile repeats the integer before it
  bool moved_ = false;
  std::byte end_[bounded::max_tile_size(sizeof(T)) + 2 * block_slack];
  alignas(64) U residuals_[tile_values];
  History<Int> history_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
