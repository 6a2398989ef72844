#include "codec/exact/promise.h"

#include <cmath>
#include <limits>

#include "codec/simd/kernels.h"

namespace tightwire::codec::exact {
namespace {

// What is harder to do must be better by so much.
constexpr double worthwhile = 1.05;
constexpr double worth_a_reference = 1 + 1.0 / 64;

Promise promise_in_space(const Header& header, const Transform& transform,
                         std::span<const std::byte> values) {
  const double ordered = ratio_of(header, {}, values);
  if (transform.kind == TransformKind::ordered) return {{}, ordered};
  const double transformed = ratio_of(header, transform, values);
  const bool better = std::isinf(ordered) || transformed > worthwhile * ordered;
  return better ? Promise{transform, transformed} : Promise{{}, ordered};
}

Transform extrapolated(std::size_t order, References references) {
  Transform transform;
  transform.kind = TransformKind::extrapolated;
  transform.order = static_cast<std::uint8_t>(order);
  transform.references = references;
  return transform;
}

bool too_few(const Header& header) {
  return header.count < std::size_t{2} * bounded::block_values * header.components;
}

double ratio_of_order(const Header& header, std::span<const std::byte> values,
                      References references, std::size_t order) {
  return active_kernels().exact_promise(header, extrapolated(order, references), values);
}

double worth(const RatiosInTime& ratios, std::size_t order) {
  double worth = ratios[order];
  for (; order > 0; --order) worth /= worth_a_reference;
  return worth;
}

// From the highest order on, and no further down than it helps: a caller gives no more references
// than have paid before.
RatiosInTime ratios_of_likely_orders(const Header& header, std::span<const std::byte> values,
                                     References references) {
  RatiosInTime ratios{};
  ratios[0] = ratio_of_order(header, values, references, 0);
  std::size_t best = 0;
  for (std::size_t order = references.size(); order > 0; --order) {
    ratios[order] = ratio_of_order(header, values, references, order);
    const bool better = worth(ratios, order) > worth(ratios, best);
    if (best != 0 && !better) break;
    if (better) best = order;
  }
  return ratios;
}

}  // namespace

double ratio_of(const Header& header, const Transform& transform,
                std::span<const std::byte> values) {
  if (header.count < 2 * bounded::tile_values) return std::numeric_limits<double>::infinity();
  return active_kernels().exact_promise(header, transform, values);
}

double ratio_in_time(const Header& header, std::span<const std::byte> values,
                     References references) {
  return too_few(header) ? 0 : ratio_of_order(header, values, references, references.size());
}

RatiosInTime ratios_in_time(const Header& header, std::span<const std::byte> values,
                            References references) {
  RatiosInTime ratios{};
  if (too_few(header)) return ratios;
  for (std::size_t order = 0; order <= references.size(); ++order) {
    ratios[order] = ratio_of_order(header, values, references, order);
  }
  return ratios;
}

std::uint8_t order_that_pays(const RatiosInTime& ratios) {
  std::size_t best = 0;
  for (std::size_t order = 1; order < ratios.size(); ++order) {
    if (worth(ratios, order) > worth(ratios, best)) best = order;
  }
  return static_cast<std::uint8_t>(best);
}

Promise promise_of(const Header& header, const Transform& transform,
                   std::span<const std::byte> values, References references) {
  const Promise in_space = promise_in_space(header, transform, values);
  if (references.empty() || too_few(header)) return in_space;
  const RatiosInTime ratios = ratios_of_likely_orders(header, values, references);
  const std::uint8_t order = order_that_pays(ratios);
  if (order == 0) return in_space;
  const double best = std::isinf(in_space.ratio)
                          ? active_kernels().exact_promise(header, in_space.transform, values)
                          : in_space.ratio;
  return ratios[order] > best * worth_a_reference
             ? Promise{extrapolated(order, references), ratios[order]}
             : in_space;
}

void leave_out(const Header& header, std::span<const std::byte> values, LeftOut& marks,
               Transform& transform) {
  const std::size_t size = left_out_size(header.count);
  if (transform.kind != TransformKind::extrapolated || size > marks.size()) return;
  marks.fill(std::byte{0});
  if (active_kernels().mark_left_out(header, transform, values, marks) == 0) return;
  transform.left_out = std::span(marks).first(size);
}

}  // namespace tightwire::codec::exact
