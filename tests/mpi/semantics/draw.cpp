#include "draw.h"

#include <algorithm>

#include "layout.h"

namespace semantics {

Base draw_base(Random& random) {
  return random.of(
      {Base::bytes, Base::int32, Base::float32, Base::float64, Base::float64, Base::record});
}

std::size_t draw_bytes(Random& random, const Limits& limits) {
  const std::size_t draw = random.below(100);
  const std::size_t t = limits.threshold;
  std::size_t bytes = 0;
  if (draw < 8) {
    bytes = 0;
  } else if (draw < 14) {
    bytes = random.between(1, 8);
  } else if (draw < 30) {
    bytes = random.below(t);
  } else if (draw < 60) {
    bytes = t - std::min<std::size_t>(t, 24) + random.below(49);
  } else if (draw < 85) {
    bytes = random.between(t, 8 * t);
  } else if (draw < 96) {
    bytes = random.between(4 * t, 64 * t);
  } else {
    bytes = random.between(limits.largest / 4, limits.largest);
  }
  return std::min(bytes, limits.largest);
}

Signature draw_signature(Random& random, const Limits& limits) {
  const Base base = draw_base(random);
  std::size_t bytes = draw_bytes(random, limits);
  if (base == Base::record) bytes = std::min(bytes, limits.largest_of_records);
  const std::size_t size = std::max<std::size_t>(size_of(base), 1);
  return {base, bytes < size && bytes > 0 ? 1 : bytes / size};
}

Placement draw_placement(Random& random) {
  const Shape shape =
      random.of({Shape::basic, Shape::basic, Shape::basic, Shape::basic, Shape::contiguous,
                 Shape::vector, Shape::strided, Shape::blocks, Shape::shuffled, Shape::absolute});
  return {shape, random.next()};
}

Content draw_content(Random& random) {
  return random.of({Content::smooth, Content::smooth, Content::constant, Content::noise,
                    Content::half_noise, Content::marked});
}

}  // namespace semantics
