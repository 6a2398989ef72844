// Tiles of integers to bytes.
#pragma once

#include "codec/generic/predict.h"
#include "codec/generic/quantise.h"
#include "codec/generic/write_blocks.h"

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
    if (tile.any_exceptions) {
      write_with_exceptions(tile);
    } else {
      find_residuals(tile);
      if (!extend_run(tile)) write_blocks(tile);
    }
    history_.append(tile.count);
    return ok_;
  }

  bool finish() {
    end_run();
    return ok_;
  }
  std::size_t size() const { return size_; }

 private:
  // What a tile may take, and what packing may write behind it.
  static constexpr std::size_t room = bounded::max_tile_size(sizeof(T)) + block_slack;
  // The predictor is chosen anew this often: what suits a tile suits its neighbours.
  static constexpr int tiles_per_choice = 8;
  static constexpr std::size_t sample_blocks = 16;

  void write_with_exceptions(Tile<T>& tile) {
    for (;;) {
      if (all_exceptions(tile)) {
        std::fill_n(tile.q, tile.count, tile.q[-1]);
        end_run();
        put(bounded::kind_byte(bounded::TileKind::verbatim, Predictor::none));
        put(tile.verbatim, tile.count * sizeof(T));
        return;
      }
      find_residuals(tile);
      if (!give_up_wide_blocks(tile)) break;
    }
    write_blocks(tile);
  }

  void find_residuals(Tile<T>& tile) {
    const bool zero = continues(tile) || (measure(tile, predictor_), all_zero());
    if (!zero && (tiles_left_ == 0 || after_zero_)) {
      const Predictor best = choose(tile);
      if (best != predictor_ || tile.any_exceptions) measure(tile, best);
      predictor_ = best;
      tiles_left_ = tiles_per_choice;
    }
    if (!zero) --tiles_left_;
    after_zero_ = zero;
  }

  // Whether a tile obviously leaves no residuals: quicker than to find them.
  bool continues(const Tile<T>& tile) const {
    return predictor_ == Predictor::previous && !tile.any_exceptions &&
           std::memcmp(tile.q, tile.q - 1, tile.count * sizeof(Int)) == 0;
  }

  bool all_zero() const {
    std::uint64_t any = 0;
    for (std::size_t b = 0; b < tile_blocks; b += 8) any |= load<std::uint64_t>(widths_ + b);
    return any == 0;
  }

  void measure(Tile<T>& tile, Predictor predictor) {
    predict_exceptions(tile, predictor, row_length_);
    predict_tile(tile, predictor, row_length_, residuals_);
    block_widths(residuals_, tile_blocks, widths_);
  }

  Predictor choose(Tile<T>& tile) {
    Predictor best = Predictor::previous;
    unsigned best_bits = sampled_bits(tile, best);
    for (const Predictor other : {Predictor::none, Predictor::second, Predictor::row}) {
      if (other == Predictor::row && row_length_ == 0) continue;
      const unsigned bits = sampled_bits(tile, other);
      if (bits < best_bits) {
        best = other;
        best_bits = bits;
      }
    }
    return best;
  }

  unsigned sampled_bits(Tile<T>& tile, Predictor predictor) {
    predict_exceptions(tile, predictor, row_length_);
    const std::size_t whole = tile.count / block_values;
    const std::size_t stride = std::max<std::size_t>(whole / sample_blocks, 1);
    alignas(64) U sample[sample_blocks * block_values] = {};
    with_predictor(predictor, [&](auto constant) {
      for (std::size_t i = 0; i < std::min(whole, sample_blocks); ++i) {
        residual_block<constant.value>(tile.q + i * stride * block_values, row_length_)
            .store(sample + i * block_values);
      }
    });
    std::uint8_t widths[sample_blocks];
    block_widths(sample, sample_blocks, widths);
    unsigned bits = 0;
    for (const std::uint8_t width : widths) bits += width;
    return bits;
  }

  static bool all_exceptions(const Tile<T>& tile) {
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      if (tile.exceptions[b] != tile.all_lanes(b)) return false;
    }
    return true;
  }

  // Only sums have integers so wide that a block with exceptions outgrows its values.
  bool give_up_wide_blocks(Tile<T>& tile) {
    bool any = false;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      const std::uint16_t mask = tile.exceptions[b];
      if (mask == 0 || mask == tile.all_lanes(b)) continue;
      const auto kept = static_cast<std::size_t>(values_kept(tile, b));
      if (packed_size(widths_[b]) + kept * sizeof(T) <= block_values * sizeof(T)) continue;
      const std::size_t first = b * block_values;
      for (std::size_t i = 0; i < tile.lanes(b); ++i) {
        if ((mask >> i & 1) != 0) continue;
        tile.verbatim[first + i] = dequantise_one(tile.q[first + i], grid_);
      }
      tile.exceptions[b] = tile.all_lanes(b);
      any = true;
    }
    return any;
  }

  // Whether the tile leaves nothing to write but its place in a run.
  bool extend_run(const Tile<T>&) {
    if (!after_zero_) return false;
    if (run_ == bounded::longest_run || run_predictor_ != predictor_) end_run();
    run_predictor_ = predictor_;
    ++run_;
    return true;
  }

  void end_run() {
    if (run_ == 0) return;
    put(bounded::kind_byte(bounded::TileKind::run, run_predictor_));
    put(std::byte(run_ - 1));
    run_ = 0;
  }

  void write_blocks(const Tile<T>& tile) {
    end_run();
    if (!ok_) return;
    std::byte spare[room];
    const bool in_place = out_.size() - size_ >= room;
    std::byte* const to = in_place ? out_.data() + size_ : spare;
    const std::size_t size = code_blocks(tile, predictor_, residuals_, widths_, to);
    if (!tile.any_exceptions && size > 1 + tile.count * sizeof(Int)) {
      put(bounded::kind_byte(bounded::TileKind::integers, Predictor::none));
      put(tile.q, tile.count * sizeof(Int));
    } else if (in_place) {
      size_ += size;
    } else {
      put(spare, size);
    }
  }

  void put(std::byte one) { put(&one, 1); }
  void put(const void* bytes, std::size_t size) {
    if (out_.size() - size_ < size) ok_ = false;
    if (!ok_) return;
    std::memcpy(out_.data() + size_, bytes, size);
    size_ += size;
  }

  const Grid<T>& grid_;
  std::size_t row_length_;
  std::span<std::byte> out_;
  std::size_t size_ = 0;
  bool ok_ = true;
  std::size_t run_ = 0;
  Predictor run_predictor_ = Predictor::none;
  Predictor predictor_ = Predictor::previous;
  int tiles_left_ = 0;
  bool after_zero_ = false;
  alignas(64) U residuals_[tile_values];
  alignas(64) std::uint8_t widths_[tile_blocks];
  History<Int> history_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
