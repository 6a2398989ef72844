// The third-party lossy codecs keep the promises of codec.h, which the libraries do not make.
#include <gtest/gtest.h>

#include "adapters/data.h"

namespace tightwire::codec {
namespace {

using namespace testing;

class Lossy : public ::testing::TestWithParam<Id> {
 protected:
  const Codec& codec() const { return *find(GetParam()); }

  template <class T>
  std::vector<std::byte> encode(const std::vector<T>& values, double bound) const {
    Parameters parameters;
    parameters.error_bound = bound;
    std::vector<std::byte> encoded(codec().max_encoded_size(type_of<T>, values.size()));
    const Result result = codec().encode(type_of<T>, bytes_of(values), parameters, encoded);
    EXPECT_TRUE(result.ok()) << describe(result.error);
    encoded.resize(result.size);
    return encoded;
  }

  template <class T>
  void expect_honoured(const std::vector<T>& values, double bound) const {
    const auto encoded = encode(values, bound);
    std::vector<T> decoded(values.size(), T{-7});
    const Result result =
        codec().decode(type_of<T>, encoded, std::as_writable_bytes(std::span(decoded)));
    ASSERT_TRUE(result.ok()) << describe(result.error);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_TRUE(honours_bound(values[i], decoded[i], bound))
          << "value " << i << " of " << values.size() << ": " << values[i] << " became "
          << decoded[i] << ", bound " << bound;
    }
  }

  template <class T>
  void expect_honoured_everywhere() const {
    for (const double bound : {1e-4, 1e-7, 0.3, 1e-38, 1e30, 0x1p-31}) {
      for (const std::size_t count : {0, 1, 3, 4, 5, 1023, 1024, 1025, 20'001}) {
        expect_honoured(smooth<T>(count), bound);
        expect_honoured(noise<T>(count, 1), bound);
        expect_honoured(random_bits<T>(count, 2), bound);
        expect_honoured(adversarial<T>(count, 3), bound);
        expect_honoured(on_the_edge<T>(count, bound, 4), bound);
        expect_honoured(std::vector<T>(count, T{-1}), bound);
      }
    }
  }
};

// Of both signs, in runs: predictions of such become infinite.
template <class T>
std::vector<T> of_the_largest(std::size_t count) {
  std::mt19937_64 random(5);
  std::vector<T> values(count);
  constexpr T largest = std::numeric_limits<T>::max();
  for (T& value : values) value = random() % 2 == 0 ? largest : -largest;
  return values;
}

TEST_P(Lossy, TakesTheLargestNumbers) {
  for (const std::size_t count : {1024, 39'352}) {
    expect_honoured(of_the_largest<float>(count), std::numeric_limits<float>::max() / 2048);
    expect_honoured(of_the_largest<double>(count), std::numeric_limits<double>::max() / 2048);
  }
}

TEST_P(Lossy, HonoursTheBoundForFloat) {
  expect_honoured_everywhere<float>();
}
TEST_P(Lossy, HonoursTheBoundForDouble) {
  expect_honoured_everywhere<double>();
}

TEST_P(Lossy, CompressesSmoothData) {
  EXPECT_LT(encode(smooth<float>(100'000), 1e-2).size(), 100'000 * sizeof(float) / 3);
  EXPECT_LT(encode(smooth<double>(100'000), 1e-2).size(), 100'000 * sizeof(double) / 3);
}

TEST_P(Lossy, AFewSpecialValuesCostLittle) {
  auto values = smooth<float>(100'000);
  const std::size_t plain = encode(values, 1e-3).size();
  values[0] = std::numeric_limits<float>::infinity();
  for (std::size_t i = 500; i < values.size(); i += 1000) values[i] = 1e30F;
  values.back() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_LT(encode(values, 1e-3).size(), plain + std::size_t{100} * 20);
  expect_honoured(values, 1e-3);
}

TEST_P(Lossy, EveryDamagedByteIsNoticed) {
  auto values = smooth<float>(2000);
  values[1000] = std::numeric_limits<float>::infinity();
  auto encoded = encode(values, 1e-3);
  std::vector<float> decoded(values.size());
  const auto out = std::as_writable_bytes(std::span(decoded));
  ASSERT_TRUE(codec().decode(ElementType::float32, encoded, out).ok());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    encoded[i] ^= std::byte{0x10};
    EXPECT_EQ(codec().decode(ElementType::float32, encoded, out).error, Error::damaged) << i;
    encoded[i] ^= std::byte{0x10};
  }
  for (std::size_t size = 0; size < encoded.size(); ++size) {
    EXPECT_EQ(codec().decode(ElementType::float32, std::span(encoded).first(size), out).error,
              Error::damaged)
        << size;
  }
  EXPECT_EQ(codec().decode(ElementType::float32, encoded, out.first(out.size() - 4)).error,
            Error::damaged);
  EXPECT_EQ(codec().decode(ElementType::float64, encoded, out).error, Error::damaged);
}

TEST_P(Lossy, RefusesABoundThatIsNone) {
  const auto values = smooth<float>(2000);
  std::vector<std::byte> out(codec().max_encoded_size(ElementType::float32, values.size()));
  for (const double bound : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    Parameters parameters;
    parameters.error_bound = bound;
    EXPECT_EQ(codec().encode(ElementType::float32, bytes_of(values), parameters, out).error,
              Error::bad_parameter)
        << bound;
  }
}

TEST_P(Lossy, IsForFloatingPointOnly) {
  for (const ElementType type : {ElementType::bytes, ElementType::int32, ElementType::int64}) {
    EXPECT_FALSE(codec().supports(type));
    EXPECT_EQ(codec().encode(type, {}, {}, {}).error, Error::unsupported_type);
    EXPECT_EQ(codec().decode(type, {}, {}).error, Error::unsupported_type);
  }
}

TEST_P(Lossy, TakesBuffersOfAnyAlignment) {
  const auto values = adversarial<double>(5000, 9);
  std::vector<std::byte> moved(1 + values.size() * sizeof(double));
  std::memcpy(moved.data() + 1, values.data(), values.size() * sizeof(double));
  std::vector<std::byte> encoded(1 + codec().max_encoded_size(ElementType::float64, 5000));
  Parameters parameters;
  parameters.error_bound = 1e-3;
  const Result result = codec().encode(ElementType::float64, std::span(moved).subspan(1),
                                       parameters, std::span(encoded).subspan(1));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(std::vector(encoded.begin() + 1,
                        encoded.begin() + 1 + static_cast<std::ptrdiff_t>(result.size)),
            encode(values, 1e-3));
  std::vector<std::byte> decoded(moved.size());
  ASSERT_TRUE(codec()
                  .decode(ElementType::float64, std::span(encoded).subspan(1, result.size),
                          std::span(decoded).subspan(1))
                  .ok());
}

INSTANTIATE_TEST_SUITE_P(ThirdParty, Lossy,
                         ::testing::Values(Id::sz3, Id::zfp_accuracy, Id::zfp_rate),
                         [](const auto& each) {
                           std::string name(find(each.param)->name());
                           std::erase(name, '-');
                           return name;
                         });

TEST(ZfpRate, RefusesARateThatIsNone) {
  const auto values = smooth<float>(2000);
  std::vector<std::byte> out(10'000);
  for (const double rate : {0.0, 0.5, 65.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Parameters parameters;
    parameters.error_bound = 1e-3;
    parameters.zfp_rate = rate;
    EXPECT_EQ(
        find(Id::zfp_rate)->encode(ElementType::float32, bytes_of(values), parameters, out).error,
        Error::bad_parameter)
        << rate;
  }
}

}  // namespace
}  // namespace tightwire::codec
