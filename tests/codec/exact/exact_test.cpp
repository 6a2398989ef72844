// The promises of `exact`.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/exact/layout.h"
#include "codec/simd/kernels.h"
#include "random_cases.h"

namespace tightwire::codec {
namespace {

const Codec& exact_under_test() {
  return *find(Id::exact);
}

Bytes exact_encoded(ElementType type, const Bytes& values, const Parameters& parameters = {}) {
  const Codec& codec = exact_under_test();
  Bytes out(codec.max_encoded_size(type, values.size() / element_size(type)));
  const Result result = codec.encode(type, values, parameters, out);
  if (!result.ok()) return {};
  out.resize(result.size);
  return out;
}

constexpr ElementType every_type[] = {ElementType::bytes,  ElementType::int8,  ElementType::int16,
                                      ElementType::int32,  ElementType::int64, ElementType::float32,
                                      ElementType::float64};

Parameters parameters_with(std::uint32_t row_length, SecondStage stage) {
  Parameters parameters;
  parameters.row_length = row_length;
  parameters.second_stage = stage;
  return parameters;
}

// `size` bytes whose values of the type are smooth, noisy, or any.
Bytes make_bytes(ElementType type, Shape shape, std::size_t count, std::uint64_t seed) {
  const auto doubles = make_data<double>(shape, count, 1e-3, seed);
  Bytes out;
  for (const double x : doubles) {
    const float f = static_cast<float>(x);
    const auto integer =
        static_cast<std::int64_t>(std::isfinite(x * 1e4) ? std::fmod(x * 1e4, 1e15) : 7);
    const void* from = type == ElementType::float32   ? static_cast<const void*>(&f)
                       : type == ElementType::float64 ? static_cast<const void*>(&x)
                                                      : &integer;
    const auto* p = static_cast<const std::byte*>(from);
    out.insert(out.end(), p, p + element_size(type));
  }
  return out;
}

TEST(Exact, ReturnsEveryBitOfEveryType) {
  for (const ElementType type : every_type) {
    for (int shape = 0; shape < static_cast<int>(Shape::last); ++shape) {
      for (const std::size_t count : {0, 1, 15, 17, 1024, 5000}) {
        for (const std::uint32_t row : {0u, 1u, 100u}) {
          for (const SecondStage stage : {SecondStage::none, SecondStage::entropy}) {
            const Bytes values = make_bytes(type, static_cast<Shape>(shape), count, count + row);
            const Bytes bytes = exact_encoded(type, values, parameters_with(row, stage));
            ASSERT_FALSE(bytes.empty());
            Bytes result(values.size());
            ASSERT_TRUE(exact_under_test().decode(type, bytes, result).ok());
            ASSERT_EQ(result, values) << static_cast<int>(type) << " shape " << shape;
          }
        }
      }
    }
  }
}

RC_GTEST_PROP(ExactProperty, ReturnsAnyBytes, (const std::vector<std::uint64_t>& words)) {
  const Bytes values = bytes_of(words);
  for (const ElementType type : every_type) {
    const Bytes bytes = exact_encoded(type, values);
    Bytes result(values.size());
    RC_ASSERT(exact_under_test().decode(type, bytes, result).ok());
    RC_ASSERT(result == values);
  }
}

TEST(Exact, NeverGrowsByMoreThanItsHeader) {
  for (const ElementType type : every_type) {
    for (const std::size_t size : {8, 4096, 1 << 20}) {
      const Bytes noise = bytes_of(make_data<double>(Shape::any_bits, size / 8, 1, size));
      EXPECT_LE(exact_encoded(type, noise).size(), noise.size() + exact::header_size);
    }
  }
}

TEST(Exact, MakesSmoothFieldsSmaller) {
  constexpr std::size_t columns = 1000;
  std::vector<double> field(200 * columns);
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::size_t row = i / columns;
    field[i] = 280 + 30 * std::sin(static_cast<double>(i % columns) * 0.01) *
                         std::cos(static_cast<double>(row) * 0.02);
  }
  const Bytes values = bytes_of(field);
  const std::size_t flat = exact_encoded(ElementType::float64, values).size();
  EXPECT_LT(flat * 3, values.size() * 2);
  const Bytes with_rows =
      exact_encoded(ElementType::float64, values, parameters_with(1000, SecondStage::none));
  EXPECT_LT(with_rows.size(), flat);
}

TEST(Exact, SaysThatNoiseIsNotWorthIt) {
  const Bytes noise = bytes_of(make_data<double>(Shape::any_bits, 1 << 17, 1, 3));
  Parameters parameters;
  parameters.least_ratio = 1.05;
  Bytes out(exact_under_test().max_encoded_size(ElementType::float64, 1 << 17));
  EXPECT_EQ(exact_under_test().encode(ElementType::float64, noise, parameters, out).error,
            Error::incompressible);
  const Bytes smooth = make_bytes(ElementType::int32, Shape::smooth, 1 << 17, 3);
  EXPECT_TRUE(exact_under_test().encode(ElementType::int32, smooth, parameters, out).ok());
}

TEST(Exact, SecondStageNeverMakesItLonger) {
  for (int shape = 0; shape < static_cast<int>(Shape::last); ++shape) {
    const Bytes values = make_bytes(ElementType::float64, static_cast<Shape>(shape), 20000, 1);
    const auto size = [&](SecondStage stage) {
      return exact_encoded(ElementType::float64, values, parameters_with(100, stage)).size();
    };
    EXPECT_LE(size(SecondStage::entropy), size(SecondStage::none)) << "shape " << shape;
  }
  const Bytes constant(1 << 20, std::byte{7});
  EXPECT_LT(exact_encoded(ElementType::float64, constant, parameters_with(0, SecondStage::entropy))
                .size(),
            200U);
}

TEST(Exact, AnswersATooSmallBuffer) {
  for (const SecondStage stage : {SecondStage::none, SecondStage::entropy}) {
    const Bytes values = make_bytes(ElementType::int32, Shape::smooth, 3000, 1);
    const Bytes whole = exact_encoded(ElementType::int32, values, parameters_with(0, stage));
    for (std::size_t size = 0; size < whole.size(); size += 61) {
      Bytes out(size);
      EXPECT_EQ(exact_under_test()
                    .encode(ElementType::int32, values, parameters_with(0, stage), out)
                    .error,
                Error::output_too_small);
    }
  }
}

TEST(Exact, RefusesEveryTruncationAndExtension) {
  for (const SecondStage stage : {SecondStage::none, SecondStage::entropy}) {
    const Bytes values = make_bytes(ElementType::float32, Shape::smooth, 2100, 1);
    Bytes bytes = exact_encoded(ElementType::float32, values, parameters_with(50, stage));
    Bytes result(values.size());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto part = std::span<const std::byte>(bytes).first(size);
      ASSERT_EQ(exact_under_test().decode(ElementType::float32, part, result).error,
                Error::damaged);
    }
    bytes.push_back(std::byte{0});
    EXPECT_EQ(exact_under_test().decode(ElementType::float32, bytes, result).error, Error::damaged);
  }
}

TEST(Exact, TellsAnotherVersionFromDamage) {
  const std::vector<float> values(100, 1.5F);
  for (const Id id : {Id::exact, Id::bounded}) {
    const Codec& codec = *find(id);
    Parameters parameters;
    parameters.error_bound = 1e-3;
    std::vector<std::byte> bytes(codec.max_encoded_size(ElementType::float32, values.size()));
    const auto in = std::as_bytes(std::span(values));
    bytes.resize(codec.encode(ElementType::float32, in, parameters, bytes).size);
    std::vector<float> out(values.size());
    for (const unsigned version : {0U, 2U, 4U, 255U}) {
      bytes[0] = std::byte(version);
      const auto into = std::as_writable_bytes(std::span(out));
      EXPECT_EQ(codec.decode(ElementType::float32, bytes, into).error, Error::other_version);
    }
  }
}

TEST(Exact, SurvivesFlippedBytesAndAllInstructionSetsAgreeOnThem) {
  const Kernels& before = active_kernels();
  std::mt19937_64 random(3);
  for (int round = 0; round < random_cases(1500); ++round) {
    const ElementType type = every_type[random() % std::size(every_type)];
    const auto shape = static_cast<Shape>(random() % static_cast<unsigned>(Shape::last));
    const Bytes values = make_bytes(type, shape, 1 + random() % 5000, random());
    const std::uint32_t rows[] = {0, 3, 70, 2000};
    const SecondStage stage = random() % 2 == 0 ? SecondStage::none : SecondStage::entropy;
    const Parameters parameters = parameters_with(rows[random() % 4], stage);
    Bytes expected_bytes;
    Bytes expected_result;
    const std::uint64_t flip = random();
    for (const Kernels* kernels : all_kernels()) {
      if (!runs_here(*kernels)) continue;
      use_kernels(*kernels);
      Bytes bytes = exact_encoded(type, values, parameters);
      if (expected_bytes.empty()) expected_bytes = bytes;
      ASSERT_EQ(bytes, expected_bytes) << kernels->name;
      bytes[flip % bytes.size()] ^= std::byte(1 << flip / 7919 % 8);
      Bytes result(values.size());
      const Result decoded = exact_under_test().decode(type, bytes, result);
      ASSERT_TRUE(decoded.ok() || decoded.error == Error::damaged ||
                  decoded.error == Error::other_version);
      if (!decoded.ok()) std::fill(result.begin(), result.end(), std::byte{0});
      if (expected_result.empty()) expected_result = result;
      ASSERT_EQ(result, expected_result) << kernels->name;
    }
  }
  use_kernels(before);
}

}  // namespace
}  // namespace tightwire::codec
