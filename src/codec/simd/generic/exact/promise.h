// What a sample of its values promises of an encoding of `exact`.
#pragma once

#include "codec/simd/generic/predict.h"
#include "codec/simd/generic/transforms.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// A sixteenth part of what is sampled: 16 blocks, spread over the values, under each predictor.
template <class Change>
class Sample {
 public:
  using V = typename Change::V;
  using U = typename Change::U;
  using Int = std::make_signed_t<U>;

  Sample(const exact::Header& header, const Change& change, Source& source)
      : change_(change),
        source_(source),
        components_(header.components),
        apart_(header.rows.apart()) {}

  // Where place(b) is.
  template <class Place>
  void take(std::size_t first, Place place) {
    for (std::size_t b = 0; b < blocks; ++b) add(b, place(first + b));
    for (std::size_t p = 0; p < used(); ++p) {
      std::uint8_t widths[blocks];
      block_widths(residuals_[p], blocks, widths);
      for (std::size_t b = 0; b < blocks; ++b) {
        bits_[component_of(place(first + b))][p] += widths[b];
      }
    }
    taken_ += blocks;
  }

  // Bits per value with the best predictor of each component, the blocks' codes included.
  double bits() const {
    std::size_t bits = 0;
    for (std::size_t k = 0; k < components_; ++k) {
      std::size_t least = std::min(std::min(bits_[k][0], bits_[k][1]), bits_[k][2]);
      if (apart_.row != 0) least = std::min(least, bits_[k][3]);
      if (apart_.plane != 0) least = std::min({least, bits_[k][4], bits_[k][5]});
      bits += least;
    }
    return static_cast<double>(bits) / static_cast<double>(taken_) + 0.25;
  }

  // Whether the change held every value: one that it does not hold undoes it for all.
  [[nodiscard]] bool fits() const { return fits_; }

  static constexpr std::size_t blocks = 16;
  static constexpr std::size_t predictors = 6;  // Predictor::row stands for those with more rows

 private:
  [[nodiscard]] std::size_t used() const { return apart_.plane != 0 ? predictors : 4; }
  [[nodiscard]] std::size_t component_of(std::size_t at) const {
    return components_ == 1 ? 0 : at % components_;
  }

  // Values around `first`, above and behind it, at distances that stand for those of the message.
  void add(std::size_t block, std::size_t first) {
    constexpr Distances near{32, 64};
    constexpr std::size_t here = 128;
    Int q[here + block_values] = {};
    fetch(first, q + here);
    const std::size_t row = apart_.row * components_;
    const std::size_t plane = apart_.plane * components_;
    fetch_before(first, row, q + here - near.row);
    fetch_before(first, plane, q + here - near.plane);
    if (plane != 0) fetch_before(first, plane + row, q + here - near.plane - near.row);
    const Int* at = q + here;
    const std::size_t to = block * block_values;
    Residuals<Predictor::none, Int>(at, near).next(at).store(residuals_[0] + to);
    Residuals<Predictor::previous, Int>(at, near).next(at).store(residuals_[1] + to);
    Residuals<Predictor::second, Int>(at, near).next(at).store(residuals_[2] + to);
    Residuals<Predictor::row, Int>(at, near).next(at).store(residuals_[3] + to);
    if (plane == 0) return;
    Residuals<Predictor::plane, Int>(at, near).next(at).store(residuals_[4] + to);
    Residuals<Predictor::cube, Int>(at, near).next(at).store(residuals_[5] + to);
  }

  // What is so far before; 0 before the message, or without rows or planes.
  void fetch_before(std::size_t first, std::size_t distance, Int* q) {
    if (distance != 0 && first > distance + 2 * components_) fetch(first - distance, q);
  }

  // 16 values of a component and the two before them.
  void fetch(std::size_t first, Int* q) {
    const std::size_t before = first >= 2 * components_ ? 2 : first >= components_ ? 1 : 0;
    const std::byte* from =
        source_.at(first - before * components_, (block_values + before) * components_);
    V apart[block_values + 2];
    if (components_ != 1) {
      const std::size_t step = components_ * sizeof(V);
      for (std::size_t i = 0; i < block_values + before; ++i) apart[i] = load<V>(from + i * step);
      from = reinterpret_cast<const std::byte*>(apart);
    }
    fits_ &= change_.load(from, block_values + before, reinterpret_cast<U*>(q - before));
  }

  const Change& change_;
  Source& source_;
  std::size_t components_;
  Distances apart_;
  std::size_t taken_ = 0;
  bool fits_ = true;
  std::size_t bits_[bounded::most_components][predictors] = {};
  alignas(64) U residuals_[predictors][blocks * block_values];
};

// Fractions of the golden ratio: in step with no row and no plane.
inline std::size_t spread_place(std::size_t block, std::size_t room) {
  const std::uint64_t turn = (block + 1) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>((turn >> 40) * room >> 24);
}

template <class Change>
double exact_promise_of(const exact::Header& header, const Change& change, Source& source) {
  constexpr std::size_t value_size = sizeof(typename Change::V);
  const std::size_t count = header.count;
  // More where orders of prediction in time are compared, which are much alike.
  const std::size_t samples = source.in_time() ? std::clamp<std::size_t>(count / (1 << 15), 2, 16)
                                               : std::clamp<std::size_t>(count / (1 << 18), 1, 16);
  const std::size_t blocks = samples * Sample<Change>::blocks;
  const std::size_t room = count - block_values * header.components;
  const std::size_t part = room / blocks;
  const auto place = [&](std::size_t block) {
    return source.in_time() ? spread_place(block, room) : block * part + spread_place(block, part);
  };
  Sample<Change> sample(header, change, source);
  for (std::size_t b = 0; b < blocks; b += Sample<Change>::blocks) sample.take(b, place);
  return sample.fits() ? value_size * 8 / sample.bits() : 0;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
