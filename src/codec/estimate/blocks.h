// What blocks of sampled integers would take in the streams of `bounded` and `exact`: the widths of
// their residuals under each predictor, and no more of the formats than that.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>

#include "codec/bounded/layout.h"
#include "codec/estimate/integers.h"

namespace tightwire::codec {

using bounded::block_values;
using bounded::Predictor;

// Two blocks of the message, with the values that their predictors look at.
struct Piece {
  static constexpr std::size_t blocks = 2;
  static constexpr std::size_t values = blocks * block_values;
  static constexpr std::size_t before = 2;

  using Row = std::array<std::int64_t, 1 + values>;

  std::array<std::int64_t, before + values> here{};
  std::array<Row, bounded::most_rows> above{};  // the nearest first
  std::size_t rows = 0;                         // of these: 0, 1 or all
  bool plane = false;                           // whether there are planes
  Row behind{};                                 // in the one before; zeros in the first
  Row behind_above{};
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
    const double bits = bits_of(best_way());
    const double with_unseen =
        (bits + bits_of_unseen) / static_cast<double>(blocks_ + Piece::blocks);
    return blocks_ == 0 ? with_unseen : std::max(with_unseen, bits / static_cast<double>(blocks_));
  }

  [[nodiscard]] Predictor most_chosen() const {
    const Choices& chosen = ways_[best_way()].chosen;
    const auto best = std::max_element(chosen.begin(), chosen.end());
    return static_cast<Predictor>(best - chosen.begin());
  }

 private:
  static constexpr std::size_t pieces_per_choice = 4;
  static constexpr double bits_of_code = 4;
  static constexpr double bits_of_close_code = 2;
  static constexpr double bits_of_width = 8;
  static constexpr double bits_of_unseen = 3.0 * Piece::values;
  static constexpr double bits_of_run = 16.0 / (bounded::tile_blocks * bounded::longest_run);
  // A share of the tile's own bytes.
  static constexpr double bits_of_tile = 16.0 / bounded::tile_blocks;

  void add_block(const Piece& piece, std::size_t first) {
    const std::int64_t* const q = piece.here.data() + Piece::before + first;
    std::array<std::uint64_t, bounded::predictors> any{};
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{block_values}; ++i) {
      const auto value = static_cast<std::uint64_t>(q[i]);
      const std::uint64_t previous = value - static_cast<std::uint64_t>(q[i - 1]);
      const std::uint64_t before =
          static_cast<std::uint64_t>(q[i - 1]) - static_cast<std::uint64_t>(q[i - 2]);
      const auto at = first + static_cast<std::size_t>(i);
      const std::uint64_t higher = continued(piece, at + 1, false) - continued(piece, at, false);
      const std::uint64_t continued_higher =
          continued(piece, at + 1, true) - continued(piece, at, true);
      any[0] |= folded(value);
      any[1] |= folded(previous);
      any[2] |= folded(previous - before);
      any[3] |= folded(previous - higher);
      any[4] |= folded(previous - continued_higher);
      const std::uint64_t behind = slope(piece.behind, at);
      any[5] |= folded(previous - behind);
      any[6] |= folded(previous - higher - (behind - slope(piece.behind_above, at)));
    }
    const auto kept = static_cast<unsigned>(
        std::popcount(piece.exceptions >> first & ((std::uint32_t{1} << block_values) - 1)));
    for (std::size_t p = 0; p < any.size(); ++p) {
      group_[p].bits += block_bits(any[p], kept);
      if (any[p] != 0 || kept != 0) group_[p].empty = false;
      group_[p].add_width(kept != 0 ? 255 : static_cast<int>(std::bit_width(any[p])));
    }
    if (piece.rows < 1) group_[3].bits = impossible;
    if (piece.rows < bounded::most_rows) group_[4].bits = impossible;
    if (!piece.plane) group_[5].bits = group_[6].bits = impossible;
    ++group_blocks_;
  }

  // From the value before a place to that at it.
  [[nodiscard]] static std::uint64_t slope(const Piece::Row& row, std::size_t i) {
    return static_cast<std::uint64_t>(row[i + 1]) - static_cast<std::uint64_t>(row[i]);
  }

  // What the row, or the rows, above say of a place.
  [[nodiscard]] static std::uint64_t continued(const Piece& piece, std::size_t i, bool all_rows) {
    const auto one = static_cast<std::uint64_t>(piece.above[0][i]);
    if (!all_rows) return one;
    const auto two = static_cast<std::uint64_t>(piece.above[1][i]);
    const auto bend =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(piece.above[2][i]) - two);
    return 2 * one - two + static_cast<std::uint64_t>(bend >> 1);
  }

  [[nodiscard]] double block_bits(std::uint64_t any, unsigned kept) const {
    const unsigned width = std::min(static_cast<unsigned>(std::bit_width(any)), lane_bits_);
    const double packed = static_cast<double>(width) * block_values;
    if (kept == 0) return packed;
    const double whole = static_cast<double>(block_values) * value_bits_;
    const double apart = packed + bits_of_width + static_cast<double>(kept) * value_bits_;
    return std::min(apart, whole) + bits_of_width + block_values;
  }

  void close_group() {
    if (group_blocks_ == 0) return;
    std::size_t best = 1;
    for (const std::size_t p : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
      if (group_[p].bits < group_[best].bits) best = p;
    }
    add_group(ways_[near], best);
    add_group(ways_[rows], better_with({Predictor::rows}, best));
    add_group(ways_[planes], better_with({Predictor::plane, Predictor::cube}, best));
    blocks_ += group_blocks_;
    group_ = {};
    group_blocks_ = 0;
  }

  [[nodiscard]] double bits_of_group(std::size_t predictor) const {
    const Group& group = group_[predictor];
    const auto blocks = static_cast<double>(group_blocks_);
    if (group.empty) return blocks * bits_of_run;  // part of a run of tiles
    const bool close = group.widest <= group.narrowest + int{bounded::most_above_base};
    return group.bits + blocks * (bits_of_tile + (close ? bits_of_close_code : bits_of_code));
  }

  [[nodiscard]] std::size_t better_with(std::initializer_list<Predictor> others,
                                        std::size_t best) const {
    for (const Predictor predictor : others) {
      const auto other = static_cast<std::size_t>(predictor);
      if (group_[other].bits < group_[best].bits * far_price) best = other;
    }
    return best;
  }

  // As the encoder decides, from a sample of its own.
  [[nodiscard]] std::size_t best_way() const {
    std::size_t best = near;
    for (const std::size_t way : {rows, planes}) {
      const double price = best == near ? reach_price : 1;
      if (bits_of(way) < bits_of(best) * price) best = way;
    }
    return best;
  }
  [[nodiscard]] double bits_of(std::size_t way) const { return ways_[way].bits; }

  static constexpr double impossible = 1e300;
  static constexpr double far_price = 1 - 1.0 / 32;
  static constexpr double reach_price = 1 - 1.0 / 20;

  struct Group {  // under one predictor
    double bits = 0;
    bool empty = true;
    int narrowest = 255;
    int widest = 0;

    void add_width(int width) {
      narrowest = std::min(narrowest, width);
      widest = std::max(widest, width);
    }
  };
  using Choices = std::array<std::size_t, bounded::predictors>;
  struct Way {  // how far predictors look
    double bits = 0;
    Choices chosen{};
  };
  static constexpr std::size_t near = 0;  // one row up, at most
  static constexpr std::size_t rows = 1;
  static constexpr std::size_t planes = 2;

  void add_group(Way& way, std::size_t predictor) {
    way.bits += bits_of_group(predictor);
    way.chosen[predictor] += group_blocks_;
  }

  unsigned value_bits_;
  unsigned lane_bits_;
  std::size_t pieces_ = 0;
  std::size_t blocks_ = 0;
  std::array<Way, 3> ways_{};
  std::array<Group, bounded::predictors> group_{};
  std::size_t group_blocks_ = 0;
};

}  // namespace tightwire::codec
