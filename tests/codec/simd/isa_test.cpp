// Every instruction set gives the same bytes and the same values.
#include <gtest/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/simd/kernels.h"
#include "random_cases.h"

namespace tightwire::codec {
namespace {

// Restores the choice made at start.
class Isa : public testing::Test {
 protected:
  ~Isa() override { use_kernels(before_); }
  const Kernels& before_ = active_kernels();
};

std::vector<const Kernels*> runnable() {
  std::vector<const Kernels*> list;
  for (const Kernels* kernels : all_kernels()) {
    if (runs_here(*kernels)) list.push_back(kernels);
  }
  return list;
}

struct Outcome {
  Bytes bytes;
  Error error = Error::none;
  bool operator==(const Outcome&) const = default;
};

template <class T>
std::vector<Outcome> outcomes(const std::vector<T>& values, const std::vector<T>& others,
                              const Parameters& parameters, std::uint64_t seed) {
  std::vector<Outcome> all;
  const std::size_t count = values.size();
  const Bytes a = encoded(values, parameters);
  const Bytes b = encoded(others, parameters);
  all.push_back({a});
  all.push_back({b});
  Parameters alone = parameters;
  alone.alone = true;
  alone.plane_length = 3 * alone.row_length;
  all.push_back({encoded(values, alone)});
  alone.second_stage = SecondStage::entropy;
  all.push_back({encoded(values, alone)});
  for (const auto operation :
       {bounded::Operation::sum, bounded::Operation::min, bounded::Operation::max}) {
    all.push_back({combined<T>(operation, count, a, b)});
    all.push_back({combined_with_values<T>(operation, a, others, parameters)});
  }
  std::mt19937_64 random(seed);
  const std::size_t encodings = all.size();
  for (int round = 0; round < 5; ++round) {
    Bytes bytes = all[random() % encodings].bytes;
    if (round > 0) bytes[random() % bytes.size()] ^= std::byte(1 << random() % 8);
    std::vector<T> result(count);
    const Error error = decode_into(bytes, result);
    if (error != Error::none) std::fill(result.begin(), result.end(), T{});
    const auto result_bytes = std::as_bytes(std::span(result));
    all.push_back({Bytes(result_bytes.begin(), result_bytes.end()), error});
  }
  return all;
}

template <class T>
void compare_all(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const double bound = std::exp2(static_cast<double>(random() % 40) - 20);
  const std::size_t most[] = {40, 6000, 6000, 6000, 24000};
  const std::size_t count = random() % most[random() % 5];
  const auto shape = static_cast<Shape>(random() % static_cast<unsigned>(Shape::last));
  const std::uint32_t rows[] = {0, 3, 16, 100, 1500};
  const std::uint32_t terms[] = {1, 2, 64, 5000};
  const Parameters parameters = grid_parameters(bound, terms[random() % 4], rows[random() % 5]);
  const auto values = make_data<T>(shape, count, bound, random());
  const auto others = make_data<T>(shape, count, bound, random());
  std::vector<Outcome> expected;
  for (const Kernels* kernels : runnable()) {
    use_kernels(*kernels);
    auto got = outcomes(values, others, parameters, seed);
    if (expected.empty()) {
      expected = std::move(got);
    } else {
      ASSERT_TRUE(got == expected) << kernels->name << " differs, seed " << seed << ", shape "
                                   << static_cast<int>(shape) << ", count " << count;
    }
  }
}

TEST_F(Isa, AllGiveTheSameBytesForFloats) {
  const auto cases = random_cases<std::uint64_t>(400);
  for (std::uint64_t seed = 0; seed < cases && !HasFatalFailure(); ++seed) compare_all<float>(seed);
}

TEST_F(Isa, AllGiveTheSameBytesForDoubles) {
  const auto cases = random_cases<std::uint64_t>(400);
  for (std::uint64_t seed = 0; seed < cases && !HasFatalFailure(); ++seed)
    compare_all<double>(seed);
}

TEST_F(Isa, TheBuildHasAllOfItsArchitecture) {
  std::vector<std::string_view> names;
  for (const Kernels* kernels : all_kernels()) names.push_back(kernels->name);
#if defined(__x86_64__)
  EXPECT_EQ(names, (std::vector<std::string_view>{"avx512", "avx2", "portable"}));
#elif defined(__aarch64__)
  EXPECT_EQ(names, (std::vector<std::string_view>{"neon", "portable"}));
#else
  EXPECT_EQ(names, (std::vector<std::string_view>{"portable"}));
#endif
}

TEST_F(Isa, OneIsAlwaysThere) {
  EXPECT_TRUE(runs_here(*all_kernels().back()));
}

}  // namespace
}  // namespace tightwire::codec
