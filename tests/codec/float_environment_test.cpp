// Programs may have set floating-point arithmetic to anything; encodings must not depend on it.
#include "codec/float_environment.h"

#include <gtest/gtest.h>

#include <cfenv>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/estimate/estimate.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {
namespace {

// As `-ffast-math` sets it at the start of a program, or Fortran's `-ffpe-trap`.
class Strange {
 public:
  Strange() {
    std::fegetenv(&before_);
    std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
    constexpr unsigned flush_subnormals = 0x8040;
    constexpr unsigned trap_invalid = 0x0080;
    _mm_setcsr((_mm_getcsr() | flush_subnormals) & ~trap_invalid & ~0x3fU);
#endif
  }
  ~Strange() {
    std::fesetenv(&before_);
  }
  Strange(const Strange&) = delete;
  Strange& operator=(const Strange&) = delete;

 private:
  std::fenv_t before_;
};

template <class T>
std::vector<Bytes> all_of(const std::vector<T>& values, const std::vector<T>& others,
                          std::vector<T>& back) {
  const Parameters parameters = grid_parameters(1e-3, 2);
  std::vector<Bytes> all{encoded(values, parameters), encoded(others, parameters)};
  all.push_back(combined<T>(bounded::Operation::sum, values.size(), all[0], all[1]));
  all.push_back(combined_with_values<T>(bounded::Operation::sum, all[0], others, parameters));
  back = decoded<T>(all[2], values.size());
  return all;
}

template <class T>
void check_all() {
  const Kernels& before = active_kernels();
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    use_kernels(*kernels);
    for (int shape = 0; shape < static_cast<int>(Shape::last); ++shape) {
      const auto values = make_data<T>(static_cast<Shape>(shape), 3000, 1e-3, 1);
      const auto others = make_data<T>(static_cast<Shape>(shape), 3000, 1e-3, 2);
      std::vector<T> back;
      std::vector<T> strange_back;
      const auto plain = all_of(values, others, back);
      std::vector<Bytes> strange;
      {
        const Strange environment;
        strange = all_of(values, others, strange_back);
      }
      EXPECT_EQ(strange, plain) << kernels->name << ", shape " << shape;
      EXPECT_TRUE(same_bits(strange_back, back)) << kernels->name << ", shape " << shape;
    }
  }
  use_kernels(before);
}

TEST(FloatEnvironment, DoesNotChangeEncodingsOfFloats) {
  check_all<float>();
}

TEST(FloatEnvironment, DoesNotChangeEncodingsOfDoubles) {
  check_all<double>();
}

// Third-party coders and the estimator meet NaN in a program that traps invalid operations.
TEST(FloatEnvironment, IsPutAsideByEveryCodecAndTheEstimator) {
  const auto values = make_data<float>(Shape::specials, 3000, 1e-3, 1);
  const auto bytes = std::as_bytes(std::span(values));
  const Parameters parameters = grid_parameters(1e-3);
  std::vector<float> back(values.size());
  const Strange environment;
  for (const Codec* codec : all()) {
    Bytes out(codec->max_encoded_size(ElementType::float32, values.size()));
    const Result coded = codec->encode(ElementType::float32, bytes, parameters, out);
    ASSERT_TRUE(coded.ok()) << codec->name();
    ASSERT_TRUE(codec
                    ->decode(ElementType::float32, std::span(out).first(coded.size),
                             std::as_writable_bytes(std::span(back)))
                    .ok())
        << codec->name();
  }
  EXPECT_GT(estimate(ElementType::float32, bytes, parameters).of(Id::bounded)->ratio, 0);
}

TEST(FloatEnvironment, IsTheProgramsOwnAfterwards) {
  const Strange environment;
  std::feclearexcept(FE_ALL_EXCEPT);
  const std::vector<float> values{1, 1e30F, std::numeric_limits<float>::infinity()};
  const Bytes bytes = encoded(values, grid_parameters(1e-3));
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0) << "flags are the program's";
  EXPECT_FALSE(bytes.empty());
}

}  // namespace
}  // namespace tightwire::codec
