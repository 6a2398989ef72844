// Records: columns of unlike kinds take turns, as programs pack them: lengths, types, identities
// and sentinels beside measurements of very different magnitudes.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "codec/error_bound.h"
#include "distributions.h"
#include "random.h"

namespace tightwire::soak {

// Any number of bits up to `most`, all as likely.
inline std::uint64_t any_integer(Random& random, unsigned most) {
  const auto bits = static_cast<unsigned>(1 + random.below(most));
  return random.bits() >> (64 - bits);
}

template <class T>
class Column {
 public:
  Column(double bound, Random& random)
      : kind_(static_cast<Kind>(random.below(static_cast<std::uint64_t>(Kind::last)))) {
    scale_ = random.below(2) == 0 ? bound * std::exp2(random.between(-4, 30))
                                  : std::exp2(random.between(-4, 20));
    place_ = random.below(2) == 0 ? 0 : scale_ * random.between(-200, 200);
    integer_ = any_integer(random, digits - 1);
    constant_ = random.below(2) == 0 ? special<T>(random) : measurement(random);
    if (random.below(4) == 0) constant_ = sentinels[random.below(sentinels.size())];
  }

  T next(Random& random) {
    switch (kind_) {
      case Kind::walk:
        place_ += scale_ * (random.fraction() - 0.5);
        return static_cast<T>(place_);
      case Kind::length:
        return static_cast<T>(integer_ % 64);
      case Kind::identity:
        return static_cast<T>(integer_++);
      case Kind::whole:
        return static_cast<T>(any_integer(random, digits - 1)) * sign(random);
      case Kind::quarters:
        return static_cast<T>(any_integer(random, digits / 2)) / 4 * sign(random);
      case Kind::small_bits:
        return in_bits(any_integer(random, 20));
      case Kind::bits:
        return in_bits(any_integer(random, sizeof(T) == 4 ? 27 : 61));
      case Kind::special:
        return special<T>(random);
      case Kind::constant:
        return constant_;
      case Kind::decays:
        return static_cast<T>(std::exp2(random.between(exponent_of_least, 10))) * sign(random);
      case Kind::any:
        return any_bits<T>(random);
      case Kind::zeros:
        return random.below(2) == 0 ? T{0} : T{-0.0};
      case Kind::measurement:
      case Kind::another:
      case Kind::last:
        break;
    }
    return measurement(random);
  }

 private:
  static constexpr unsigned digits = std::numeric_limits<T>::digits;
  static constexpr double exponent_of_least = sizeof(T) == 4 ? -150 : -1075;
  static constexpr std::array sentinels{T(1e20),   T(9.96921e36), T(-9999), T(-32767),
                                        T(-999.9), T(-0.0),       T(0),     T(1e30)};

  // Measurements are more likely than others.
  enum class Kind : std::uint8_t {
    measurement,
    another,
    walk,
    length,
    identity,
    whole,
    quarters,
    small_bits,
    bits,
    special,
    constant,
    decays,
    any,
    zeros,
    last
  };

  static T in_bits(std::uint64_t integer) {
    return std::bit_cast<T>(static_cast<codec::BitsOf<T>>(integer));
  }
  static T sign(Random& random) { return random.below(2) == 0 ? T{1} : T{-1}; }
  T measurement(Random& random) {
    return static_cast<T>(place_ + scale_ * (random.fraction() - 0.5));
  }

  Kind kind_;
  double scale_;
  double place_;
  std::uint64_t integer_;
  T constant_;
};

inline std::size_t any_record_length(Random& random) {
  return random.below(8) == 0 ? 61 * (1 + random.below(3)) : 2 + random.below(15);
}

// Of some columns, few of which are no measurements, and one kind of value that is rarely strewn
// in. The last record may be a part of one.
template <class T>
void fill_records(std::span<T> values, double bound, Random& random) {
  const std::size_t kinds = 1 + random.below(4);
  std::vector<Column<T>> columns;
  for (std::size_t i = 0; i <= kinds; ++i) columns.emplace_back(bound, random);
  std::vector<std::size_t> of_place(any_record_length(random));
  for (std::size_t& kind : of_place) kind = random.below(kinds);
  const std::uint64_t rarity = 1 + any_integer(random, 17);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool rare = random.below(rarity) == 0;
    values[i] = columns[rare ? kinds : of_place[i % of_place.size()]].next(random);
  }
}

template <class T>
struct Distribution {
  const char* name;
  void (*fill)(std::span<T>, double, Random&);
};

template <class T>
inline constexpr std::array<Distribution<T>, 10> distributions{
    {{"any bits", fill_bits<T>},
     {"walk", fill_walk<T>},
     {"edges of the grid", fill_edges<T>},
     {"limits of the quantiser", fill_limits<T>},
     {"heavy tails", fill_heavy_tails<T>},
     {"runs", fill_runs<T>},
     {"rows", fill_rows<T>},
     {"records", fill_records<T>},
     {"records", fill_records<T>},
     {"records", fill_records<T>}}};

}  // namespace tightwire::soak
