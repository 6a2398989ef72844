#include <bit>
#include <cstdint>
#include <type_traits>

#include "float_cases.h"
#include "text.h"

namespace check {
namespace {

template <class T>
bool same_bits(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

// Values that no bound may touch. A field's -0 and subnormals are values like any other.
template <class T>
bool special(T value) {
  return !std::isfinite(value);
}

}  // namespace

template <class T>
void check_bcast(Checker& checker, const FloatBcast& wanted) {
  checker.begin_case(text("bcast, root ", wanted.root, ", ", size_of(wanted.comm), " ranks, ",
                          wanted.count, ' ', name_of(mpi_type<T>(wanted.components)), " of ",
                          name_of(wanted.pattern)));
  const auto sent = make<T>(wanted.pattern, checker.options().seed, wanted.root,
                            static_cast<std::size_t>(wanted.count) * wanted.components);
  const auto sent_bytes = std::as_bytes(std::span(sent));
  const bool root = rank_in(wanted.comm) == wanted.root;
  GuardedBuffer buffer(sent_bytes.size(), std::byte{0xA5});
  if (root) {
    std::copy(sent_bytes.begin(), sent_bytes.end(), static_cast<std::byte*>(buffer.data()));
  }
  checker.expect_success(MPI_Bcast(buffer.data(), wanted.count, mpi_type<T>(wanted.components),
                                   wanted.root, wanted.comm),
                         "MPI_Bcast");
  checker.expect(buffer.front_intact(), "bytes before the buffer were changed");
  if (root) {
    checker.expect(buffer.holds(sent_bytes), "the root's buffer was changed");
  }
  // The root keeps what it sent; the others must agree among themselves.
  checker.expect_same_bits(wanted.comm, buffer.bytes(), wanted.root);
  if (root) {
    return;
  }

  const double error = checker.bound().for_range(range_of_all<T>(MPI_COMM_SELF, sent));
  const auto values = buffer.as<const T>();
  std::uint64_t inexact = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    if (same_bits(values[i], sent[i])) {
      continue;
    }
    ++inexact;
    const double off = std::abs(static_cast<double>(values[i]) - static_cast<double>(sent[i]));
    if (special(sent[i]) || !(off <= error)) {
      checker.fail(text("value ", i, " is ", bits_text(values[i]), ", sent ", bits_text(sent[i])));
      return;
    }
  }
  checker.count_inexact(inexact);
}

template void check_bcast<float>(Checker&, const FloatBcast&);
template void check_bcast<double>(Checker&, const FloatBcast&);

}  // namespace check
