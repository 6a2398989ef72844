// Values to the integers that are predicted, and back.
#pragma once

#include "codec/exact/transform.h"
#include "codec/simd/generic/quantise.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Each has: V, the values' type; U, the integers'; load, false if a value does not fit; and store.
// Counts are of values, which need no alignment.

template <class Value>
using IntegerOf = std::conditional_t<
    sizeof(Value) == 8, std::int64_t,
    std::conditional_t<sizeof(Value) == 4, std::int32_t,
                       std::conditional_t<sizeof(Value) == 2, std::int16_t, std::int8_t>>>;

template <class Value>
struct Ordered {
  using V = Value;
  using U = std::conditional_t<sizeof(V) == 8, std::uint64_t, std::uint32_t>;
  using Bits = IntegerOf<V>;
  using Int = std::make_signed_t<U>;
  using B = Block<U>;

  bool load(const std::byte* values, std::size_t count, U* q) const {
    std::size_t i = 0;
    if constexpr (std::is_floating_point_v<V>) {
      for (; i + block_values <= count; i += block_values) {
        fetch_for_next_tile<V>(values + i * sizeof(V));
        B::load(values + i * sizeof(V)).ordered().store(q + i);
      }
    }
    for (; i < count; ++i) {
      // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number of one byte, no character
      const Int bits = TIGHTWIRE_ISA::load<Bits>(values + i * sizeof(V));
      q[i] = static_cast<U>(std::is_floating_point_v<V> ? ordered(bits) : bits);
    }
    return true;
  }
  void store(const U* q, std::size_t count, std::byte* values) const {
    std::size_t i = 0;
    if constexpr (std::is_floating_point_v<V>) {
      for (; i + block_values <= count; i += block_values) {
        B::load(q + i).ordered().store(values + i * sizeof(V));
      }
    }
    for (; i < count; ++i) {
      const auto bits = static_cast<Int>(q[i]);
      TIGHTWIRE_ISA::store(static_cast<Bits>(std::is_floating_point_v<V> ? ordered(bits) : bits),
                           values + i * sizeof(V));
    }
  }
};

struct Narrowed {
  using V = double;
  using U = std::uint32_t;

  bool load(const std::byte* values, std::size_t count, U* q) const {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = TIGHTWIRE_ISA::load<double>(values + i * sizeof(V));
      const auto narrow = static_cast<float>(value);
      wrong |= std::bit_cast<std::uint64_t>(static_cast<double>(narrow)) ^
               std::bit_cast<std::uint64_t>(value);
      q[i] = static_cast<U>(ordered(std::bit_cast<std::int32_t>(narrow)));
    }
    return wrong == 0;
  }
  void store(const U* q, std::size_t count, std::byte* values) const {
    for (std::size_t i = 0; i < count; ++i) {
      const auto narrow = std::bit_cast<float>(ordered(static_cast<std::int32_t>(q[i])));
      TIGHTWIRE_ISA::store(static_cast<double>(narrow), values + i * sizeof(V));
    }
  }
};

template <class Value>
struct Shifted {
  using V = Value;
  using U = typename Ordered<V>::U;
  using Bits = typename Ordered<V>::Bits;
  using Int = std::make_signed_t<U>;

  unsigned shift;

  bool load(const std::byte* values, std::size_t count, U* q) const {
    Bits any = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits = TIGHTWIRE_ISA::load<Bits>(values + i * sizeof(V));
      any |= bits;
      // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number of one byte, no character
      const Int high = Int{bits} >> shift;
      q[i] = static_cast<U>(std::is_floating_point_v<V> ? ordered(high) : high);
    }
    return (any & ((Int{1} << shift) - 1)) == 0;
  }
  void store(const U* q, std::size_t count, std::byte* values) const {
    for (std::size_t i = 0; i < count; ++i) {
      const auto high = static_cast<Int>(q[i]);
      const auto bits = static_cast<U>(std::is_floating_point_v<V> ? ordered(high) : high);
      TIGHTWIRE_ISA::store(static_cast<Bits>(bits << shift), values + i * sizeof(V));
    }
  }
};

// Integers are small enough that adding and taking off a large number rounds to them.
template <class Value>
class Quotients {
 public:
  using V = Value;
  using U = typename Ordered<V>::U;

  explicit Quotients(const exact::Transform& transform)
      : few_fills_(transform.fill_count <= few),
        divisor_(static_cast<V>(transform.divisor)),
        limit_(static_cast<V>(std::uint64_t{1} << transform.width)),
        first_fill_(static_cast<U>(U{1} << transform.width)) {
    // One that is not used stands for nothing that another does not stand for.
    for (std::size_t k = 0; k < exact::most_fills; ++k) {
      used_[k] = k < transform.fill_count ? ~U{0} : U{0};
      fills_[k] = static_cast<U>(transform.fills[k]) & used_[k];
    }
  }

  bool load(const std::byte* values, std::size_t count, U* q) const {
    return few_fills_ ? load<few>(*this, values, count, q)
                      : load<exact::most_fills>(*this, values, count, q);
  }

  // Integers that no writer makes give some value, the same on every machine.
  void store(const U* q, std::size_t count, std::byte* values) const {
    return few_fills_ ? store<few>(*this, q, count, values)
                      : store<exact::most_fills>(*this, q, count, values);
  }

 private:
  static constexpr std::size_t few = 1;  // -0 alone

  // Of a copy, which integers that are written cannot be a part of: so the loops become vector
  // code.
  template <std::size_t fill_count>
  static bool load(const Quotients by, const std::byte* values, std::size_t count, U* q) {
    U wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const V value = TIGHTWIRE_ISA::load<V>(values + i * sizeof(V));
      const U bits = std::bit_cast<U>(value);
      const V scaled = value * by.divisor_;
      const V sum = scaled + rounder<V>;
      const V whole = sum - rounder<V>;
      U differs = std::bit_cast<U>(whole / by.divisor_) ^ bits;
      differs |= std::abs(scaled) < by.limit_ ? U{0} : U{1};
      U integer = std::bit_cast<U>(sum) - std::bit_cast<U>(rounder<V>);
      for (U k = 0; k < fill_count; ++k) {
        const U fill = bits == by.fills_[k] ? by.used_[k] : U{0};
        integer = (integer & ~fill) | ((by.first_fill_ + k) & fill);
        differs &= ~fill;
      }
      wrong |= differs;
      q[i] = integer;
    }
    return wrong == 0;
  }

  template <std::size_t fill_count>
  static void store(const Quotients by, const U* q, std::size_t count, std::byte* values) {
    for (std::size_t i = 0; i < count; ++i) {
      const V whole = std::bit_cast<V>(q[i] + std::bit_cast<U>(rounder<V>)) - rounder<V>;
      U bits = std::bit_cast<U>(whole / by.divisor_);
      for (U k = 0; k < fill_count; ++k) {
        const U fill = q[i] == by.first_fill_ + k ? by.used_[k] : U{0};
        bits = (bits & ~fill) | (by.fills_[k] & fill);
      }
      TIGHTWIRE_ISA::store(bits, values + i * sizeof(V));
    }
  }

  bool few_fills_;
  V divisor_;
  V limit_;
  U first_fill_;
  U used_[exact::most_fills];
  U fills_[exact::most_fills];
};

// Calls run with what a transform of the type does.
template <class V, class Run>
auto with_transform(const exact::Transform& transform, Run run) {
  if constexpr (std::is_same_v<V, double>) {
    if (transform.kind == exact::TransformKind::narrowed) return run(Narrowed{});
  }
  if constexpr (std::is_floating_point_v<V>) {
    if (transform.kind == exact::TransformKind::quotients) {
      return run(Quotients<V>(transform));
    }
  }
  if (transform.kind == exact::TransformKind::shifted) return run(Shifted<V>{transform.shift});
  return run(Ordered<V>{});
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
