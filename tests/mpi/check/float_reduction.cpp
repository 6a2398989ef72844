#include <algorithm>

#include "float_cases.h"
#include "text.h"

namespace check {
namespace {

constexpr MPI_Op mpi_op_of(FloatOp op) {
  switch (op) {
    case FloatOp::sum:
      return MPI_SUM;
    case FloatOp::min:
      return MPI_MIN;
    case FloatOp::max:
      return MPI_MAX;
    case FloatOp::prod:
      return MPI_PROD;
  }
  return MPI_OP_NULL;
}

constexpr std::string_view op_names[] = {"sum", "min", "max", "prod"};

// What all ranks put in, from `first` on.
template <class T>
std::vector<std::vector<T>> contributions(const FloatReduction& wanted, std::uint64_t seed,
                                          std::size_t first, std::size_t count) {
  std::vector<std::vector<T>> all(size_of(wanted.comm), std::vector<T>(count));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    fill<T>(wanted.pattern, seed, static_cast<int>(rank), first, all[rank]);
  }
  return all;
}

template <class T>
std::vector<T> one_nan(std::span<const T> values) {
  std::vector<T> copy(values.begin(), values.end());
  for (T& value : copy) {
    value = std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
  }
  return copy;
}

template <class T>
void judge_part(Checker& checker, FloatOp op, const Allowed& allowed, std::span<const T> values,
                std::size_t first, const std::vector<std::vector<T>>& all) {
  std::uint64_t inexact = 0;
  std::vector<T> terms(all.size());
  for (std::size_t i = 0; i < all.front().size(); ++i) {
    std::transform(all.begin(), all.end(), terms.begin(), [&](const auto& one) { return one[i]; });
    const T value = values[first + i];
    const auto verdict = judge<T>(op, terms, value, allowed);
    inexact += !verdict.exact;
    if (!verdict.right) {
      std::string listed;
      for (const T term : terms) {
        listed += text(' ', bits_text(term));
      }
      checker.fail(text("value ", first + i, " is ", bits_text(value), "; terms:", listed));
      return;
    }
  }
  checker.count_inexact(inexact);
}

}  // namespace

template <>
MPI_Datatype mpi_type<float>(int components) {
  return components == 2 ? MPI_C_FLOAT_COMPLEX : MPI_FLOAT;
}
template <>
MPI_Datatype mpi_type<double>(int components) {
  return components == 2 ? MPI_C_DOUBLE_COMPLEX : MPI_DOUBLE;
}

template <class T>
std::string bits_text(T value) {
  char bits[32];
  std::snprintf(bits, sizeof bits, " (%a)", static_cast<double>(value));
  return text(value, bits);
}

template <class T>
double range_of_all(MPI_Comm comm, std::span<const T> own) {
  double ends[2] = {INFINITY, INFINITY};  // least, and minus the most
  for (const T value : own) {
    if (std::isfinite(value)) {
      ends[0] = std::min(ends[0], static_cast<double>(value));
      ends[1] = std::min(ends[1], -static_cast<double>(value));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MIN, comm);
  return std::isfinite(ends[0]) ? -ends[1] - ends[0] : 0;
}

template <class T>
void check_reduction(Checker& checker, const FloatReduction& wanted) {
  const Reduction reduction{wanted.comm,
                            wanted.form,
                            usable_root(wanted.form, wanted.root),
                            mpi_type<T>(wanted.components),
                            mpi_op_of(wanted.op),
                            wanted.count};
  checker.begin_case(text(reduction.name(), ", ", op_names[static_cast<int>(wanted.op)], " of ",
                          name_of(wanted.pattern)));
  const auto seed = checker.options().seed + static_cast<std::uint64_t>(wanted.count);
  const auto own = make<T>(wanted.pattern, seed, rank_in(wanted.comm),
                           static_cast<std::size_t>(wanted.count) * wanted.components);
  auto result = perform(checker, reduction, std::as_bytes(std::span(own)));
  const Allowed allowed{checker.bound().for_range(range_of_all<T>(wanted.comm, own)),
                        checker.bound().per_contribution};
  if (!result) {
    return;
  }
  const auto values = result->template as<const T>();
  std::size_t first = 0;
  std::size_t last = values.size();
  if (reduction.to_all()) {
    const bool strict = result->bytes().size() >= checker.options().identical_from;
    const std::vector<T> compared =
        strict ? std::vector<T>(values.begin(), values.end()) : one_nan(values);
    checker.expect_same_bits(wanted.comm, std::as_bytes(std::span(compared)));
    // All hold the same, so each rank judges a part.
    const std::size_t part = rank_in(wanted.comm);
    const std::size_t parts = size_of(wanted.comm);
    first = values.size() * part / parts;
    last = values.size() * (part + 1) / parts;
  }
  judge_part<T>(checker, wanted.op, allowed, values, first,
                contributions<T>(wanted, seed, first, last - first));
}

template double range_of_all<float>(MPI_Comm, std::span<const float>);
template double range_of_all<double>(MPI_Comm, std::span<const double>);
template std::string bits_text<float>(float);
template std::string bits_text<double>(double);
template void check_reduction<float>(Checker&, const FloatReduction&);
template void check_reduction<double>(Checker&, const FloatReduction&);

}  // namespace check
