// What codecs.def says of every codec, as a table.
#pragma once

#include <algorithm>
#include <array>

#include "codec/codec.h"

namespace tightwire::codec {

struct Traits {
  Id id = Id::raw;
  std::string_view name;
  bool lossy = false;
  bool sampled = false;  // estimate() can say what it would make of a message
  // Typical of floating-point fields: GB/s of values on one core, and values / encoding.
  double encode_speed = 0;
  double decode_speed = 0;
  double ratio = 1;
};

inline constexpr std::array all_traits{
#define TIGHTWIRE_TRAITS(id, name, lossy, sampled, encode, decode, ratio) \
  Traits{Id::id, name, lossy, sampled, encode, decode, ratio},
#define TIGHTWIRE_CODEC(id, number, name, remark, ...) \
  TIGHTWIRE_TRAITS(id, name, false, __VA_ARGS__)
#define TIGHTWIRE_BOUNDED_CODEC(id, number, name, remark, ...) \
  TIGHTWIRE_TRAITS(id, name, true, __VA_ARGS__)
#include "codecs.def"
#undef TIGHTWIRE_TRAITS
};

// Those of raw if this build does not have the codec.
[[nodiscard]] constexpr const Traits& traits_of(Id id) {
  const auto* const found = std::ranges::find(all_traits, id, &Traits::id);
  return found == all_traits.end() ? all_traits.front() : *found;
}

}  // namespace tightwire::codec
