// The second stage of `exact`: residuals byte by byte in planes, for a general compressor to work
// on. Slower than the tiles and smaller; for slow links.
#pragma once

#include <vector>

#include "codec/bounded/layout.h"

namespace tightwire::codec::exact {

using bounded::Predictor;

// Plane k holds byte k of each value's residual; without prediction, of the value itself. Both
// spans are of the same size.
void to_planes(ElementType type, Predictor predictor, std::size_t row_length,
               std::span<const std::byte> values, std::span<std::byte> planes);
void from_planes(ElementType type, Predictor predictor, std::size_t row_length,
                 std::span<const std::byte> planes, std::span<std::byte> values);

// What makes a sample from the middle of the values smallest.
[[nodiscard]] Predictor choose_predictor(ElementType type, std::size_t row_length,
                                         std::span<const std::byte> values,
                                         const Parameters& parameters);

}  // namespace tightwire::codec::exact
