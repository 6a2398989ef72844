// Types that no bound ever touches: integers, logicals, bytes, pairs. Their results are exact.
#include <algorithm>
#include <complex>
#include <functional>
#include <type_traits>

#include "exact_cases.h"
#include "sections.h"
#include "text.h"

namespace check {
namespace {

template <class T>
struct Named {
  MPI_Op op;
  T (*combine)(T, T);
};

// Arithmetic wraps round, as it does in MPI's own loops; done unsigned, since signed may not.
template <class T>
T add(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}
template <class T>
T multiply(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// Narrow values, so that signed sums and products of a few ranks stay in range.
template <class T>
T small_integer(std::uint64_t bits) {
  return static_cast<T>(sizeof(T) == 1 ? bits % 3 : bits % 7);
}

// MPICH 4.0, and for unsigned long Open MPI 4.1, compare unsigned numbers as if they had a sign.
template <class T>
T low_integer(std::uint64_t bits) {
  const auto value = random_value<T>(bits);
  return std::is_unsigned_v<T> ? static_cast<T>(value / 2) : value;
}

template <class T>
void check_integer(Checker& checker, MPI_Datatype type, const Turn& turn) {
  const Named<T> operations[] = {
      {MPI_SUM, add<T>},
      {MPI_PROD, multiply<T>},
      {MPI_MIN, [](T a, T b) { return std::min(a, b); }},
      {MPI_MAX, [](T a, T b) { return std::max(a, b); }},
      {MPI_BAND, [](T a, T b) { return static_cast<T>(a & b); }},
      {MPI_BOR, [](T a, T b) { return static_cast<T>(a | b); }},
      {MPI_BXOR, [](T a, T b) { return static_cast<T>(a ^ b); }},
      {MPI_LAND, [](T a, T b) { return static_cast<T>(a && b); }},
      {MPI_LOR, [](T a, T b) { return static_cast<T>(a || b); }},
      {MPI_LXOR, [](T a, T b) { return static_cast<T>(!a != !b); }},
  };
  for (const auto& [op, combine] : operations) {
    const bool arithmetic = op == MPI_SUM || op == MPI_PROD;
    const bool extreme = op == MPI_MIN || op == MPI_MAX;
    check_exact_reduction<T>(checker, type, op, combine, turn.next(),
                             arithmetic ? small_integer<T>
                             : extreme  ? low_integer<T>
                                        : random_value<T>);
  }
  check_exact_bcast<T>(checker, type, turn.next());
}

template <class T>
void check_logical(Checker& checker, MPI_Datatype type, const Turn& turn) {
  const auto make = [](std::uint64_t bits) { return static_cast<T>(bits % 3 == 0); };
  check_exact_reduction<T>(
      checker, type, MPI_LAND, [](T a, T b) { return T(a && b); }, turn.next(), make);
  check_exact_reduction<T>(
      checker, type, MPI_LOR, [](T a, T b) { return T(a || b); }, turn.next(), make);
  check_exact_reduction<T>(
      checker, type, MPI_LXOR, [](T a, T b) { return T(a != b); }, turn.next(), make);
}

template <class T>
void check_bytes(Checker& checker, MPI_Datatype type, const Turn& turn) {
  check_exact_reduction<T>(
      checker, type, MPI_BXOR, [](T a, T b) { return T(a ^ b); }, turn.next());
  check_exact_bcast<T>(checker, type, turn.next());
}

// The pair with the least (greatest) value, of equals the one with the lowest index.
template <class Value>
struct Pair {
  Value value;
  int index;
  bool operator==(const Pair& other) const { return value == other.value && index == other.index; }
};

template <class Value>
void check_pairs(Checker& checker, MPI_Datatype type, const Turn& turn) {
  using P = Pair<Value>;
  const auto make = [](std::uint64_t bits) {
    return P{static_cast<Value>(bits % 5), static_cast<int>(bits >> 40)};
  };
  const auto least = [](P a, P b) {
    if (a.value == b.value) {
      return P{a.value, std::min(a.index, b.index)};
    }
    return a.value < b.value ? a : b;
  };
  const auto greatest = [](P a, P b) {
    if (a.value == b.value) {
      return P{a.value, std::min(a.index, b.index)};
    }
    return a.value > b.value ? a : b;
  };
  check_exact_reduction<P>(checker, type, MPI_MINLOC, least, turn.next(), make);
  check_exact_reduction<P>(checker, type, MPI_MAXLOC, greatest, turn.next(), make);
}

// Small whole numbers: their sums and products are exact in any order, so these can be judged as
// integers are. What a bound does to float and double is float_section's concern.
template <class T>
void check_wide_floats(Checker& checker, MPI_Datatype type, const Turn& turn) {
  const auto make = [](std::uint64_t bits) { return T(static_cast<float>(bits % 9)); };
  check_exact_reduction<T>(checker, type, MPI_SUM, std::plus<T>(), turn.next(), make);
  check_exact_reduction<T>(checker, type, MPI_PROD, std::multiplies<T>(), turn.next(), make);
}

}  // namespace

void check_exact_types(Checker& checker) {
  for (const auto size : {checker.options().sizes.front(), checker.options().sizes.back()}) {
    const Turn turn{size};
    check_integer<std::int8_t>(checker, MPI_INT8_T, turn);
    check_integer<std::int16_t>(checker, MPI_INT16_T, turn);
    check_integer<std::int32_t>(checker, MPI_INT32_T, turn);
    check_integer<std::int64_t>(checker, MPI_INT64_T, turn);
    check_integer<std::uint8_t>(checker, MPI_UINT8_T, turn);
    check_integer<std::uint16_t>(checker, MPI_UINT16_T, turn);
    check_integer<std::uint32_t>(checker, MPI_UINT32_T, turn);
    check_integer<std::uint64_t>(checker, MPI_UINT64_T, turn);
    check_integer<int>(checker, MPI_INT, turn);
    check_integer<unsigned long>(checker, MPI_UNSIGNED_LONG, turn);
    check_logical<unsigned char>(checker, MPI_C_BOOL, turn);
    check_logical<unsigned char>(checker, MPI_CXX_BOOL, turn);
    check_bytes<unsigned char>(checker, MPI_BYTE, turn);
    check_exact_bcast<char>(checker, MPI_CHAR, turn.next());
    check_exact_bcast<float>(checker, MPI_PACKED, turn.next());
    check_exact_bcast<double>(checker, MPI_BYTE, turn.next());
    check_pairs<float>(checker, MPI_FLOAT_INT, turn);
    check_pairs<double>(checker, MPI_DOUBLE_INT, turn);
    check_pairs<int>(checker, MPI_2INT, turn);
    check_pairs<short>(checker, MPI_SHORT_INT, turn);
    check_pairs<long>(checker, MPI_LONG_INT, turn);
    check_wide_floats<long double>(checker, MPI_LONG_DOUBLE, turn);
    check_wide_floats<std::complex<long double>>(checker, MPI_C_LONG_DOUBLE_COMPLEX, turn);
  }
}

}  // namespace check
