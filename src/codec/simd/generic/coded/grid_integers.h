// All integers of a message on a grid, in one piece, and tiles of whatever the grid does not hold.
#pragma once

#include "codec/simd/generic/bounded_kernels.h"
#include "codec/simd/generic/coded/gaps.h"
#include "codec/simd/generic/history/grid_prediction.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Quantises a message. Values that the grid does not hold go to tiles, and leave gaps.
template <class T>
class GridQuantiser {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  // There is one before the first of the integers.
  GridQuantiser(const Grid<T>& grid, U* integers, std::uint16_t* gap_masks,
                std::span<std::byte> tiles)
      : grid_(grid), integers_(integers), gap_masks_(gap_masks), kept_({}, tiles) {
    tile_.any_exceptions = false;
  }

  // False: the output is too small.
  bool add_all(std::span<const std::byte> values) {
    const Error error =
        for_each_tile(values.size() / sizeof(T), [&](std::size_t first, std::size_t count) {
          quantise(values.data() + first * sizeof(T), first, count);
          return keep() ? Error::none : Error::output_too_small;
        });
    return error == Error::none && (gaps_ == 0 || kept_.ok());
  }
  // What follows is less what references say of it; see GridPrediction::subtract().
  void predict_from(GridPrediction<T>& in_time, std::span<std::byte> left_out) {
    in_time_ = &in_time;
    left_out_ = left_out;
  }

  std::size_t gaps() const { return gaps_; }
  std::size_t tiles_size() const { return gaps_ == 0 ? 0 : kept_.size(); }

 private:
  void quantise(const std::byte* values, std::size_t first, std::size_t count) {
    tile_.q = reinterpret_cast<Int*>(integers_ + first);
    tile_.count = count;
    quantise_tile(values, grid_, tile_);
    if (in_time_ != nullptr) in_time_->subtract(first, tile_, left_out_);
    std::uint16_t* const gaps = gap_masks_ + first / block_values;
    if (tile_.any_exceptions) {
      std::copy_n(tile_.exceptions, tile_.blocks(), gaps);
      hold_gaps(integers_ + first, count, gaps);
      gaps_ += count_gaps(gaps, count);
    } else {
      std::fill_n(gaps, tile_.blocks(), std::uint16_t{0});
    }
  }

  // Where there are no gaps at all there are no tiles.
  bool keep() {
    if (gaps_ == 0) {
      ++tiles_before_;
      return true;
    }
    return keep_those_before() && keep_with_zeros(tile_);
  }

  bool keep_those_before() {
    Tile<T> plain;
    plain.any_exceptions = false;
    plain.count = tile_values;
    for (; tiles_before_ > 0; --tiles_before_) {
      if (!keep_with_zeros(plain)) return false;
    }
    return true;
  }

  bool keep_with_zeros(Tile<T>& tile) {
    tile.q = kept_.next();
    std::fill_n(tile.q, tile_values, Int{0});
    return kept_.write(tile);
  }

  Grid<T> grid_;
  U* integers_;
  std::uint16_t* gap_masks_;
  Tile<T> tile_;
  TileWriter<T> kept_;
  GridPrediction<T>* in_time_ = nullptr;
  std::span<std::byte> left_out_;
  std::size_t gaps_ = 0;
  std::size_t tiles_before_ = 0;  // before the first gap
};

// The tiles beside the integers, one after the other.
template <class T>
class KeptTiles {
 public:
  KeptTiles(std::span<const std::byte> tiles) : none_(tiles.empty()), reader_({}, tiles) {
    tile_.any_exceptions = false;
  }

  // Sets the gaps of the next tile, if it has any. False: damaged.
  bool next(std::size_t count, GapMasks& gaps) {
    tile_.count = count;
    if (none_) return true;
    if (!reader_.read(count, tile_)) return false;
    if (!tile_.any_exceptions) return true;
    std::copy_n(tile_.exceptions, tile_.blocks(), gaps_);
    if (tile_.any_masked) {
      for (std::size_t b = 0; b < tile_.blocks(); ++b) {
        gaps_[b] = static_cast<std::uint16_t>(gaps_[b] | tile_.masked[b]);
      }
    }
    gaps = gaps_;
    return true;
  }

  // The last tile with these integers.
  Tile<T>& with(typename Lane<T>::Int* q) {
    tile_.q = q;
    return tile_;
  }

  bool at_end() const { return none_ || reader_.at_end(); }

 private:
  bool none_;
  TileReader<T> reader_;
  Tile<T> tile_;
  std::uint16_t gaps_[tile_blocks];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
