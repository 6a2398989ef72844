#include "device/profile.h"

#include <gtest/gtest.h>

#include "codec/chunked/chunked.h"
#include "device/host_codec.h"
#include "fields.h"

namespace tightwire::device {
namespace {

using codec::Error;
template <class T>
codec::bounded::Header header_of(const std::vector<T>& values, double bound) {
  double smallest = 0;
  double largest = 0;
  bool any = false;
  for (const T value : values) {
    if (!std::isfinite(value)) continue;
    smallest = any ? std::min<double>(smallest, value) : value;
    largest = any ? std::max<double>(largest, value) : value;
    any = true;
  }
  return header_for(type_of<T>, bound, smallest, largest);
}

template <class T>
std::vector<std::byte> encoded(const std::vector<T>& values, double bound, HostLanes lanes = {}) {
  std::vector<std::byte> out(max_encoded_size(type_of<T>, values.size()));
  const auto result = encode(lanes, header_of(values, bound), bytes_of(values), out);
  EXPECT_EQ(result.error, Error::none);
  out.resize(result.size);
  return out;
}

template <class T>
Error decode_into(const std::vector<std::byte>& from, std::vector<T>& values,
                  HostLanes lanes = {}) {
  return decode(lanes, type_of<T>, from, std::as_writable_bytes(std::span(values))).error;
}

// Of any chunked stream.
template <class T>
Error read_into(const std::vector<std::byte>& from, std::vector<T>& values) {
  return codec::chunked::decode(type_of<T>, from, {}, std::as_writable_bytes(std::span(values)))
      .error;
}

template <class T>
class DeviceProfile : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceProfile, Types);

constexpr double bounds[] = {1e-1, 1e-4};

TYPED_TEST(DeviceProfile, HasTheSameBytesInAnyOrderOfLanes) {
  for (const Field<TypeParam>& field : fields<TypeParam>()) {
    for (const double bound : bounds) {
      const auto expected = encoded(field.values, bound);
      for (const Order order : orders) {
        EXPECT_EQ(encoded(field.values, bound, HostLanes(order, 11)), expected) << field.name;
        std::vector<TypeParam> there(field.values.size());
        std::vector<TypeParam> here(field.values.size());
        ASSERT_EQ(read_into(expected, there), Error::none) << field.name;
        ASSERT_EQ(decode_into(expected, here, HostLanes(order, 13)), Error::none) << field.name;
        EXPECT_TRUE(same_bits(here, there)) << field.name;
      }
    }
  }
}

// Vectors are of four floats, or two doubles.
TYPED_TEST(DeviceProfile, IsTheSameOfValuesThatStandWhereNoVectorBegins) {
  const std::vector<TypeParam> values = fields<TypeParam>()[2].values;
  std::vector<TypeParam> apart(values.size() + 1);
  std::copy(values.begin(), values.end(), apart.begin() + 1);
  const auto there = std::as_bytes(std::span(apart).subspan(1));
  const auto expected = encoded(values, 1e-3);
  std::vector<std::byte> out(max_encoded_size(type_of<TypeParam>, values.size()));
  out.resize(encode({}, header_of(values, 1e-3), there, out).size);
  EXPECT_EQ(out, expected);
  std::vector<TypeParam> decoded(values.size());
  ASSERT_EQ(decode_into(expected, decoded), Error::none);
  const auto room = std::as_writable_bytes(std::span(apart).subspan(1));
  ASSERT_EQ(decode({}, type_of<TypeParam>, expected, room).error, Error::none);
  EXPECT_EQ(std::memcmp(room.data(), decoded.data(), room.size()), 0);
}

TYPED_TEST(DeviceProfile, KeepsTheBoundAndWhatHasNone) {
  for (const Field<TypeParam>& field : fields<TypeParam>()) {
    for (const double bound : bounds) {
      std::vector<TypeParam> decoded(field.values.size());
      ASSERT_EQ(decode_into(encoded(field.values, bound), decoded), Error::none) << field.name;
      for (std::size_t i = 0; i < decoded.size(); ++i) {
        if (std::isfinite(field.values[i])) {
          const auto error = static_cast<long double>(decoded[i]) - field.values[i];
          ASSERT_LE(std::abs(error), static_cast<long double>(bound)) << field.name << " " << i;
        } else {
          ASSERT_EQ(std::memcmp(&decoded[i], &field.values[i], sizeof(TypeParam)), 0)
              << field.name << " " << i;
        }
      }
    }
  }
}

TYPED_TEST(DeviceProfile, IsShortWhereValuesAreQuiet) {
  const auto smooth = fields<TypeParam>()[3];
  const auto still = fields<TypeParam>()[6];
  EXPECT_LT(encoded(smooth.values, 1e-4).size() * 5, bytes_of(smooth.values).size());
  EXPECT_LT(encoded(still.values, 1e-4).size() * 400, bytes_of(still.values).size());
}

// Whatever bytes come, the answer is an error, or what every reader makes of them.
TYPED_TEST(DeviceProfile, TakesDamagedBytes) {
  std::minstd_rand random(5);
  const auto all = fields<TypeParam>();
  for (const std::size_t which : {2, 7, 8}) {
    std::vector<TypeParam> values = all[which].values;
    values.resize(std::min<std::size_t>(values.size(), 3 * tile_values + 5));
    const auto sound = encoded(values, 1e-2);
    for (int round = 0; round < 400; ++round) {
      auto damaged = sound;
      const std::size_t at =
          random() % (round % 2 == 0 ? std::min<std::size_t>(200, sound.size()) : sound.size());
      damaged[at] ^= std::byte(1U << random() % 8);
      if (round % 7 == 0) damaged.resize(at);
      std::vector<TypeParam> here(values.size());
      std::vector<TypeParam> there(values.size());
      if (decode_into(damaged, here, HostLanes(Order::shuffled, 1)) != Error::none) continue;
      EXPECT_EQ(read_into(damaged, there), Error::none);
      EXPECT_TRUE(same_bits(here, there));
    }
  }
}

// So that no change of the kernels changes bytes unseen: what two releases write must be the same.
TEST(DeviceProfileBytes, AreThoseOfBefore) {
  const codec::bounded::Header single = header_for(ElementType::float32, 1e-2, 0, 300);
  const codec::bounded::Header both = header_for(ElementType::float64, 1e-2, 0, 300);
  const auto digest_of = [](const codec::bounded::Header& header, const auto& values) {
    std::vector<std::byte> out(max_encoded_size(header.type, values.size()));
    out.resize(encode({}, header, bytes_of(values), out).size);
    return digest(out);
  };
  EXPECT_EQ(digest_of(single, whole_steps<float>()), 153819375034336177U);
  EXPECT_EQ(digest_of(both, whole_steps<double>()), 2663561279163515298U);
}

TEST(DeviceProfileOfNothing, IsAStreamWithoutChunks) {
  EXPECT_EQ(encoded(std::vector<float>(), 1e-3).size(), 24U);
}

TEST(DeviceProfileArguments, AreChecked) {
  const std::vector<float> values(100, 1);
  std::vector<std::byte> out(max_encoded_size(ElementType::float32, 100));
  const auto header = header_of(values, 1e-3);
  const auto error = [&](codec::bounded::Header with, std::size_t bytes, std::size_t room) {
    return encode({}, with, bytes_of(values).first(bytes), std::span(out).first(room)).error;
  };
  EXPECT_EQ(error(header, 399, out.size()), Error::bad_parameter);
  EXPECT_EQ(error(header, 400, out.size() - 1), Error::output_too_small);
  codec::bounded::Header none = header;
  none.grid = codec::bounded::GridKind::none;
  EXPECT_EQ(error(none, 400, out.size()), Error::bad_parameter);
  none.type = ElementType::int32;
  EXPECT_EQ(error(none, 400, out.size()), Error::unsupported_type);
}

// Where no grid of the type is fine enough, values come as they are.
TEST(DeviceProfileOfFineBounds, IsExact) {
  for (const double bound : {1e-30, 1e-9}) {
    const std::vector<float> values = fields<float>()[4].values;
    std::vector<float> decoded(values.size());
    ASSERT_EQ(decode_into(encoded(values, bound), decoded), Error::none);
    EXPECT_TRUE(same_bits(decoded, values));
  }
}

}  // namespace
}  // namespace tightwire::device
