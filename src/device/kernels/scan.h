// Running totals over the blocks of a chunk, in a logarithm of steps (Hillis and Steele, "Data
// parallel algorithms", CACM 1986).
#pragma once

#include "device/kernels/memory.h"

namespace tightwire::device {

// from[i] becomes op(op(from[0], from[1]) …, from[i]). `other` is as long; which of both holds the
// result is returned.
template <class Lanes, class Value, class Op>
TIGHTWIRE_KERNEL Value* scan(Lanes& lanes, Value* from, Value* other, unsigned count, Op op) {
  for (unsigned distance = 1; distance < count; distance *= 2) {
    lanes.each(count, [=](unsigned i) {
      other[i] = i >= distance ? op(from[i - distance], from[i]) : from[i];
    });
    Value* const result = other;
    other = from;
    from = result;
  }
  return from;
}

}  // namespace tightwire::device
