// What tells a field of measurements from records, in which lengths, types and integers stored in
// the bits of a floating-point number stand beside them.
#pragma once

namespace tightwire::codec::bounded {

struct Survey {
  bool subnormals = false;  // other than zero
  bool tiny = false;        // normal numbers not far above them: values decay to subnormals there
  bool whole = false;       // whole numbers other than zero, below all_whole_from
  bool broken = false;      // other numbers below it
};

// Tiny are numbers below this: 2^26 times the least normal one of float32, 2^62 times that of
// float64.
template <class T>
inline constexpr T least_not_tiny = sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-960);

// From here on the type has no other numbers than whole ones.
template <class T>
inline constexpr T all_whole_from = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);

}  // namespace tightwire::codec::bounded
