// Sums by the host's lanes, and what is added up in tests.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "device/host_codec.h"
#include "fields.h"

namespace tightwire::device {

using Bytes = std::vector<std::byte>;

inline constexpr double bound = 1e-3;
inline constexpr std::uint32_t terms = 8;

template <class T>
codec::bounded::Header sums() {
  return header_for_sums(type_of<T>, bound, terms);
}

template <class T>
Bytes encoded(const std::vector<T>& values, HostLanes lanes = {}) {
  Bytes out(max_encoded_size(type_of<T>, values.size()));
  const auto result = encode(lanes, sums<T>(), bytes_of(values), out);
  EXPECT_EQ(result.error, codec::Error::none);
  out.resize(result.size);
  return out;
}

template <class T>
Bytes merged(const Bytes& incoming, const std::vector<T>& own, HostLanes lanes = {}) {
  Bytes out(max_encoded_size(type_of<T>, own.size()));
  const auto result = merge(lanes, sums<T>(), incoming, bytes_of(own), out);
  EXPECT_EQ(result.error, codec::Error::none);
  out.resize(result.size);
  return out;
}

// Fields beside each other, and values that are exceptions there, here, both, or in the sum alone.
template <class T>
struct Pair {
  std::string name;
  std::vector<T> there;
  std::vector<T> here;
};

template <class T>
std::vector<Pair<T>> pairs() {
  std::vector<Pair<T>> pairs;
  const auto all = fields<T>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<T>& other = all[(i + 3) % all.size()].values;
    Pair<T> pair{all[i].name, all[i].values, all[i].values};
    for (std::size_t k = 0; k < pair.here.size(); ++k) pair.here[k] = other[k % other.size()];
    pairs.push_back(std::move(pair));
  }
  const double far = bound * 2 * (sizeof(T) == 4 ? 0x1p19 : 0x1p39);
  const std::vector<double> odd{0,
                                -0.0,
                                1,
                                -1,
                                1e-42,
                                1e30,
                                -1e30,
                                far,
                                -far,
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN(),
                                -std::numeric_limits<double>::quiet_NaN()};
  Pair<T> pair{"odd", {}, {}};
  for (const double a : odd) {
    for (const double b : odd) {
      pair.there.push_back(static_cast<T>(a));
      pair.here.push_back(static_cast<T>(b));
      pair.there.insert(pair.there.end(), 40, T(1));
      pair.here.insert(pair.here.end(), 40, T(2));
    }
  }
  pairs.push_back(std::move(pair));
  return pairs;
}

}  // namespace tightwire::device
