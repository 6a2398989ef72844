// Which tiles' worth of values references should not predict: those that their neighbours predict
// better.
#pragma once

#include "codec/simd/generic/history/source.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Widths of sampled blocks' residuals, without a prediction in space and with either of two.
template <class V>
class SampledWidths {
 public:
  SampledWidths(Source& source, std::size_t components)
      : source_(source), components_(components) {}

  // Bits of each value of the blocks with what suits them best, added up.
  unsigned of_tile(std::size_t first, std::size_t count) {
    std::fill_n(bits_, predictors, 0u);
    const std::size_t size = block_values * components_;
    const std::size_t before = 2 * components_;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t at = first + (count - size) * b / (blocks - 1);
      if (at >= before) add(source_.at(at - before, before + size) + before * sizeof(V));
    }
    return *std::min_element(bits_, bits_ + predictors);
  }

 private:
  using U = BitsOfElement<V>;
  static constexpr std::size_t blocks = 4;
  static constexpr std::size_t predictors = 3;

  // Of the first component.
  void add(const std::byte* block) {
    U any[predictors] = {};
    const auto value = [&](std::size_t back) {
      return load<U>(block - back * components_ * sizeof(V));
    };
    for (std::size_t i = 0; i < block_values; ++i, block += components_ * sizeof(V)) {
      const U step = static_cast<U>(value(0) - value(1));
      any[0] |= fold_sign(value(0));
      any[1] |= fold_sign(step);
      any[2] |= fold_sign(static_cast<U>(step - value(1) + value(2)));
    }
    for (std::size_t p = 0; p < predictors; ++p) {
      bits_[p] += static_cast<unsigned>(std::bit_width(any[p]));
    }
  }

  Source& source_;
  std::size_t components_;
  unsigned bits_[predictors] = {};
};

template <class V>
class LeftOut {
 public:
  LeftOut(const exact::Header& header, Source& in_time, Source& in_space)
      : count_(header.count),
        least_(std::size_t{2} * block_values * header.components),
        in_time_(in_time, header.components),
        in_space_(in_space, header.components) {}

  // Sets their bits; returns how many there are. None where a few tiles say that there are hardly
  // any.
  std::size_t mark(std::span<std::byte> marks) {
    const std::size_t tiles = (count_ + tile_values - 1) / tile_values;
    const std::size_t stride = std::max(tiles / tiles_looked_at, least_stride);
    bool any = false;
    for (std::size_t tile = std::min(tiles, stride) / 2; tile < tiles; tile += stride)
      any = any || leave_out(tile);
    if (!any) return 0;
    std::size_t left_out = 0;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      if (!leave_out(tile)) continue;
      bounded::set_left_out(marks, tile);
      ++left_out;
    }
    return left_out;
  }

 private:
  static constexpr std::size_t tiles_looked_at = 16;
  static constexpr std::size_t least_stride = 4;

  bool leave_out(std::size_t tile) {
    const std::size_t first = tile * tile_values;
    const std::size_t count = std::min(count_ - first, tile_values);
    if (count < least_) return false;
    const unsigned in_time = in_time_.of_tile(first, count);
    return bounded::is_better_left_out(in_time, in_space_.of_tile(first, count));
  }

  std::size_t count_;
  std::size_t least_;
  SampledWidths<V> in_time_;
  SampledWidths<V> in_space_;
};

inline std::size_t mark_left_out(const exact::Header& header, const exact::Transform& transform,
                                 std::span<const std::byte> values, std::span<std::byte> marks) {
  exact::Transform without = transform;
  without.order = 0;
  Source in_time(header.type, transform, values);
  Source in_space(header.type, without, values);
  return with_type(header.type, [&](auto zero) {
    return LeftOut<decltype(zero)>(header, in_time, in_space).mark(marks);
  });
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
