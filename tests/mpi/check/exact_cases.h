// Reductions and broadcasts whose result must be exact to the last bit, whatever the settings.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "checker.h"
#include "data.h"
#include "perform.h"
#include "text.h"

namespace check {

// How the next case is done. Cases of one size turn through forms and roots.
struct How {
  MPI_Comm comm = MPI_COMM_WORLD;
  Form form = Form::allreduce;
  int root = 0;
  std::size_t bytes = 0;
};

struct Turn {
  std::size_t bytes = 0;
  MPI_Comm comm = MPI_COMM_WORLD;
  mutable std::size_t step = 0;

  [[nodiscard]] How next() const {
    const std::size_t now = step++;
    return {comm, all_forms[now % all_forms.size()],
            static_cast<int>(now / all_forms.size() % size_of(comm)), bytes + 24};
  }
};

template <class T>
T random_value(std::uint64_t bits) {
  T value{};
  std::memcpy(&value, &bits, std::min(sizeof value, sizeof bits));
  return value;
}

template <class T, class Make>
std::vector<T> make_with(const Make& make, std::uint64_t seed, int rank, std::size_t count) {
  std::vector<T> values(count);
  // Pairs have bytes that belong to no value; they start out equal everywhere.
  std::memset(static_cast<void*>(values.data()), 0, count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = make(random_bits(seed, rank, i));
  }
  return values;
}

// `type` is one element of T; `combine` is associative, applied in order of ranks.
template <class T, class Combine, class Make = T (*)(std::uint64_t)>
void check_exact_reduction(Checker& checker, MPI_Datatype type, MPI_Op op, const Combine& combine,
                           const How& how, const Make& make = random_value<T>) {
  const std::size_t count = how.bytes / sizeof(T);
  const Reduction reduction{how.comm, how.form, usable_root(how.form, how.root),
                            type,     op,       static_cast<int>(count)};
  checker.begin_case(text(reduction.name(), ", exact, operation ", name_of_operation(op)));
  const auto seed = checker.options().seed;
  const auto own = make_with<T>(make, seed, rank_in(how.comm), count);
  auto result = perform(checker, reduction, std::as_bytes(std::span(own)));
  if (!result) {
    return;
  }
  auto expected = make_with<T>(make, seed, 0, count);
  for (int rank = 1; rank < size_of(how.comm); ++rank) {
    const auto term = make_with<T>(make, seed, rank, count);
    std::transform(expected.begin(), expected.end(), term.begin(), expected.begin(), combine);
  }
  const auto values = result->template as<const T>();
  for (std::size_t i = 0; i < count; ++i) {
    if (!(values[i] == expected[i])) {
      checker.fail(text("value ", i, " of ", count, " is wrong"));
      return;
    }
  }
}

template <class T>
void check_exact_bcast(Checker& checker, MPI_Datatype type, const How& how) {
  const std::size_t count = how.bytes / sizeof(T);
  int type_size = 0;
  MPI_Type_size(type, &type_size);
  checker.begin_case(text("bcast, root ", how.root, ", ", size_of(how.comm), " ranks, ", count,
                          " values as ", name_of(type)));
  const auto sent = make_with<T>(random_value<T>, checker.options().seed, how.root, count);
  const auto sent_bytes = std::as_bytes(std::span(sent));
  GuardedBuffer buffer(sent_bytes.size(), std::byte{0xA5});
  if (rank_in(how.comm) == how.root) {
    std::copy(sent_bytes.begin(), sent_bytes.end(), static_cast<std::byte*>(buffer.data()));
  }
  const auto elements = static_cast<int>(sent_bytes.size() / type_size);
  checker.expect_success(MPI_Bcast(buffer.data(), elements, type, how.root, how.comm), "MPI_Bcast");
  checker.expect(buffer.holds(sent_bytes), "the bytes are not those that were sent");
  checker.expect(buffer.front_intact(), "bytes before the buffer were changed");
}

}  // namespace check
