// Sums that are predicted from earlier ones: the same bits as without, in fewer bytes.
#include <gtest/gtest.h>

#include "codec/history/sums_in_time.h"
#include "codec/simd/kernels.h"
#include "history/support.h"

namespace tightwire::codec {
namespace {

using bounded::Operation;

constexpr std::uint32_t ranks = 3;
constexpr std::size_t count = 5000;  // tiles that are full, and one that is not

// What a hop of a ring sees at each call: what arrives, and what is added to it.
template <class T>
struct Hop {
  Parameters parameters;
  Bytes incoming;
  std::vector<T> own;
  std::vector<Bytes> earlier;  // what arrived before, the nearest first

  [[nodiscard]] std::vector<std::span<const std::byte>> references(std::size_t number) const {
    return {earlier.begin(), earlier.begin() + static_cast<std::ptrdiff_t>(number)};
  }
};

template <class T>
Bytes partial_sum(Operation operation, Course course, int step, const Parameters& parameters) {
  const Bytes first = encoded(message<T>(course, step, count, 1), parameters);
  const auto own = message<T>(course, step, count, 2);
  Bytes out(bounded_under_test().max_encoded_size(type_of<T>, count));
  const Result result = bounded::combine_values(operation, type_of<T>, first,
                                                std::as_bytes(std::span(own)), parameters, out);
  EXPECT_TRUE(result.ok());
  out.resize(result.size);
  return out;
}

template <class T>
Hop<T> hop_of(Operation operation, Course course, double bound) {
  Hop<T> hop{grid_parameters(bound, ranks), {}, message<T>(course, 0, count, 3), {}};
  hop.incoming = partial_sum<T>(operation, course, 0, hop.parameters);
  for (int step = 1; step <= 4; ++step) {
    // As a bound relative to the values has it, each has a grid of its own.
    const Parameters before = grid_parameters(bound * (1 + 0.01 * step), ranks);
    hop.earlier.push_back(
        bytes_of(decoded<T>(partial_sum<T>(operation, course, step, before), count)));
  }
  return hop;
}

// Empty: it could not be.
template <class T>
Bytes left_of(const Bytes& encoding, Parameters parameters,
              const std::vector<std::span<const std::byte>>& references) {
  parameters.references = references;
  Bytes out(bounded_under_test().max_encoded_size(type_of<T>, count));
  const Result result = bounded::leave_of_sums(type_of<T>, encoding, parameters, out);
  out.resize(result.ok() ? result.size : 0);
  return out;
}

template <class T>
void expect_same_sums(const Hop<T>& hop, Operation operation, std::size_t number) {
  const auto references = hop.references(number);
  const Bytes left = left_of<T>(hop.incoming, hop.parameters, references);
  ASSERT_FALSE(left.empty());
  Parameters parameters = hop.parameters;
  parameters.references = references;
  const auto own = std::as_bytes(std::span(hop.own));

  const Bytes whole = bytes_of(decoded<T>(hop.incoming, count));
  Bytes values(own.size());
  ASSERT_TRUE(bounded::decode_sums(type_of<T>, left, parameters, values).ok());
  EXPECT_EQ(values, whole);

  Bytes usual(bounded_under_test().max_encoded_size(type_of<T>, count));
  Bytes usual_values(own.size());
  ASSERT_TRUE(bounded::complete_values(operation, type_of<T>, hop.incoming, own, hop.parameters,
                                       usual, usual_values)
                  .ok());
  Bytes out(usual.size());
  Bytes arrived(own.size());
  const Result merged =
      bounded::combine_values_in_time(operation, type_of<T>, left, own, parameters, out, arrived);
  ASSERT_TRUE(merged.ok());
  out.resize(merged.size);
  EXPECT_EQ(arrived, whole);
  EXPECT_EQ(bytes_of(decoded<T>(out, count)), usual_values);

  for (const std::size_t room : {usual.size(), std::size_t{0}}) {
    Bytes frame(room);
    arrived.assign(own.size(), std::byte{0});
    ASSERT_TRUE(bounded::complete_values_in_time(operation, type_of<T>, left, own, parameters,
                                                 frame, values, arrived)
                    .ok());
    EXPECT_EQ(arrived, whole);
    EXPECT_EQ(values, usual_values);
  }
}

template <class T>
class SumsInTime : public testing::Test {
 protected:
  ~SumsInTime() override { use_kernels(before_); }
  const Kernels& before_ = active_kernels();
};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(SumsInTime, FloatTypes);

TYPED_TEST(SumsInTime, HaveTheSameBitsAsWithout) {
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    use_kernels(*kernels);
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
      for (const Course course : {Course::unchanged, Course::smooth, Course::in_part,
                                  Course::specials, Course::any_bits}) {
        // Too coarse for any change to be seen, usual, and too fine for float to hold the values.
        for (const double bound : {10.0, 1e-4, 1e-7}) {
          const auto hop = hop_of<TypeParam>(operation, course, bound);
          for (const std::size_t number : {1u, 2u, 4u}) {
            SCOPED_TRACE(testing::Message()
                         << kernels->name << ", course " << static_cast<int>(course) << ", bound "
                         << bound << ", references " << number);
            expect_same_sums(hop, operation, number);
          }
        }
      }
    }
  }
}

TYPED_TEST(SumsInTime, AreSmallerWhereTheyMoveSmoothly) {
  const auto hop = hop_of<TypeParam>(Operation::sum, Course::smooth, 1e-5);
  const Bytes left = left_of<TypeParam>(hop.incoming, hop.parameters, hop.references(2));
  ASSERT_FALSE(left.empty());
  EXPECT_LT(2 * left.size(), hop.incoming.size());
}

TYPED_TEST(SumsInTime, AreSameBytesOnAllInstructionSets) {
  Bytes first;
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    use_kernels(*kernels);
    const auto hop = hop_of<TypeParam>(Operation::sum, Course::in_part, 1e-4);
    const Bytes left = left_of<TypeParam>(hop.incoming, hop.parameters, hop.references(3));
    if (first.empty()) first = left;
    EXPECT_EQ(left, first) << kernels->name;
  }
}

TYPED_TEST(SumsInTime, OfAnotherGridAreRefused) {
  const auto hop = hop_of<TypeParam>(Operation::sum, Course::smooth, 1e-4);
  const auto references = hop.references(2);
  const Bytes left = left_of<TypeParam>(hop.incoming, hop.parameters, references);
  Parameters other = grid_parameters(2e-4, ranks);
  other.references = references;
  Bytes values(count * sizeof(TypeParam));
  EXPECT_EQ(bounded::decode_sums(type_of<TypeParam>, left, other, values).error,
            Error::mismatched_grid);
}

TYPED_TEST(SumsInTime, NeedTheirReferences) {
  const auto hop = hop_of<TypeParam>(Operation::sum, Course::smooth, 1e-4);
  const Bytes left = left_of<TypeParam>(hop.incoming, hop.parameters, hop.references(3));
  const auto fewer = hop.references(2);
  Parameters parameters = hop.parameters;
  Bytes values(count * sizeof(TypeParam));
  parameters.references = fewer;
  EXPECT_EQ(bounded::decode_sums(type_of<TypeParam>, left, parameters, values).error,
            Error::damaged);
  parameters.references = {};
  EXPECT_EQ(bounded::decode_sums(type_of<TypeParam>, left, parameters, values).error,
            Error::bad_parameter);
  EXPECT_TRUE(left_of<TypeParam>(hop.incoming, hop.parameters, {}).empty());
}

TYPED_TEST(SumsInTime, CutShortAreDamaged) {
  const auto hop = hop_of<TypeParam>(Operation::sum, Course::in_part, 1e-4);
  const auto references = hop.references(2);
  const Bytes left = left_of<TypeParam>(hop.incoming, hop.parameters, references);
  Parameters parameters = hop.parameters;
  parameters.references = references;
  const auto own = std::as_bytes(std::span(hop.own));
  Bytes arrived(own.size());
  Bytes out(bounded_under_test().max_encoded_size(type_of<TypeParam>, count));
  for (std::size_t size = 0; size < left.size(); size += 1 + left.size() / 200) {
    EXPECT_EQ(
        bounded::combine_values_in_time(Operation::sum, type_of<TypeParam>,
                                        std::span(left).first(size), own, parameters, out, arrived)
            .error,
        Error::damaged);
  }
}

}  // namespace
}  // namespace tightwire::codec
