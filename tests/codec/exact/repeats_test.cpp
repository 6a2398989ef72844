// What repeats: runs of equal values, and lists of the distinct ones.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/exact/layout.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t part_size_field = 8;

Bytes coded(ElementType type, const Bytes& values, std::uint32_t row_length = 0) {
  const Codec& codec = *find(Id::exact);
  Parameters parameters;
  parameters.second_stage = SecondStage::entropy;
  parameters.row_length = row_length;
  Bytes out(codec.max_encoded_size(type, values.size() / element_size(type)));
  const Result result = codec.encode(type, values, parameters, out);
  EXPECT_TRUE(result.ok());
  out.resize(result.size);
  return out;
}

Error decode(ElementType type, const Bytes& encoded, Bytes& values) {
  return find(Id::exact)->decode(type, encoded, values).error;
}

bool comes_back(ElementType type, const Bytes& values, const Bytes& encoded) {
  Bytes result(values.size());
  return decode(type, encoded, result) == Error::none && result == values;
}

exact::Method method_of(const Bytes& encoded) {
  return static_cast<exact::Method>(encoded[2]);
}

double noise(std::size_t i) {
  auto x = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return static_cast<double>(x >> 11) * 0x1p-53;
}

template <class T, class F>
Bytes made(std::size_t count, F f) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(f(i));
  return bytes_of(values);
}

// Two thirds of them fill gaps.
template <class T>
Bytes with_gaps(std::size_t count, T fill) {
  return made<T>(count, [&](auto i) {
    return i % 300 < 200 ? fill : static_cast<T>(std::exp(noise(i)) * 40);
  });
}

// Of `distinct` values that are no decimals and have no short digits.
template <class T>
Bytes few(std::size_t count, std::size_t distinct) {
  return made<T>(count, [&](auto i) {
    const auto k = std::floor(noise(i) * static_cast<double>(distinct));
    return std::is_integral_v<T> ? k * k * 977 : std::exp(k / static_cast<double>(distinct));
  });
}

class Repeats : public testing::TestWithParam<ElementType> {};

template <class F>
Bytes of_type(ElementType type, F make) {
  switch (type) {
    case ElementType::float32:
      return make(0.0f);
    case ElementType::float64:
      return make(0.0);
    case ElementType::int64:
      return make(std::int64_t{0});
    case ElementType::int32:
      return make(std::int32_t{0});
    case ElementType::int16:
      return make(std::int16_t{0});
    default:
      return make(std::int8_t{0});
  }
}

TEST_P(Repeats, RunsAreLeftOut) {
  for (const std::size_t count : {2000u, 30000u, 30050u, 30250u}) {
    const Bytes values =
        of_type(GetParam(), [&](auto zero) { return with_gaps<decltype(zero)>(count, 7); });
    const Bytes encoded = coded(GetParam(), values);
    // Bytes may be taken for words first.
    if (element_size(GetParam()) > 1) {
      EXPECT_EQ(method_of(encoded), exact::Method::runs) << count;
    }
    EXPECT_TRUE(comes_back(GetParam(), values, encoded)) << count;
  }
}

TEST_P(Repeats, AllTheSameTakesSomeBytes) {
  const Bytes values = of_type(
      GetParam(), [](auto zero) { return made<decltype(zero)>(100000, [](auto) { return 42; }); });
  const Bytes encoded = coded(GetParam(), values);
  EXPECT_TRUE(comes_back(GetParam(), values, encoded));
  EXPECT_LT(encoded.size(), 100);
}

INSTANTIATE_TEST_SUITE_P(Types, Repeats,
                         testing::Values(ElementType::bytes, ElementType::int8, ElementType::int16,
                                         ElementType::int32, ElementType::int64,
                                         ElementType::float32, ElementType::float64));

TEST(Runs, AreOfBitsNotOfValues) {
  const float nan = std::bit_cast<float>(0x7fc12345u);
  for (const float fill : {nan, -0.0f, std::numeric_limits<float>::infinity(), 1e20f}) {
    Bytes values = with_gaps<float>(30000, fill);
    const float other = fill == 0 ? 0.0f : std::bit_cast<float>(0x7fc12346u);
    std::memcpy(values.data() + 100 * sizeof other, &other, sizeof other);
    const Bytes encoded = coded(ElementType::float32, values);
    EXPECT_EQ(method_of(encoded), exact::Method::runs);
    EXPECT_TRUE(comes_back(ElementType::float32, values, encoded));
  }
}

// The coder without them took 1.25 bits and more for each value of a gap.
TEST(Runs, CostNextToNothing) {
  const Bytes whole = made<float>(60000, [](auto i) { return std::exp(noise(i)) * 90; });
  const Bytes gaps = made<float>(90000, [](auto i) {
    return i % 3000 < 1000 ? 1e20 : std::exp(noise(i / 3000 * 2000 + i % 3000 - 1000)) * 90;
  });
  const auto more = coded(ElementType::float32, gaps).size();
  EXPECT_LT(more, coded(ElementType::float32, whole).size() + 600);
}

TEST(Runs, DoNotReplaceRowsThatTellMore) {
  // Every row is the one before it and a little, in the gaps, too.
  const Bytes values = made<float>(128 * 512, [](auto i) {
    return std::floor(noise(i % 512 / 6) * 0x1p20) + std::floor(static_cast<double>(i) / 512);
  });
  const Bytes encoded = coded(ElementType::float32, values, 512);
  EXPECT_NE(method_of(encoded), exact::Method::runs);
  EXPECT_TRUE(comes_back(ElementType::float32, values, encoded));
}

TEST(Lists, TakeThePlaceOfFewValues) {
  for (const ElementType type :
       {ElementType::int32, ElementType::int64, ElementType::float32, ElementType::float64}) {
    const Bytes values = of_type(type, [](auto zero) { return few<decltype(zero)>(50000, 500); });
    const Bytes encoded = coded(type, values);
    EXPECT_EQ(method_of(encoded), exact::Method::list);
    EXPECT_TRUE(comes_back(type, values, encoded));
    // Nine bits each, codes not being of part of bits, and the list.
    EXPECT_LT(encoded.size(), 60000 + 500 * element_size(type));
  }
}

TEST(Lists, HaveTheirValuesBitByBit) {
  const Bytes values = made<double>(40000, [](auto i) {
    const auto k = static_cast<int>(noise(i) * 300);
    if (k == 0) return -0.0;
    if (k == 1) return 0.0;
    if (k < 6) return std::bit_cast<double>(0x7ff8000000000000u + static_cast<unsigned>(k));
    return (k % 2 == 0 ? -1 : 1) * std::exp(k);
  });
  const Bytes encoded = coded(ElementType::float64, values);
  EXPECT_EQ(method_of(encoded), exact::Method::list);
  EXPECT_TRUE(comes_back(ElementType::float64, values, encoded));
}

TEST(Lists, MayBeOfWhatRunsLeave) {
  const Bytes values = made<double>(300000, [](auto i) {
    return i % 1000 < 700 ? 1e20 : std::exp(std::floor(noise(i) * 200) / 200);
  });
  const Bytes encoded = coded(ElementType::float64, values);
  ASSERT_EQ(method_of(encoded), exact::Method::runs);
  std::uint64_t lengths = 0;
  std::memcpy(&lengths, encoded.data() + exact::header_size, sizeof lengths);
  const Bytes told(
      encoded.begin() + exact::header_size + part_size_field + static_cast<std::ptrdiff_t>(lengths),
      encoded.end());
  EXPECT_EQ(method_of(told), exact::Method::list);
  EXPECT_TRUE(comes_back(ElementType::float64, values, encoded));
}

// Where the second part of one begins.
std::size_t second_part(const Bytes& encoded) {
  std::uint64_t first = 0;
  std::memcpy(&first, encoded.data() + exact::header_size, sizeof first);
  return exact::header_size + part_size_field + first;
}

class DamagedRepeats : public testing::TestWithParam<bool> {
 protected:
  const ElementType type = ElementType::float32;
  const Bytes values = GetParam() ? with_gaps<float>(6000, 1e20f) : few<float>(6000, 100);
  const Bytes encoded = coded(type, values);
};

TEST_P(DamagedRepeats, IsRefusedOrHarmless) {
  ASSERT_EQ(method_of(encoded), GetParam() ? exact::Method::runs : exact::Method::list);
  Bytes out(values.size());
  for (std::size_t size = 0; size < encoded.size(); ++size) {
    EXPECT_EQ(decode(type, Bytes(encoded.begin(), encoded.begin() + std::ptrdiff_t(size)), out),
              Error::damaged);
  }
  for (std::size_t at = 0; at < std::min<std::size_t>(encoded.size(), 400); ++at) {
    for (const unsigned flip : {1u, 0x80u, 0xffu}) {
      Bytes other = encoded;
      other[at] ^= std::byte(flip);
      static_cast<void>(decode(type, other, out));
    }
  }
}

TEST_P(DamagedRepeats, PartsOfOtherMethodsAreRefused) {
  Bytes out(values.size());
  for (const std::size_t part : {exact::header_size + part_size_field, second_part(encoded)}) {
    for (const exact::Method method : {exact::Method::runs, exact::Method::words}) {
      Bytes other = encoded;
      other[part + 2] = std::byte(method);
      EXPECT_EQ(decode(type, other, out), Error::damaged);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, DamagedRepeats, testing::Bool());

// An encoding of two parts that are stored.
template <class First, class Second>
Bytes stored_parts(exact::Method method, std::uint64_t count, const std::vector<First>& first,
                   const std::vector<Second>& second) {
  const auto stored = [](ElementType type, const auto& values) {
    Bytes out(exact::header_size);
    exact::write_header({type, exact::Method::stored, 1, {}, values.size()}, out.data());
    const Bytes bytes = bytes_of(values);
    out.insert(out.end(), bytes.begin(), bytes.end());
    return out;
  };
  const auto type_of = [](auto value) {
    return std::is_same_v<decltype(value), float> ? ElementType::float32 : ElementType::int32;
  };
  const Bytes parts[] = {stored(type_of(First{}), first), stored(type_of(Second{}), second)};
  Bytes out(exact::header_size + part_size_field);
  exact::write_header({ElementType::float32, method, 1, {}, count}, out.data());
  const std::uint64_t size = parts[0].size();
  std::memcpy(out.data() + exact::header_size, &size, sizeof size);
  for (const Bytes& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

TEST(Runs, LengthsMustFit) {
  using Lengths = std::vector<std::int32_t>;
  const std::vector<float> told = {1.5f, 2.5f, 3.5f};
  Bytes out(8 * sizeof(float));
  const auto error = [&](const Lengths& lengths, const std::vector<float>& values) {
    const Bytes all = stored_parts(exact::Method::runs, 8, lengths, values);
    return decode(ElementType::float32, all, out);
  };
  EXPECT_EQ(error({1, 3, 2, 2}, told), Error::none);
  EXPECT_EQ(out, bytes_of(std::vector<float>{1.5f, 1.5f, 1.5f, 1.5f, 2.5f, 3.5f, 3.5f, 3.5f}));
  EXPECT_EQ(error({2, 5, 1, 0}, told), Error::none);
  EXPECT_EQ(error({1, 3, 2, 1}, told), Error::damaged);  // one value is missing
  EXPECT_EQ(error({1, 3, 2, 3}, told), Error::damaged);
  EXPECT_EQ(error({1, 4, 2}, told), Error::damaged);
  EXPECT_EQ(error({}, told), Error::damaged);
  EXPECT_EQ(error({0, 3, 3, 2}, told), Error::damaged);
  EXPECT_EQ(error({2, 0, 1, 5}, told), Error::damaged);
  EXPECT_EQ(error({1, -3, 2, 8}, told), Error::damaged);
  EXPECT_EQ(error({1, 3, 2, 2}, {1.5f, 2.5f}), Error::damaged);
  EXPECT_EQ(error({1, 3, 2, 2}, {1.5f, 2.5f, 3.5f, 4.5f}), Error::damaged);
}

TEST(Lists, PlacesMustBeInThem) {
  using Places = std::vector<std::int32_t>;
  const std::vector<float> list = {1.5f, 2.5f};
  Bytes out(4 * sizeof(float));
  const auto error = [&](const Places& places, const std::vector<float>& values) {
    const Bytes all = stored_parts(exact::Method::list, 4, values, places);
    return decode(ElementType::float32, all, out);
  };
  EXPECT_EQ(error({0, 1, 1, 0}, list), Error::none);
  EXPECT_EQ(out, bytes_of(std::vector<float>{1.5f, 2.5f, 2.5f, 1.5f}));
  EXPECT_EQ(error({0, 1, 2, 0}, list), Error::damaged);
  EXPECT_EQ(error({0, -1, 1, 0}, list), Error::damaged);
  EXPECT_EQ(error({0, 1, 1}, list), Error::damaged);
  EXPECT_EQ(error({0, 0, 0, 0}, {}), Error::damaged);
  EXPECT_EQ(error({0, 0, 0, 0}, {1, 2, 3, 4, 5}), Error::damaged);  // more than values
}

RC_GTEST_PROP(RepeatsProperty, ReturnsEveryBit, ()) {
  const auto type = static_cast<ElementType>(*rc::gen::inRange(0, 7));
  const auto count = *rc::gen::inRange<std::size_t>(0, 20000);
  const auto length = *rc::gen::inRange<std::size_t>(1, 400);
  const auto distinct = *rc::gen::inRange<std::size_t>(1, 600);
  const auto kept = *rc::gen::inRange<std::size_t>(0, 4);
  Bytes values(count * element_size(type));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t of = i / length % 4 < kept ? i : i / length;
    const double value = std::exp(std::floor(noise(of) * static_cast<double>(distinct)));
    std::memcpy(values.data() + i * element_size(type), &value, element_size(type));
  }
  RC_ASSERT(comes_back(type, values, coded(type, values)));
}

}  // namespace
}  // namespace tightwire::codec
