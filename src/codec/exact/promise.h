// What tiles would make of values, from a sample of them.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/exact/layout.h"
#include "codec/exact/transform.h"

namespace tightwire::codec::exact {

// The transform for tiles, and the ratio that the sample promises with it: infinite where there are
// too few values for a sample.
struct Promise {
  Transform transform;
  double ratio;
};

// Of tiles with the transform, or without where that is hardly worse, since some value may not fit,
// or predicted from references where that is better than either.
[[nodiscard]] Promise promise_of(const Header& header, const Transform& transform,
                                 std::span<const std::byte> values, References references = {});

// The ratio that a sample promises of one transform; infinite where it is as cheap to try, 0 where
// a value of the sample does not fit.
[[nodiscard]] double ratio_of(const Header& header, const Transform& transform,
                              std::span<const std::byte> values);

// The ratios of values less what the nearest 0, 1, ... references say of them: 0 of orders that
// there are not, of all where there are too few values.
using RatiosInTime = std::array<double, 1 + most_references>;
[[nodiscard]] RatiosInTime ratios_in_time(const Header& header, std::span<const std::byte> values,
                                          References references);

// The ratio of values less what all of these references say of them.
[[nodiscard]] double ratio_in_time(const Header& header, std::span<const std::byte> values,
                                   References references);

// So many references pay: what each gains is worth keeping and reading another message.
[[nodiscard]] std::uint8_t order_that_pays(const RatiosInTime& ratios);

// For messages with more tiles all are predicted alike.
using LeftOut = std::array<std::byte, 2048>;
// Has the transform leave out what references predict worse than neighbours do; it points to
// `marks` then.
void leave_out(const Header& header, std::span<const std::byte> values, LeftOut& marks,
               Transform& transform);

}  // namespace tightwire::codec::exact
