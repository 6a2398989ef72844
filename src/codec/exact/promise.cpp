#include "codec/exact/promise.h"

#include <cmath>

#include "codec/simd/kernels.h"

namespace tightwire::codec::exact {

Promise promise_of(const Header& header, const Transform& transform,
                   std::span<const std::byte> values) {
  constexpr double worthwhile = 1.05;
  const double ordered = active_kernels().exact_promise(header, {}, values);
  if (transform.kind == TransformKind::ordered) return {{}, ordered};
  const double transformed = active_kernels().exact_promise(header, transform, values);
  const bool better = std::isinf(ordered) || transformed > worthwhile * ordered;
  return better ? Promise{transform, transformed} : Promise{{}, ordered};
}

}  // namespace tightwire::codec::exact
