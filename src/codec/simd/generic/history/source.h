// Where encoders take a message's values from, and decoders put them: as they are, or less what
// earlier messages say of them. The latter are integers as large as the values.
#pragma once

#include "codec/simd/generic/components/take_apart.h"
#include "codec/simd/generic/history/extrapolate.h"
#include "codec/simd/generic/with_type.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Of what a transform leaves of values for it to be predicted.
[[nodiscard]] inline ElementType type_of_rest(ElementType type, const exact::Transform& transform) {
  if (transform.kind != exact::TransformKind::extrapolated) return type;
  if (type == ElementType::float32) return ElementType::int32;
  return type == ElementType::float64 ? ElementType::int64 : type;
}

class TimePrediction {
 public:
  TimePrediction(ElementType type, const exact::Transform& transform)
      : type_(type),
        active_(transform.kind == exact::TransformKind::extrapolated),
        order_(transform.order),
        left_out_(transform.left_out) {
    for (std::size_t k = 0; k < order_; ++k) references_[k] = transform.references[k].data();
  }

  [[nodiscard]] bool active() const { return active_; }

  // Calls use(references, order, first, count, zero of the type) for parts of at most a tile.
  template <class Use>
  void for_each_part(std::size_t first, std::size_t count, Use use) const {
    with_type(type_, [&](auto zero) {
      const std::size_t end = first + count;
      while (first < end) {
        const std::size_t size = std::min(end - first, tile_values - first % tile_values);
        use(references_, order_at(first), first, size, zero);
        first += size;
      }
    });
  }

 private:
  [[nodiscard]] std::size_t order_at(std::size_t first) const {
    if (left_out_.empty()) return order_;
    return bounded::is_left_out(left_out_, first / tile_values) ? 0 : order_;
  }

  ElementType type_;
  bool active_;
  std::size_t order_;
  std::span<const std::byte> left_out_;
  const std::byte* references_[most_references];
};

// What is encoded.
class Source {
 public:
  Source(ElementType type, const exact::Transform& transform, std::span<const std::byte> values)
      : prediction_(type, transform), values_(values), size_(element_size(type)) {}

  // `count` of them from `first` on. Where time predicts there are at most a tile's, which hold
  // until the next call.
  const std::byte* at(std::size_t first, std::size_t count) {
    if (!prediction_.active()) return values_.data() + first * size_;
    prediction_.for_each_part(first, count,
                              [&](const auto* references, std::size_t order, std::size_t from,
                                  std::size_t part, auto zero) {
                                subtract_prediction<decltype(zero)>(references, order, from, part,
                                                                    values_.data() + from * size_,
                                                                    rest_ + (from - first) * size_);
                              });
    return rest_;
  }
  [[nodiscard]] bool in_time() const { return prediction_.active(); }
  [[nodiscard]] std::size_t most_at_once() const {
    return prediction_.active() ? tile_values : values_.size();
  }
  [[nodiscard]] std::span<const std::byte> values() const { return values_; }

 private:
  TimePrediction prediction_;
  std::span<const std::byte> values_;
  std::size_t size_;
  alignas(64) std::byte rest_[tile_values * sizeof(double)];
};

// At most a tile of each component.
template <class V>
void take_apart(Source& source, std::size_t first, std::size_t size, std::size_t components,
                V* streams) {
  const std::size_t turns = std::max<std::size_t>(source.most_at_once() / components, 1);
  for (std::size_t done = 0; done * components < size; done += turns) {
    const std::size_t part = std::min(turns * components, size - done * components);
    take_apart(source.at(first + done * components, part), part, components, streams + done);
  }
}

// Where decoded ones stand, and become values.
class Target {
 public:
  Target(ElementType type, const exact::Transform& transform, std::span<std::byte> values)
      : prediction_(type, transform), values_(values), size_(element_size(type)) {}

  [[nodiscard]] std::span<std::byte> values() const { return values_; }

  // These stand there.
  void finish(std::size_t first, std::size_t count) const {
    if (!prediction_.active()) return;
    prediction_.for_each_part(first, count,
                              [&](const auto* references, std::size_t order, std::size_t from,
                                  std::size_t part, auto zero) {
                                add_prediction<decltype(zero)>(references, order, from, part,
                                                               values_.data() + from * size_);
                              });
  }

 private:
  TimePrediction prediction_;
  std::span<std::byte> values_;
  std::size_t size_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
