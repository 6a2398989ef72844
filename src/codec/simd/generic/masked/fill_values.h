// Exceptions of a tile that are all the same: a fill value, written once.
#pragma once

#include "codec/simd/generic/masked/mask.h"
#include "codec/simd/generic/predict.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// From one number to another in steps that are alike.
template <class U>
void ramp(U from, U to, U* lanes, std::size_t count) {
  using Int = std::make_signed_t<U>;
  const auto steps = static_cast<Int>(count + 1);
  const auto step = static_cast<U>(static_cast<Int>(to - from) / steps);
  for (std::size_t i = 0; i < count; ++i) lanes[i] = from += step;
}

// A block's lanes of the mask become the lane before them, or lead from there to the one behind
// them, so that what a gap leaves as a residual is shared.
template <class U>
U hold_lanes(std::uint16_t mask, U before, U* lanes) {
  for (unsigned rest = mask; rest != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned end = first + static_cast<unsigned>(std::countr_one(rest >> first));
    if (first != 0) before = lanes[first - 1];
    if (end == block_values) {
      std::fill(lanes + first, lanes + end, before);
      return before;
    }
    ramp(before, lanes[end], lanes + first, end - first);
    rest &= ~0u << end;
  }
  return lanes[block_values - 1];
}

template <class T>
class FillValues {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;
  using B = Block<U>;

  enum class Found { none, some, all };

  // Takes fill values off the exceptions, where that pays.
  Found find(Tile<T>& tile) {
    std::size_t repeats = mark(tile, value);
    if (!is_worth_a_mask(tile, repeats)) {
      const T other = first_exception(tile);
      repeats = mark(tile, other);
      if (!is_worth_a_mask(tile, repeats)) return Found::none;
      value = other;
    }
    std::uint16_t left = 0;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      tile.exceptions[b] = static_cast<std::uint16_t>(tile.exceptions[b] & ~masked[b]);
      left = static_cast<std::uint16_t>(left | tile.exceptions[b]);
    }
    tile.any_exceptions = left != 0;
    std::fill(masked + tile.blocks(), masked + tile_blocks, std::uint16_t{0});
    return repeats == tile.count ? Found::all : Found::some;
  }

  // Gives masked lanes, and exceptions, integers that leave no residuals, or small ones.
  void hold(Tile<T>& tile, Predictor predictor, Distances apart) const {
    const bool short_rows = row_order_of(predictor) != 0 && apart.row < block_values;
    if (tile.any_exceptions || short_rows || predictor == Predictor::second) {
      for (std::size_t b = 0; b < tile.blocks(); ++b) {
        for_each_exception(masked[b] | tile.exceptions[b], [&](std::size_t i) {
          Int* const q = tile.q + b * block_values + i;
          *q = predict_one(q, predictor, apart);
        });
      }
      return;
    }
    with_predictor(predictor, [&](auto constant) { hold_blocks<constant.value>(tile, apart); });
  }

  T value = std::numeric_limits<T>::quiet_NaN();
  std::uint16_t masked[tile_blocks];

 private:
  static constexpr std::size_t least_repeats = 8;

  static T first_exception(const Tile<T>& tile) {
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      if (tile.exceptions[b] == 0) continue;
      const auto lane = static_cast<std::size_t>(std::countr_zero(tile.exceptions[b]));
      return tile.verbatim[b * block_values + lane];
    }
    return 0;
  }

  static std::uint16_t same_as(const Tile<T>& tile, std::size_t block, T value) {
    if (tile.exceptions[block] == 0) return 0;
    const B here = B::load(tile.verbatim + block * block_values);
    const std::uint32_t same = B::equal(here, B::fill(std::bit_cast<U>(value)));
    return static_cast<std::uint16_t>(tile.exceptions[block] & same);
  }

  // How many exceptions are this value; masked becomes where.
  std::size_t mark(const Tile<T>& tile, T fill) {
    std::size_t repeats = 0;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      masked[b] = same_as(tile, b, fill);
      repeats += static_cast<std::size_t>(std::popcount(masked[b]));
    }
    return repeats;
  }

  static bool is_worth_a_mask(const Tile<T>& tile, std::size_t repeats) {
    return repeats >= least_repeats || repeats == tile.count;
  }

  template <Predictor predictor>
  void hold_blocks(Tile<T>& tile, Distances apart) const {
    U before = predictor == Predictor::none ? 0 : over_before<predictor>(tile.q - 1, apart);
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      Int* const q = tile.q + b * block_values;
      // Nothing is known of what is behind the tile's end.
      const auto mask = static_cast<std::uint16_t>(masked[b] | ~tile.all_lanes(b));
      if (predictor == Predictor::none) {
        B::chosen(mask, B::fill(0), B::load(q)).store(q);
      } else if (mask == 0) {
        before = over_before<predictor>(q + block_values - 1, apart);
      } else if (mask == 0xffff) {
        (B::fill(before) + block_from_before<predictor>(q, apart)).store(q);
      } else {
        const B above = block_from_before<predictor>(q, apart);
        alignas(64) U lanes[block_values];
        (B::load(q) - above).store(lanes);
        before = hold_lanes(mask, before, lanes);
        (B::load(lanes) + above).store(q);
      }
    }
  }
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
