// Planes of fields of three dimensions: what they save, where they are left out, and that nothing
// is lost whatever the values and lengths.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <random>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/estimate/estimate.h"
#include "codec/exact/layout.h"

namespace tightwire::codec {
namespace {

constexpr std::uint32_t columns = 60;
constexpr std::uint32_t rows = 45;
constexpr std::uint32_t plane = rows * columns;

// Rough planes that change little from one to the next.
template <class T>
std::vector<T> volume(std::size_t count) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<double> here(plane);
  for (double& each : here) each = 100 + 10 * normal(random);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(here[i % plane] += 0.05 * normal(random));
  }
  return values;
}

struct Lengths {
  std::uint32_t row = columns;
  std::uint32_t plane = codec::plane;
};
constexpr Lengths without{columns, 0};

Parameters parameters_for(Lengths lengths, SecondStage stage, double bound = 0) {
  Parameters parameters = alone_parameters(bound, lengths.row);
  parameters.plane_length = lengths.plane;
  parameters.second_stage = stage;
  return parameters;
}

Bytes encoded_by(Id id, ElementType type, const Bytes& values, const Parameters& parameters) {
  const Codec& codec = *find(id);
  Bytes out(codec.max_encoded_size(type, values.size() / element_size(type)));
  const Result result = codec.encode(type, values, parameters, out);
  EXPECT_TRUE(result.ok()) << describe(result.error);
  out.resize(result.size);
  return out;
}

std::size_t size_of(Id id, const std::vector<float>& values, const Parameters& parameters) {
  return encoded_by(id, ElementType::float32, bytes_of(values), parameters).size();
}

// Those that a header states.
unsigned rows_in_plane(const Bytes& encoded) {
  return static_cast<unsigned>(encoded[6]) + 256 * static_cast<unsigned>(encoded[7]);
}

constexpr SecondStage stages[] = {SecondStage::none, SecondStage::entropy};

TEST(Planes, SaveBitsWhereTheyAreAlike) {
  const auto values = volume<float>(20 * plane + 777);
  for (const SecondStage stage : stages) {
    EXPECT_GT(
        size_of(Id::bounded, values, parameters_for(without, stage, 1e-3)),
        1.4 * static_cast<double>(size_of(Id::bounded, values, parameters_for({}, stage, 1e-3))));
    EXPECT_GT(size_of(Id::exact, values, parameters_for(without, stage)),
              1.2 * static_cast<double>(size_of(Id::exact, values, parameters_for({}, stage))));
  }
}

TEST(Planes, StandInTheHeaderWhereTheyAreUsed) {
  const Bytes values = bytes_of(volume<double>(5 * plane));
  for (const SecondStage stage : stages) {
    for (const Id id : {Id::bounded, Id::exact}) {
      const auto with = [&](Lengths lengths) {
        const double bound = id == Id::bounded ? 1e-3 : 0;
        return rows_in_plane(
            encoded_by(id, ElementType::float64, values, parameters_for(lengths, stage, bound)));
      };
      EXPECT_EQ(with({}), rows);
      EXPECT_EQ(with(without), 0U);
    }
  }
}

TEST(Planes, ThatAreNoneChangeNothing) {
  const auto values = volume<float>(5 * plane);
  const Lengths none[] = {{columns, plane + 1},  // no whole rows
                          {columns, columns},    // one row
                          {columns, 3 * plane},  // not two of them
                          {0, plane},            // without rows
                          {5, 15},               // hardly a block
                          {columns, columns * 70'000}};
  for (const Lengths lengths : none) {
    const Lengths plain{lengths.row, 0};
    for (const SecondStage stage : stages) {
      EXPECT_EQ(encoded(values, parameters_for(lengths, stage, 1e-3)),
                encoded(values, parameters_for(plain, stage, 1e-3)));
      const Bytes bytes = bytes_of(values);
      EXPECT_EQ(encoded_by(Id::exact, ElementType::float32, bytes, parameters_for(lengths, stage)),
                encoded_by(Id::exact, ElementType::float32, bytes, parameters_for(plain, stage)));
    }
  }
}

// Their integers are those of one plane, too; but nobody has memory for planes in the middle of a
// reduction.
TEST(Planes, AreLeftOutOfWhatWillBeCombined) {
  const auto values = volume<float>(5 * plane);
  Parameters parameters = grid_parameters(1e-3, 4, columns);
  const Bytes bytes = encoded(values, parameters);
  parameters.plane_length = plane;
  EXPECT_EQ(encoded(values, parameters), bytes);
}

TEST(Planes, AreOfNoUseWhereATileIsUnlikeTheOneBefore) {
  std::vector<float> noise(10 * plane);
  std::mt19937_64 random(12);
  std::normal_distribution<float> normal;
  for (float& value : noise) value = normal(random);
  const Parameters parameters = parameters_for({}, SecondStage::none, 1e-3);
  EXPECT_EQ(rows_in_plane(encoded(noise, parameters)), 0U);
}

TEST(Planes, OfAHeaderAreChecked) {
  const auto values = volume<float>(5 * plane);
  std::vector<float> result(values.size());
  const Bytes good = encoded(values, parameters_for({}, SecondStage::none, 1e-3));
  ASSERT_EQ(decode_into(good, result), Error::none);
  const auto with = [&](std::size_t place, unsigned value) {
    Bytes bytes = good;
    bytes[place] = std::byte(value);
    return decode_into(bytes, result);
  };
  EXPECT_EQ(with(6, 5 * rows), Error::damaged) << "as long as the message";
  EXPECT_EQ(with(2, 0x11), Error::damaged) << "with components";
  EXPECT_EQ(with(3, 0), Error::damaged) << "to be combined";
  EXPECT_EQ(with(4, 0), Error::damaged) << "without rows";
  const auto kind = static_cast<unsigned>(good[bounded::header_size]) % 16;
  ASSERT_EQ(with(bounded::header_size, kind + 16 * 6), Error::none) << "cube";
  EXPECT_EQ(with(bounded::header_size, kind + 16 * 7), Error::damaged) << "no such predictor";
  Bytes without_planes = good;
  without_planes[6] = without_planes[7] = {};
  EXPECT_EQ(decode_into(without_planes, result), Error::damaged) << "tiles look back to none";
  const Bytes bytes = bytes_of(values);
  Bytes stored = encoded_by(Id::exact, ElementType::float32, bytes, parameters_for({}, {}));
  ASSERT_EQ(stored[2], std::byte(exact::Method::tiles));
  stored.resize(exact::header_size);
  stored[2] = std::byte(exact::Method::stored);
  stored[3] = {};
  stored.insert(stored.end(), bytes.begin(), bytes.end());
  Bytes back(bytes.size());
  EXPECT_EQ(find(Id::exact)->decode(ElementType::float32, stored, back).error, Error::damaged);
  stored[6] = stored[7] = {};
  EXPECT_EQ(find(Id::exact)->decode(ElementType::float32, stored, back).error, Error::none);
}

Lengths any_lengths() {
  const auto row = *rc::gen::element<std::uint32_t>(1, 3, 8, 16, 17, 100, 640);
  return {row, row * *rc::gen::element<std::uint32_t>(2, 3, 7, 16, 60)};
}

template <class T>
void check_any_values() {
  const auto shape = static_cast<Shape>(*rc::gen::inRange(0, static_cast<int>(Shape::last)));
  const auto count = *rc::gen::inRange<std::size_t>(0, 30000);
  const double bound = std::exp2(*rc::gen::inRange(-20, 20));
  const auto stage = *rc::gen::element(SecondStage::none, SecondStage::entropy);
  const auto values = make_data<T>(shape, count, bound, *rc::gen::inRange(0, 1 << 20));
  const Bytes bytes = encoded(values, parameters_for(any_lengths(), stage, bound));
  std::vector<T> result(count);
  RC_ASSERT(decode_into(bytes, result) == Error::none);
  for (std::size_t i = 0; i < count; ++i) {
    const bool right = std::isfinite(values[i]) ? within_bound(values[i], result[i], bound)
                                                : honours_bound(values[i], result[i], bound);
    RC_ASSERT(right);
  }
}

RC_GTEST_PROP(PlanesProperty, FloatsAreWithinTheBound, ()) {
  check_any_values<float>();
}

RC_GTEST_PROP(PlanesProperty, DoublesAreWithinTheBound, ()) {
  check_any_values<double>();
}

// Planes that are alike but for some values, of every type.
RC_GTEST_PROP(PlanesProperty, ExactReturnsEveryBit, ()) {
  const auto type = static_cast<ElementType>(*rc::gen::inRange(0, 7));
  const Lengths lengths = any_lengths();
  const auto count = *rc::gen::inRange<std::size_t>(0, 20000);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1 << 20);
  const auto unlike = *rc::gen::element<unsigned>(1, 10, 1000, 1u << 31);
  std::mt19937_64 random(seed);
  Bytes values(count * element_size(type));
  const std::size_t back = lengths.plane * element_size(type);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool repeats = i >= back && random() % unlike != 0;
    values[i] = repeats ? values[i - back] : std::byte(random());
  }
  for (const SecondStage stage : stages) {
    const Bytes bytes = encoded_by(Id::exact, type, values, parameters_for(lengths, stage));
    Bytes result(values.size());
    RC_ASSERT(find(Id::exact)->decode(type, bytes, result).ok());
    RC_ASSERT(result == values);
  }
}

TEST(Planes, SurviveFlippedBytesAndTruncations) {
  std::mt19937_64 random(13);
  const auto values = volume<float>(3 * plane + 11);
  std::vector<float> result(values.size());
  for (const SecondStage stage : stages) {
    const Bytes good = encoded(values, parameters_for({}, stage, 1e-2));
    for (int round = 0; round < 300; ++round) {
      Bytes bytes = good;
      if (round % 3 == 0) bytes.resize(random() % bytes.size());
      if (!bytes.empty()) bytes[random() % bytes.size()] ^= std::byte(1 << random() % 8);
      const Error error = decode_into(bytes, result);
      EXPECT_TRUE(error == Error::none || error == Error::damaged || error == Error::other_version)
          << describe(error);
      if (round % 3 != 0) continue;
      EXPECT_EQ(error, Error::damaged);
    }
  }
}

Estimate estimate_of(const std::vector<float>& values, double bound, bool alone = true) {
  Parameters parameters = grid_parameters(bound);
  parameters.alone = alone;
  const std::array ids{Id::bounded, Id::exact};
  return estimate(ElementType::float32, std::as_bytes(std::span(values)), parameters, ids);
}

// Each row is rough and resembles the one above, each plane the one before even more.
std::vector<float> field(std::size_t depth, std::size_t height, std::size_t width,
                         unsigned seed = 14) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> profile(width);
  double last = 0;
  for (double& each : profile) each = last += normal(random);
  std::vector<double> here;
  for (std::size_t y = 0; y < height; ++y) {
    for (double& each : profile) here.push_back(each += 0.2 * normal(random));
  }
  std::vector<float> values;
  for (std::size_t z = 0; z < depth; ++z) {
    for (double& each : here) values.push_back(static_cast<float>(each += 0.02 * normal(random)));
  }
  return values;
}

TEST(Planes, AreFoundInFieldsOfThreeDimensions) {
  for (const double bound : {0.0, 1e-3}) {
    const Estimate of_field = estimate_of(field(40, 90, 110), bound);
    EXPECT_EQ(of_field.row_length, 110U) << bound;
    EXPECT_EQ(of_field.plane_length, 9900U) << bound;
    EXPECT_EQ(estimate_of(field(100, 70, 64), bound).plane_length, 70U * 64U) << bound;
  }
}

TEST(Planes, AreFoundNeitherInPlanesNorInNoise) {
  for (const double bound : {0.0, 1e-3}) {
    for (const unsigned seed : {14, 15, 16, 17, 18}) {
      EXPECT_EQ(estimate_of(field(1, 4000, 110, seed), bound).plane_length, 0U) << bound;
    }
    EXPECT_EQ(estimate_of(std::vector<float>(400'000, 1.5F), bound).plane_length, 0U) << bound;
    std::vector<float> noise(400'000);
    std::mt19937_64 random(15);
    std::normal_distribution<float> normal;
    for (float& value : noise) value = normal(random);
    EXPECT_EQ(estimate_of(noise, bound).plane_length, 0U) << bound;
  }
}

TEST(Planes, AreNotLookedForInWhatWillBeCombined) {
  EXPECT_EQ(estimate_of(field(40, 90, 110), 1e-3, false).plane_length, 0U);
}

TEST(Planes, AreInTheEstimateOfTheRatio) {
  const auto values = field(40, 90, 110);
  const Estimate estimate = estimate_of(values, 1e-3);
  const Lengths lengths{estimate.row_length, estimate.plane_length};
  const double actual = static_cast<double>(values.size() * sizeof(float)) /
                        static_cast<double>(size_of(
                            Id::bounded, values, parameters_for(lengths, SecondStage::none, 1e-3)));
  EXPECT_NEAR(estimate.of(Id::bounded)->ratio / actual, 1, 0.15);
}

}  // namespace
}  // namespace tightwire::codec
