// Operations that the user defines: commutative and not, on plain and on derived types.
#include <array>

#include "exact_cases.h"
#include "sections.h"

namespace check {
namespace {

constexpr std::uint32_t prime = 65521;

// x, y -> the map z -> x z + y; composing maps is associative and not commutative.
struct Affine {
  std::uint32_t factor;
  std::uint32_t offset;
  bool operator==(const Affine&) const = default;
};

Affine compose(Affine first, Affine then) {
  return {first.factor * then.factor % prime, (first.offset * then.factor + then.offset) % prime};
}

void compose_all(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  const auto* left = static_cast<const Affine*>(in);
  auto* right = static_cast<Affine*>(inout);
  for (int i = 0; i < *count; ++i) {
    right[i] = compose(left[i], right[i]);
  }
}

Affine make_affine(std::uint64_t bits) {
  return {static_cast<std::uint32_t>(bits % prime),
          static_cast<std::uint32_t>((bits >> 32) % prime)};
}

std::int32_t larger_magnitude(std::int32_t a, std::int32_t b) {
  return std::abs(std::int64_t{a}) >= std::abs(std::int64_t{b}) ? a : b;
}

// Commutative but for values of equal magnitude, of which the test has none.
void larger_magnitude_all(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  const auto* left = static_cast<const std::int32_t*>(in);
  auto* right = static_cast<std::int32_t*>(inout);
  for (int i = 0; i < *count; ++i) {
    right[i] = larger_magnitude(left[i], right[i]);
  }
}

// An operation on doubles that no quantising may come near: exclusive or of their bits.
double xor_bits(double a, double b) {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::memcpy(&x, &a, sizeof x);
  std::memcpy(&y, &b, sizeof y);
  x = (x ^ y) & 0x3fffffffffffffff;  // no NaN, which would not equal itself
  std::memcpy(&a, &x, sizeof a);
  return a;
}

void xor_all(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  const auto* left = static_cast<const double*>(in);
  auto* right = static_cast<double*>(inout);
  for (int i = 0; i < *count; ++i) {
    right[i] = xor_bits(left[i], right[i]);
  }
}

class Operation {
 public:
  Operation(MPI_User_function* function, bool commutes) { MPI_Op_create(function, commutes, &op_); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  ~Operation() { MPI_Op_free(&op_); }
  [[nodiscard]] MPI_Op get() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace

void check_user_operations(Checker& checker) {
  MPI_Datatype affine = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_UINT32_T, &affine);
  MPI_Type_commit(&affine);
  {
    const Operation composing(compose_all, false);
    const Operation larger(larger_magnitude_all, true);
    const Operation xoring(xor_all, true);
    for (const auto size : checker.options().sizes) {
      const Turn turn{size};
      for (std::size_t form = 0; form < all_forms.size(); ++form) {
        check_exact_reduction<Affine>(checker, affine, composing.get(), compose, turn.next(),
                                      make_affine);
        check_exact_reduction<std::int32_t>(checker, MPI_INT32_T, larger.get(), larger_magnitude,
                                            turn.next());
        check_exact_reduction<double>(
            checker, MPI_DOUBLE, xoring.get(), xor_bits, turn.next(),
            [](std::uint64_t bits) { return random_value<double>(bits & 0x3fffffffffffffff); });
        ++turn.step;
      }
    }
  }
  MPI_Type_free(&affine);
}

}  // namespace check
