#include "device/kernels/merge.h"

#include <gtest/gtest.h>

#include "codec/bounded/bounded.h"
#include "codec/bounded/header_grid.h"
#include "codec/chunked/chunked.h"
#include "device/host_codec.h"
#include "fields.h"
#include "sums.h"

namespace tightwire::device {
namespace {

using codec::Error;
using codec::bounded::Header;

template <class T>
std::vector<T> decoded(const Bytes& from, std::size_t count) {
  std::vector<T> values(count);
  EXPECT_EQ(
      codec::chunked::decode(type_of<T>, from, {}, std::as_writable_bytes(std::span(values))).error,
      Error::none);
  return values;
}

// What `bounded` on the processor makes of one chunk, a stored one taken for its values.
template <class T>
std::vector<T> sum_by_codec(std::span<const std::byte> chunk, std::span<const T> own) {
  const codec::Codec& bounded = *codec::find(codec::Id::bounded);
  codec::Parameters parameters;
  parameters.error_bound = bound;
  parameters.terms = terms;
  Bytes incoming(bounded.max_encoded_size(type_of<T>, own.size()));
  if (chunk.size() == own.size_bytes()) {
    incoming.resize(bounded.encode(type_of<T>, chunk, parameters, incoming).size);
    chunk = incoming;
  }
  Bytes out(bounded.max_encoded_size(type_of<T>, own.size()));
  const auto result = codec::bounded::combine_values(codec::bounded::Operation::sum, type_of<T>,
                                                     chunk, std::as_bytes(own), parameters, out);
  EXPECT_EQ(result.error, Error::none);
  out.resize(result.size);
  std::vector<T> values(own.size());
  EXPECT_TRUE(bounded.decode(type_of<T>, out, std::as_writable_bytes(std::span(values))).ok());
  return values;
}

template <class T>
std::vector<T> sum_by_codec(const Bytes& incoming, const std::vector<T>& own) {
  codec::chunked::View view;
  EXPECT_EQ(codec::chunked::View::open(incoming, view), Error::none);
  std::vector<T> sum;
  for (std::uint64_t chunk = 0; chunk < view.cut().chunks(); ++chunk) {
    const auto part =
        std::span<const T>(own).subspan(view.cut().first(chunk), view.cut().values_in(chunk));
    const auto values = sum_by_codec<T>(view.encoded_chunk(chunk), part);
    sum.insert(sum.end(), values.begin(), values.end());
  }
  return sum;
}

template <class T>
class DeviceMerge : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceMerge, Types);

TYPED_TEST(DeviceMerge, IsTheSumThatTheProcessorMakes) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    const Bytes incoming = encoded(pair.there);
    const auto sum = decoded<TypeParam>(merged(incoming, pair.here), pair.here.size());
    EXPECT_TRUE(same_bits(sum, sum_by_codec(incoming, pair.here))) << pair.name;
  }
}

TYPED_TEST(DeviceMerge, HasTheSameBytesInAnyOrderOfLanes) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    const Bytes incoming = encoded(pair.there);
    const Bytes expected = merged(incoming, pair.here);
    for (const Order order : orders) {
      EXPECT_EQ(merged(incoming, pair.here, HostLanes(order, 17)), expected) << pair.name;
    }
  }
}

// Where all integers fit into one encoding, the sum's bytes are those of its values.
TYPED_TEST(DeviceMerge, HasTheBytesOfItsValues) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    if (pair.name == "odd") continue;
    const Bytes sum = merged(encoded(pair.there), pair.here);
    EXPECT_EQ(encoded(decoded<TypeParam>(sum, pair.here.size())), sum) << pair.name;
  }
}

TYPED_TEST(DeviceMerge, IsTheSameWhicheverComesFirst) {
  for (const Pair<TypeParam>& pair : pairs<TypeParam>()) {
    EXPECT_EQ(merged(encoded(pair.there), pair.here), merged(encoded(pair.here), pair.there))
        << pair.name;
  }
}

TYPED_TEST(DeviceMerge, KeepsTheBoundOfAllTerms) {
  constexpr std::size_t count = Extent<TypeParam>::values + 333;
  std::minstd_rand random(23);
  std::uniform_real_distribution<double> even(-100, 100);
  std::vector<long double> exact(count);
  Bytes sum;
  for (unsigned term = 0; term < terms; ++term) {
    std::vector<TypeParam> own(count);
    for (std::size_t i = 0; i < count; ++i) {
      own[i] = static_cast<TypeParam>(even(random));
      exact[i] += own[i];
    }
    sum = term == 0 ? encoded(own) : merged(sum, own);
  }
  const auto values = decoded<TypeParam>(sum, count);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_LE(std::abs(values[i] - exact[i]), terms * static_cast<long double>(bound)) << i;
  }
}

TYPED_TEST(DeviceMerge, RefusesAnotherGridAndDamage) {
  const std::vector<TypeParam> own(5000, TypeParam(1.5));
  const Bytes sound = encoded(own);
  Bytes out(max_encoded_size(type_of<TypeParam>, own.size()));
  const auto error = [&](const Header& header, const Bytes& incoming) {
    return merge({}, header, incoming, bytes_of(own), out).error;
  };
  EXPECT_EQ(error(sums<TypeParam>(), sound), Error::none);
  EXPECT_EQ(error(header_for_sums(type_of<TypeParam>, bound, terms + 1), sound), Error::damaged);
  EXPECT_EQ(error(header_for_sums(type_of<TypeParam>, bound * 2, terms), sound), Error::damaged);
  EXPECT_EQ(error(header_for(type_of<TypeParam>, bound, 0, 2), sound), Error::bad_parameter);
  for (const std::size_t shorter : {std::size_t{1}, sound.size() / 2, sound.size() - 5}) {
    EXPECT_EQ(error(sums<TypeParam>(),
                    Bytes(sound.begin(), sound.end() - static_cast<std::ptrdiff_t>(shorter))),
              Error::damaged);
  }
  EXPECT_EQ(merge({}, sums<TypeParam>(), sound, bytes_of(own), std::span(out).first(100)).error,
            Error::output_too_small);
}

template <class T>
std::uint64_t digest_of_sum() {
  std::vector<T> there = whole_steps<T>();
  std::vector<T> here(there.rbegin(), there.rend());
  return digest(merged(encoded(there), here));
}

// So that no change of the kernels changes bytes unseen.
TEST(DeviceMergeBytes, AreThoseOfBefore) {
  EXPECT_EQ(digest_of_sum<float>(), 15490568493569816323U);
  EXPECT_EQ(digest_of_sum<double>(), 15173303472773063727U);
}

}  // namespace
}  // namespace tightwire::device
