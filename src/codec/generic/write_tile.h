// Tiles of integers to bytes.
#pragma once

#include "codec/generic/pack.h"
#include "codec/generic/predict.h"
#include "codec/generic/quantise.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class TileWriter {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  TileWriter(const Grid<T>& grid, std::size_t row_length, std::span<std::byte> out)
      : grid_(grid), row_length_(row_length), out_(out), history_(row_length) {}

  // Where the integers of the next tile go.
  Int* next() { return history_.next(); }

  // tile.q is what next() gave. False: the output is too small.
  bool write(Tile<T>& tile) {
    std::byte coded[bounded::max_tile_size(sizeof(T))];
    const std::size_t size = code(tile, coded);
    history_.append(tile.count);
    if (size == 0) return true;  // counted as part of a run
    if (!end_run() || out_.size() - size_ < size) return false;
    std::memcpy(out_.data() + size_, coded, size);
    size_ += size;
    return true;
  }

  bool finish() { return end_run(); }
  std::size_t size() const { return size_; }

 private:
  static std::byte kind_byte(bounded::TileKind kind, Predictor predictor) {
    return std::byte(static_cast<unsigned>(kind) | static_cast<unsigned>(predictor) << 4);
  }

  std::size_t code(Tile<T>& tile, std::byte* out) {
    for (;;) {
      if (all_exceptions(tile)) return code_verbatim(tile, out);
      const Predictor predictor = choose(tile);
      measure(tile, predictor);
      if (give_up_wide_blocks(tile)) continue;
      if (!tile.any_exceptions && all_zero(tile)) {
        if (run_ == bounded::longest_run || run_predictor_ != predictor) {
          if (!end_run()) return 0;
        }
        run_predictor_ = predictor;
        ++run_;
        return 0;
      }
      return code_blocks(tile, predictor, out);
    }
  }

  bool end_run() {
    if (run_ == 0) return ok_;
    if (out_.size() - size_ < 2) return ok_ = false;
    out_[size_++] = kind_byte(bounded::TileKind::run, run_predictor_);
    out_[size_++] = std::byte(run_ - 1);
    run_ = 0;
    return ok_;
  }

  static bool all_exceptions(const Tile<T>& tile) {
    if (!tile.any_exceptions) return false;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      if (tile.exceptions[b] != tile.all_lanes(b)) return false;
    }
    return true;
  }

  bool all_zero(const Tile<T>& tile) const {
    return std::all_of(widths_, widths_ + tile.blocks(), [](unsigned w) { return w == 0; });
  }

  std::size_t code_verbatim(Tile<T>& tile, std::byte* out) {
    std::fill_n(tile.q, tile.count, tile.q[-1]);
    out[0] = kind_byte(bounded::TileKind::verbatim, Predictor::none);
    std::memcpy(out + 1, tile.verbatim, tile.count * sizeof(T));
    return 1 + tile.count * sizeof(T);
  }

  // Residuals and widths under a predictor; returns the bits of all blocks.
  std::size_t measure(Tile<T>& tile, Predictor predictor) {
    predict_exceptions(tile, predictor, row_length_);
    predict_tile(tile, predictor, row_length_, residuals_);
    std::size_t bits = 0;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      widths_[b] = static_cast<std::uint8_t>(block_width(residuals_ + b * block_values));
      bits += widths_[b];
    }
    return bits;
  }

  Predictor choose(Tile<T>& tile) {
    Predictor best = Predictor::previous;
    std::size_t best_bits = measure(tile, best);
    for (const Predictor other : {Predictor::none, Predictor::second, Predictor::row}) {
      if (best_bits == 0) break;
      if (other == Predictor::row && row_length_ == 0) continue;
      const std::size_t bits = measure(tile, other);
      if (bits < best_bits) {
        best = other;
        best_bits = bits;
      }
    }
    return best;
  }

  static int values_kept(const Tile<T>& tile, std::size_t block) {
    int kept = 0;
    for (std::size_t i = 0; i < tile.lanes(block); ++i) {
      if ((tile.exceptions[block] >> i & 1) != 0 &&
          !is_negative_zero(tile.verbatim[block * block_values + i])) {
        ++kept;
      }
    }
    return kept;
  }

  // Only sums have integers so wide that a block with exceptions outgrows its values.
  bool give_up_wide_blocks(Tile<T>& tile) {
    if (!tile.any_exceptions) return false;
    bool any = false;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      const std::uint16_t mask = tile.exceptions[b];
      if (mask == 0 || mask == tile.all_lanes(b)) continue;
      const auto kept = static_cast<std::size_t>(values_kept(tile, b));
      if (packed_size(widths_[b]) + kept * sizeof(T) <= block_values * sizeof(T)) continue;
      for (std::size_t i = 0; i < tile.lanes(b); ++i) {
        if ((mask >> i & 1) == 0) {
          tile.verbatim[b * block_values + i] = dequantise_one(tile.q[b * block_values + i], grid_);
        }
      }
      tile.exceptions[b] = tile.all_lanes(b);
      any = true;
    }
    return any;
  }

  // One below the narrowest width, so that codes 1 to 13 reach as far up as they can.
  unsigned width_base(const Tile<T>& tile) const {
    unsigned narrowest = 256;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      if (widths_[b] != 0 && !has_exceptions(tile, b)) {
        narrowest = std::min<unsigned>(narrowest, widths_[b]);
      }
    }
    return narrowest == 256 ? 0 : narrowest - 1;
  }

  static bool has_exceptions(const Tile<T>& tile, std::size_t block) {
    return tile.any_exceptions && tile.exceptions[block] != 0;
  }

  unsigned block_code(const Tile<T>& tile, std::size_t block, unsigned base) const {
    if (has_exceptions(tile, block)) return bounded::code_exceptions;
    if (widths_[block] == 0) return 0;
    return std::min<unsigned>(widths_[block] - base, bounded::code_wide);
  }

  std::size_t code_blocks(const Tile<T>& tile, Predictor predictor, std::byte* out) const {
    const std::size_t blocks = tile.blocks();
    const unsigned base = width_base(tile);
    std::uint8_t codes[tile_blocks];
    std::uint64_t map = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      codes[b] = static_cast<std::uint8_t>(block_code(tile, b, base));
      if (codes[b] != 0) map |= std::uint64_t{1} << b;
    }
    const auto used = static_cast<std::size_t>(std::popcount(map));
    const bool sparse = 8 + (used + 1) / 2 < (blocks + 1) / 2;
    std::byte* p = out;
    *p++ = kind_byte(sparse ? bounded::TileKind::sparse : bounded::TileKind::dense, predictor);
    *p++ = std::byte(base);
    if (sparse) {
      std::memcpy(p, &map, sizeof map);
      p += sizeof map;
    }
    std::size_t nibbles = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      if (sparse && codes[b] == 0) continue;
      if (nibbles % 2 == 0) {
        *p++ = std::byte(codes[b]);
      } else {
        p[-1] |= std::byte(codes[b] << 4);
      }
      ++nibbles;
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      if (codes[b] == bounded::code_wide) *p++ = std::byte(widths_[b]);
      if (codes[b] == bounded::code_exceptions) {
        *p++ = std::byte(widths_[b] |
                         (values_kept(tile, b) != 0 ? bounded::exceptions_have_values : 0));
      }
    }
    for (std::size_t b = 0; b < blocks; ++b) p = code_block(tile, b, p);
    return static_cast<std::size_t>(p - out);
  }

  std::byte* code_block(const Tile<T>& tile, std::size_t block, std::byte* p) const {
    pack_block(residuals_ + block * block_values, widths_[block], p);
    p += packed_size(widths_[block]);
    if (!has_exceptions(tile, block)) return p;
    const std::uint16_t mask = tile.exceptions[block];
    store(mask, p);
    p += sizeof mask;
    if (values_kept(tile, block) == 0) return p;
    for (std::size_t i = 0; i < tile.lanes(block); ++i) {
      if ((mask >> i & 1) == 0) continue;
      store(tile.verbatim[block * block_values + i], p);
      p += sizeof(T);
    }
    return p;
  }

  const Grid<T>& grid_;
  std::size_t row_length_;
  std::span<std::byte> out_;
  std::size_t size_ = 0;
  std::size_t run_ = 0;
  Predictor run_predictor_ = Predictor::none;
  bool ok_ = true;
  U residuals_[tile_values];
  std::uint8_t widths_[tile_blocks];
  History<Int> history_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
