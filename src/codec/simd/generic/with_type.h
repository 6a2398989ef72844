#pragma once

#include "codec/codec.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Calls run with a value of the type; opaque bytes are taken for small integers.
template <class Run>
auto with_type(ElementType type, Run run) {
  switch (type) {
    case ElementType::int16:
      return run(std::int16_t{});
    case ElementType::int32:
      return run(std::int32_t{});
    case ElementType::int64:
      return run(std::int64_t{});
    case ElementType::float32:
      return run(float{});
    case ElementType::float64:
      return run(double{});
    default:
      return run(std::int8_t{});
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
