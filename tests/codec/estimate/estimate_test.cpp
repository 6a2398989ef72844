#include "codec/estimate/estimate.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "codec/estimate/sample.h"

namespace tightwire::codec {
namespace {

template <class V>
constexpr ElementType type_of() {
  if constexpr (std::is_same_v<V, float>) return ElementType::float32;
  if constexpr (std::is_same_v<V, double>) return ElementType::float64;
  if constexpr (std::is_same_v<V, std::int64_t>) return ElementType::int64;
  if constexpr (std::is_same_v<V, std::int32_t>) return ElementType::int32;
  if constexpr (std::is_same_v<V, std::int16_t>) return ElementType::int16;
  return ElementType::int8;
}

// Waves across a grid of 800 columns, with noise.
template <class V>
std::vector<V> grid(std::size_t count, double scale, double noise) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<V> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t line = i / 800;
    const auto row = static_cast<double>(line);
    const auto column = static_cast<double>(i % 800);
    const double wave = std::sin(column * 0.31 + row * 0.02) + std::sin(column * 0.083) +
                        0.5 * std::cos(column * 0.7 - row * 0.03);
    values[i] = static_cast<V>(scale * (wave + noise * normal(random)));
  }
  return values;
}

template <class V>
std::vector<V> random_values(std::size_t count, double scale) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<V> values(count);
  for (V& value : values) value = static_cast<V>(scale * normal(random));
  return values;
}

Parameters within(double error_bound) {
  Parameters parameters;
  parameters.error_bound = error_bound;
  return parameters;
}

template <class V>
Estimate estimate_of(const std::vector<V>& values, double error_bound,
                     std::span<const Id> codecs = predictable) {
  return estimate(type_of<V>(), std::as_bytes(std::span(values)), within(error_bound), codecs);
}

template <class V>
double actual_ratio(Id id, const std::vector<V>& values, Parameters parameters) {
  const Codec& codec = *find(id);
  std::vector<std::byte> out(codec.max_encoded_size(type_of<V>(), values.size()));
  const Result result =
      codec.encode(type_of<V>(), std::as_bytes(std::span(values)), parameters, out);
  EXPECT_TRUE(result.ok());
  return static_cast<double>(values.size() * sizeof(V)) / static_cast<double>(result.size);
}

template <class V>
void expect_ratio(Id id, const std::vector<V>& values, double error_bound, double tolerance) {
  const Estimate estimate = estimate_of(values, error_bound, std::span(&id, 1));
  ASSERT_NE(estimate.of(id), nullptr);
  Parameters parameters = within(error_bound);
  parameters.row_length = estimate.row_length;
  const double actual = actual_ratio(id, values, parameters);
  EXPECT_NEAR(estimate.of(id)->ratio / actual, 1, tolerance)
      << find(id)->name() << ", actual " << actual << ", rows of " << estimate.row_length;
}

constexpr std::size_t many = 1'000'000;

TEST(Estimate, RatioOfBoundedIsCloseToWhatComes) {
  const auto waves = grid<float>(many, 1, 0.01);
  const auto wide_waves = grid<double>(many, 1, 0.01);
  const auto noise = random_values<float>(many, 1);
  for (const double bound : {1e-1, 1e-2, 1e-3, 1e-4}) {
    expect_ratio(Id::bounded, waves, bound, 0.1);
    expect_ratio(Id::bounded, wide_waves, bound, 0.1);
    expect_ratio(Id::bounded, noise, bound, 0.05);
  }
}

TEST(Estimate, RatioOfExactIsCloseToWhatComes) {
  expect_ratio(Id::exact, grid<float>(many, 1, 0.01), 0, 0.05);
  expect_ratio(Id::exact, grid<double>(many, 1, 0), 0, 0.05);
  expect_ratio(Id::exact, grid<std::int16_t>(many, 1000, 0.01), 0, 0.05);
  expect_ratio(Id::exact, grid<std::int32_t>(many, 1000, 0.01), 0, 0.05);
  expect_ratio(Id::exact, grid<std::int64_t>(many, 1000, 0.01), 0, 0.05);
  expect_ratio(Id::exact, random_values<std::int8_t>(many, 5), 0, 0.05);
}

// Rows of a power of two, of which the first columns are quiet: places at even distances would all
// lie in these.
TEST(Estimate, RatioOfExactIsCloseWhereColumnsAreUnlike) {
  constexpr std::size_t row = 4096;
  auto values = random_values<float>(512 * row, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % row < row / 2) values[i] = 0;
  }
  expect_ratio(Id::exact, values, 0, 0.1);
}

// A sample shows less repetition than there is, so theirs comes out low where they are good.
TEST(Estimate, RatioOfGeneralCompressorsIsRoughlyWhatComes) {
  for (const Id id : {Id::zstd, Id::lz4}) {
    expect_ratio(id, random_values<float>(many, 1), 0, 0.05);
    expect_ratio(id, random_values<std::int32_t>(many, 50), 0, 0.35);
    expect_ratio(id, grid<std::int16_t>(many, 10, 0.01), 0, 0.6);
  }
}

// Fields that are symmetrical are each other's copies, one after the other in a message.
TEST(Estimate, RatioOfLz4IsThatOfAShortMessageWhoseFieldsAreAlike) {
  constexpr std::size_t points = 1089;
  const auto field = random_values<double>(points, 1);
  std::vector<double> values;
  for (int i = 0; i < 3; ++i) values.insert(values.end(), field.begin(), field.end());
  expect_ratio(Id::lz4, values, 0, 0.05);
}

TEST(Estimate, FindsRowsThatMakeTheEncodingSmaller) {
  const auto values = grid<float>(many, 1, 0.001);
  const Estimate estimate = estimate_of(values, 1e-3);
  EXPECT_EQ(estimate.row_length, 800U);
  EXPECT_EQ(estimate.predictor, bounded::Predictor::rows);
  Parameters with_rows = within(1e-3);
  with_rows.row_length = estimate.row_length;
  EXPECT_GT(actual_ratio(Id::bounded, values, with_rows),
            1.2 * actual_ratio(Id::bounded, values, within(1e-3)));
}

TEST(Estimate, FindsRowsWhereEveryStretchHasGaps) {
  auto values = grid<float>(many, 1, 0.001);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto column = static_cast<double>(i % 800);
    const auto row = static_cast<double>(i / 800);
    if (std::cos(column * 0.03 + row * 0.01) > 0.3) values[i] = -9999;
  }
  const GridIntegers<float> integers(std::as_bytes(std::span(values)),
                                     bounded::make_grid<float>(1e-3, 1));
  Sampler<GridIntegers<float>> sampler(integers, many, 32);
  EXPECT_EQ(sampler.estimate(std::nullopt).structure.row_length, 800U);
}

// Three grids of 200 columns in turn, of unlike size.
template <class V>
std::vector<V> components(std::size_t count) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  std::vector<V> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t turn = i / 3;
    const auto column = static_cast<double>(turn % 200);
    const std::size_t line = turn / 200;
    const double wave =
        std::sin(column * 0.31 + static_cast<double>(line) * 0.02 + static_cast<double>(i % 3));
    const double sizes[] = {1, 40, 7};
    values[i] = static_cast<V>(sizes[i % 3] * (wave + 2 + 0.003 * normal(random)));
  }
  return values;
}

TEST(Estimate, FindsComponentsWithTheirRowsAndWhatTheyCompressTo) {
  const auto values = components<float>(many);
  for (const double bound : {1e-2, 1e-3}) {
    Parameters parameters = within(bound);
    parameters.alone = true;
    const Id id = Id::bounded;
    const Estimate estimate = codec::estimate(
        ElementType::float32, std::as_bytes(std::span(values)), parameters, std::span(&id, 1));
    EXPECT_EQ(estimate.components, 3U) << bound;
    EXPECT_EQ(estimate.row_length, 600U) << bound;
    const double one = actual_ratio(id, values, parameters);
    parameters.components = estimate.components;
    parameters.row_length = estimate.row_length;
    const double actual = actual_ratio(id, values, parameters);
    EXPECT_NEAR(estimate.of(id)->ratio / actual, 1, 0.1) << bound;
    EXPECT_GT(actual, 1.1 * one) << bound;
  }
}

TEST(Estimate, FindsComponentsOfExactValues) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  std::vector<double> values(many);
  std::array<double, 6> at{1, 200, -3000, 7, 1e4, -20};
  for (std::size_t i = 0; i < many; ++i) values[i] = at[i % 6] *= 1 + 1e-4 * normal(random);
  const Id id = Id::exact;
  const Estimate estimate = estimate_of(values, 0, std::span(&id, 1));
  EXPECT_EQ(estimate.components, 6U);
  Parameters parameters;
  parameters.components = estimate.components;
  EXPECT_NEAR(estimate.of(id)->ratio / actual_ratio(id, values, parameters), 1, 0.05);
  EXPECT_GT(actual_ratio(id, values, parameters), 1.2 * actual_ratio(id, values, {}));
}

TEST(Estimate, FindsNoComponentsWhereEncodingsAreCombinedNorWhereThereAreNone) {
  EXPECT_EQ(estimate_of(components<float>(many), 1e-3).components, 1U);
  EXPECT_EQ(estimate_of(grid<float>(many, 1, 0.01), 0).components, 1U);
  EXPECT_EQ(estimate_of(random_values<float>(many, 1), 0).components, 1U);
}

// And twice as much again where numbers turn out to have none after all.
TEST(Estimate, ReadsThreePerCentInSearchOfComponents) {
  for (const std::size_t count : {1000UL, 20'000UL, 600'000UL, 2'000'000UL}) {
    const std::size_t allowed = std::clamp<std::size_t>(count / 100, 4096, 65536);
    EXPECT_LE(estimate_of(components<double>(count), 0).values_read, 5 * allowed + 4096);
  }
}

TEST(Estimate, NoiseHasNoRowsAndNoPredictor) {
  const Estimate estimate = estimate_of(random_values<float>(many, 1), 1e-3);
  EXPECT_EQ(estimate.row_length, 0U);
  EXPECT_EQ(estimate.predictor, bounded::Predictor::none);
}

TEST(Estimate, ConstantsPromiseMuchButNoMoreThanTheSampleShows) {
  const Estimate estimate = estimate_of(std::vector<float>(many, 1.5F), 1e-3);
  EXPECT_GT(estimate.of(Id::bounded)->ratio, 300);
  EXPECT_LT(estimate.of(Id::bounded)->ratio,
            actual_ratio(Id::bounded, std::vector<float>(many, 1.5F), within(1e-3)));
  EXPECT_GT(estimate.of(Id::zstd)->ratio, 50);
}

TEST(Estimate, IncompressibleIsOne) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> values(many);
  for (auto& value : values) value = static_cast<std::int64_t>(random());
  const Estimate estimate = estimate_of(values, 0);
  ASSERT_EQ(estimate.size, 4U) << "raw, exact, zstd, lz4";
  for (const Prediction& prediction : estimate.all()) {
    EXPECT_NEAR(prediction.ratio, 1, 0.01) << find(prediction.codec)->name();
  }
}

TEST(Estimate, PredictsRawAndWhatIsAskedForAndPossible) {
  const auto values = grid<float>(many, 1, 0.01);
  const Estimate without_bound = estimate_of(values, 0);
  EXPECT_EQ(without_bound.all()[0].codec, Id::raw);
  EXPECT_EQ(without_bound.all()[0].ratio, 1);
  EXPECT_EQ(without_bound.of(Id::bounded), nullptr);
  EXPECT_NE(without_bound.of(Id::exact), nullptr);
  const Id sz3 = Id::sz3;
  EXPECT_EQ(estimate_of(values, 1e-3, std::span(&sz3, 1)).size, 1U);
  const Id twice[] = {Id::lz4, Id::lz4};
  EXPECT_EQ(estimate_of(values, 1e-3, twice).size, 2U);
}

TEST(Estimate, ASecondStageIsPredictedWhereItIsAskedFor) {
  const auto values = grid<float>(many, 1, 0.01);
  Parameters parameters;
  parameters.error_bound = 1e-3;
  parameters.alone = true;
  parameters.second_stage = SecondStage::entropy;
  const Estimate both =
      estimate(ElementType::float32, std::as_bytes(std::span(values)), parameters);
  parameters.row_length = both.row_length;
  for (const Id id : {Id::bounded, Id::exact}) {
    const auto with = std::ranges::find_if(both.all(), [&](const Prediction& prediction) {
      return prediction.codec == id && prediction.second_stage == SecondStage::entropy;
    });
    ASSERT_NE(with, both.all().end());
    EXPECT_GT(with->ratio, both.of(id)->ratio);
    EXPECT_GT(with->encode_seconds, both.of(id)->encode_seconds);
    const Codec& codec = *find(id);
    std::vector<std::byte> encoded(codec.max_encoded_size(ElementType::float32, values.size()));
    const Result result =
        codec.encode(ElementType::float32, std::as_bytes(std::span(values)), parameters, encoded);
    const double ratio = static_cast<double>(values.size() * 4) / static_cast<double>(result.size);
    EXPECT_NEAR(with->ratio / ratio, 1, 0.25) << find(id)->name();
  }
  parameters.terms = 2;
  const Estimate of_sum =
      estimate(ElementType::float32, std::as_bytes(std::span(values)), parameters);
  EXPECT_EQ(of_sum.size, both.size - 1);
}

TEST(Estimate, TimesArePositiveAndGrowWithTheMessage) {
  const Estimate small = estimate_of(grid<float>(many, 1, 0.01), 1e-3);
  const Estimate large = estimate_of(grid<float>(4 * many, 1, 0.01), 1e-3);
  for (const Prediction& prediction : small.all()) {
    EXPECT_GT(prediction.encode_seconds, 0) << find(prediction.codec)->name();
    EXPECT_GT(prediction.decode_seconds, 0) << find(prediction.codec)->name();
    EXPECT_LT(prediction.encode_seconds, 1);
    EXPECT_GT(large.of(prediction.codec)->encode_seconds, 2 * prediction.encode_seconds);
  }
}

TEST(Estimate, TakesMessagesOfAnySize) {
  const auto values = grid<double>(5000, 1, 0.01);
  for (std::size_t count = 0; count < values.size(); count += count < 300 ? 1 : 97) {
    const Estimate estimate =
        estimate_of(std::vector<double>(values.data(), values.data() + count), 1e-3);
    EXPECT_EQ(estimate.size, 5U);
    for (const Prediction& prediction : estimate.all()) EXPECT_GE(prediction.ratio, 1) << count;
    EXPECT_LE(estimate.values_read, 2 * count + count / 2) << "once by lz4, else twice in part";
  }
}

TEST(Estimate, TakesAnyValuesAndBounds) {
  using Limits = std::numeric_limits<float>;
  const float specials[] = {Limits::quiet_NaN(),  Limits::infinity(), -Limits::infinity(), -0.0F,
                            Limits::denorm_min(), Limits::max(),      Limits::lowest(),    1.0F};
  std::vector<float> values(100'000);
  std::mt19937_64 random(6);
  for (float& value : values) value = specials[random() % 8];
  const double bounds[] = {-1, 0, 1e-300, 1e-40, 1, 1e300, HUGE_VAL, std::nan("")};
  for (const double bound : bounds) {
    const Estimate estimate = estimate_of(values, bound);
    for (const Prediction& prediction : estimate.all()) {
      EXPECT_TRUE(std::isfinite(prediction.ratio) && prediction.ratio >= 1) << bound;
    }
  }
  EXPECT_NEAR(estimate_of(values, 1e-3).of(Id::bounded)->ratio,
              actual_ratio(Id::bounded, values, within(1e-3)), 0.2)
      << "most values are kept as they are";
}

// Notes which values are looked at.
class Watched {
 public:
  static constexpr unsigned lane_bits = 32;
  Watched(const std::vector<float>& values, std::vector<bool>& seen)
      : values_(values), seen_(seen) {}
  bool get(std::size_t index, std::int64_t& integer) const {
    seen_.at(index) = true;
    integer = std::llrint(values_.at(index) * 1000);
    return true;
  }
  static bool repeats(std::size_t) { return false; }

 private:
  const std::vector<float>& values_;
  std::vector<bool>& seen_;
};

TEST(Estimate, IsTheSameForThreadsThatAskAtOnce) {
  const auto values = grid<float>(many, 1, 0.001);
  const Estimate alone = estimate_of(values, 1e-3);
  std::array<Estimate, 4> estimates;
  std::vector<std::thread> threads;
  threads.reserve(estimates.size());
  for (Estimate& each : estimates) {
    threads.emplace_back([&] { each = estimate_of(values, 1e-3); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Estimate& each : estimates) {
    EXPECT_EQ(each.row_length, alone.row_length);
    for (const Id id : predictable) EXPECT_EQ(each.of(id)->ratio, alone.of(id)->ratio);
  }
}

TEST(Estimate, ReadsOnePerCent) {
  for (const std::size_t count : {1000UL, 20'000UL, 600'000UL, 2'000'000UL}) {
    const auto values = grid<float>(count, 1, 0.001);
    std::vector<bool> seen(count);
    const Watched integers(values, seen);
    constexpr bool may_have_planes = false;
    Sampler<Watched> sampler(integers, count, 32, may_have_planes);
    const BlockEstimate estimate = sampler.estimate(std::nullopt);
    const std::size_t allowed = std::clamp<std::size_t>(count / 100, 4096, 65536);
    const auto read = static_cast<std::size_t>(std::ranges::count(seen, true));
    EXPECT_LE(read, allowed);
    EXPECT_LE(read, estimate.values_read) << "and owns up to it";
    EXPECT_GE(read, std::min(count, allowed) / 10) << "but makes use of what it may";
    EXPECT_EQ(estimate.structure.row_length % 800,
              count < 500'000 ? estimate.structure.row_length % 800 : 0U);
    EXPECT_LE(estimate_of(values, 1e-3).values_read, allowed + std::min(count, 4096UL))
        << "with all codecs";
  }
}

TEST(Estimate, ReadsTwiceAsMuchInSearchOfPlanes) {
  for (const std::size_t count : {20'000UL, 600'000UL, 2'000'000UL}) {
    const auto values = grid<float>(count, 1, 0.001);
    std::vector<bool> seen(count);
    const Watched integers(values, seen);
    const BlockEstimate estimate = Sampler<Watched>(integers, count, 32).estimate(std::nullopt);
    const std::size_t allowed = std::clamp<std::size_t>(count / 100, 4096, 65536);
    const auto read = static_cast<std::size_t>(std::ranges::count(seen, true));
    EXPECT_LE(read, estimate.values_read);
    EXPECT_LE(estimate.values_read, allowed * 2);
  }
}

}  // namespace
}  // namespace tightwire::codec
