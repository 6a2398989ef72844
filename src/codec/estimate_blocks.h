// What blocks of sampled integers would take in the streams of `bounded` and `exact`: the widths of
// their residuals under each predictor, and no more of the formats than that.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "codec/bounded_layout.h"

namespace tightwire::codec {

using bounded::block_values;
using bounded::Predictor;

// Two blocks of the message, with the values that their predictors look at.
struct Piece {
  static constexpr std::size_t blocks = 2;
  static constexpr std::size_t values = blocks * block_values;
  static constexpr std::size_t before = 2;

  std::array<std::int64_t, before + values> here{};
  std::array<std::int64_t, 1 + values> above{};
  bool has_above = false;
  std::uint32_t exceptions = 0;  // one bit for each value that has no integer
};

// Sums for one sample. Pieces go in neighbour by neighbour: a few share a predictor, as the tiles
// of a stream do.
class BlockCosts {
 public:
  // Bits of a value, and of the lanes that residuals wrap in.
  BlockCosts(unsigned value_bits, unsigned lane_bits)
      : value_bits_(value_bits), lane_bits_(lane_bits) {}

  void add(const Piece& piece) {
    for (std::size_t b = 0; b < Piece::blocks; ++b) add_block(piece, b * block_values);
    if (++pieces_ % pieces_per_choice == 0) close_group();
  }

  // Mean bits of a block. A sample that shows nothing but runs does not show what it missed; as if
  // the next piece would hold something, so that the ratio grows with the sample.
  [[nodiscard]] double bits_per_block() {
    close_group();
    const double with_unseen =
        (bits_ + bits_of_unseen) / static_cast<double>(blocks_ + Piece::blocks);
    return blocks_ == 0 ? with_unseen : std::max(with_unseen, bits_ / static_cast<double>(blocks_));
  }

  [[nodiscard]] Predictor most_chosen() const {
    std::size_t best = 0;
    for (std::size_t p = 1; p < bounded::predictors; ++p) {
      if (chosen_[p] > chosen_[best]) best = p;
    }
    return static_cast<Predictor>(best);
  }

 private:
  static constexpr std::size_t pieces_per_choice = 4;
  static constexpr double bits_of_code = 4;
  static constexpr double bits_of_width = 8;
  static constexpr double bits_of_unseen = 3.0 * Piece::values;
  static constexpr double bits_of_run = 16.0 / (bounded::tile_blocks * bounded::longest_run);
  // A share of the tile's own bytes.
  static constexpr double bits_of_tile = 16.0 / bounded::tile_blocks;

  [[nodiscard]] static std::uint64_t folded(std::uint64_t residual) {
    return residual << 1 ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(residual) >> 63);
  }

  void add_block(const Piece& piece, std::size_t first) {
    const std::int64_t* const q = piece.here.data() + Piece::before + first;
    const std::int64_t* const above = piece.above.data() + 1 + first;
    std::array<std::uint64_t, bounded::predictors> any{};
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{block_values}; ++i) {
      const auto value = static_cast<std::uint64_t>(q[i]);
      const std::uint64_t previous = value - static_cast<std::uint64_t>(q[i - 1]);
      const std::uint64_t before =
          static_cast<std::uint64_t>(q[i - 1]) - static_cast<std::uint64_t>(q[i - 2]);
      const std::uint64_t higher =
          static_cast<std::uint64_t>(above[i]) - static_cast<std::uint64_t>(above[i - 1]);
      any[0] |= folded(value);
      any[1] |= folded(previous);
      any[2] |= folded(previous - before);
      any[3] |= folded(previous - higher);
    }
    const auto kept = static_cast<unsigned>(
        std::popcount(piece.exceptions >> first & ((std::uint32_t{1} << block_values) - 1)));
    for (std::size_t p = 0; p < any.size(); ++p) {
      group_bits_[p] += block_bits(any[p], kept);
      if (any[p] != 0 || kept != 0) group_empty_[p] = false;
    }
    if (!piece.has_above) group_bits_[3] = 1e300;
    ++group_blocks_;
  }

  [[nodiscard]] double block_bits(std::uint64_t any, unsigned kept) const {
    const unsigned width = std::min(static_cast<unsigned>(std::bit_width(any)), lane_bits_);
    const double packed = static_cast<double>(width) * block_values;
    if (kept == 0) return packed;
    const double whole = static_cast<double>(block_values) * value_bits_;
    if (kept > bounded::most_exceptions) return whole + bits_of_width;
    return packed + bits_of_width + block_values + static_cast<double>(kept) * value_bits_;
  }

  void close_group() {
    if (group_blocks_ == 0) return;
    std::size_t best = 1;
    for (const std::size_t p : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
      if (group_bits_[p] < group_bits_[best]) best = p;
    }
    chosen_[best] += group_blocks_;
    const auto blocks = static_cast<double>(group_blocks_);
    // All zero: part of a run of tiles.
    const double fixed = blocks * (group_empty_[best] ? bits_of_run : bits_of_code + bits_of_tile);
    bits_ += group_bits_[best] + fixed;
    blocks_ += group_blocks_;
    group_bits_ = {};
    group_empty_ = {true, true, true, true};
    group_blocks_ = 0;
  }

  unsigned value_bits_;
  unsigned lane_bits_;
  std::size_t pieces_ = 0;
  double bits_ = 0;
  std::size_t blocks_ = 0;
  std::array<std::size_t, bounded::predictors> chosen_{};
  std::array<double, bounded::predictors> group_bits_{};
  std::array<bool, bounded::predictors> group_empty_{true, true, true, true};
  std::size_t group_blocks_ = 0;
};

}  // namespace tightwire::codec
