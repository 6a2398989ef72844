#include "device/kernels/combine.h"

#include <gtest/gtest.h>

#include "codec/chunked/chunked.h"
#include "device/host_codec.h"
#include "fields.h"
#include "sums.h"

namespace tightwire::device {
namespace {

using codec::Error;
using codec::bounded::Header;

template <class T>
Bytes combined(const Bytes& first, const Bytes& second, std::size_t count, HostLanes lanes = {}) {
  Bytes out(max_encoded_size(type_of<T>, count));
  const auto result = combine(lanes, sums<T>(), count, first, second, out);
  EXPECT_EQ(result.error, Error::none);
  out.resize(result.size);
  return out;
}

template <class T>
class DeviceCombine : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceCombine, Types);

// A step of recursive doubling and one of a ring come to the same.
TYPED_TEST(DeviceCombine, HasTheBytesOfAMerge) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    const Bytes first = encoded(pair.there);
    EXPECT_EQ(combined<TypeParam>(first, encoded(pair.here), pair.here.size()),
              merged(first, pair.here))
        << pair.name;
  }
}

TYPED_TEST(DeviceCombine, HasTheSameBytesInAnyOrderOfLanes) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    const Bytes first = encoded(pair.there);
    const Bytes second = encoded(pair.here);
    const Bytes expected = combined<TypeParam>(first, second, pair.here.size());
    for (const Order order : orders) {
      EXPECT_EQ(combined<TypeParam>(first, second, pair.here.size(), HostLanes(order, 17)),
                expected)
          << pair.name;
    }
  }
}

// Sums of sums, whose exceptions are of both.
TYPED_TEST(DeviceCombine, IsTheSameWhicheverComesFirst) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    const std::size_t count = pair.here.size();
    const Bytes sum = merged(encoded(pair.there), pair.here);
    const Bytes other = merged(encoded(pair.here), pair.here);
    EXPECT_EQ(combined<TypeParam>(sum, other, count), combined<TypeParam>(other, sum, count))
        << pair.name;
  }
}

TYPED_TEST(DeviceCombine, AddsSumsAsTheRingDoes) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    if (pair.name == "odd") continue;  // what is no integer is added up in another order
    const Bytes two = merged(encoded(pair.there), pair.here);
    const Bytes four = combined<TypeParam>(two, two, pair.here.size());
    EXPECT_EQ(four, merged(merged(two, pair.there), pair.here)) << pair.name;
  }
}

TYPED_TEST(DeviceCombine, RefusesAnotherGridAndDamage) {
  const std::vector<TypeParam> own(5000, TypeParam(1.5));
  const Bytes sound = encoded(own);
  Bytes out(max_encoded_size(type_of<TypeParam>, own.size()));
  const auto error = [&](const Header& header, const Bytes& first, const Bytes& second) {
    return combine({}, header, own.size(), first, second, out).error;
  };
  const Header header = sums<TypeParam>();
  EXPECT_EQ(error(header, sound, sound), Error::none);
  EXPECT_EQ(error(header_for_sums(type_of<TypeParam>, bound * 2, terms), sound, sound),
            Error::damaged);
  EXPECT_EQ(error(header_for(type_of<TypeParam>, bound, 0, 2), sound, sound), Error::bad_parameter);
  for (const std::size_t shorter : {std::size_t{1}, sound.size() / 2, sound.size() - 5}) {
    const Bytes cut(sound.begin(), sound.end() - static_cast<std::ptrdiff_t>(shorter));
    EXPECT_EQ(error(header, cut, sound), Error::damaged);
    EXPECT_EQ(error(header, sound, cut), Error::damaged);
  }
  EXPECT_EQ(combine({}, header, own.size(), sound, sound, std::span(out).first(100)).error,
            Error::output_too_small);
}

}  // namespace
}  // namespace tightwire::device
