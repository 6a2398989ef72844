#include "accuracy/trial.h"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "calibrate/measure/plain_mpi.h"
#include "support/measure.h"
#include "support/same_bits.h"

namespace tightwire::accuracy {
namespace {

// The inputs as values of the type; doubles get bits below those of a float.
template <class T>
std::vector<T> converted(const std::vector<float>& values) {
  constexpr T factor = std::is_same_v<T, double> ? std::numbers::pi / 3 : 1;
  std::vector<T> result(values.size());
  std::ranges::transform(values, result.begin(),
                         [](float value) { return factor * static_cast<T>(value); });
  return result;
}

void combine(Operation operation, long double& so_far, long double value) {
  if (operation == Operation::max) {
    so_far = std::max(so_far, value);
  } else if (operation == Operation::min) {
    so_far = std::min(so_far, value);
  } else {
    so_far += value;
  }
}

// In 64 bits of precision.
template <class T>
std::vector<long double> expected(Operation operation, const comparison::Inputs& inputs,
                                  int ranks) {
  const std::vector<T> first = converted<T>(inputs.of(0));
  std::vector<long double> result(first.begin(), first.end());
  for (int rank = 1; rank < ranks; ++rank) {
    const std::vector<T> values = converted<T>(inputs.of(rank));
    for (std::size_t i = 0; i < values.size(); ++i) {
      combine(operation, result[i], static_cast<long double>(values[i]));
    }
  }
  return result;
}

MPI_Op op_of(Operation operation) {
  if (operation == Operation::max) return MPI_MAX;
  return operation == Operation::min ? MPI_MIN : MPI_SUM;
}

template <class T>
Outcome attempt_as(Type type, MPI_Datatype datatype, Operation operation,
                   const comparison::Inputs& inputs, double error_bound) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<T> own = converted<T>(inputs.of(rank));
  std::vector<T> result(own.size(), std::numeric_limits<T>::infinity());
  const std::size_t count = type == Type::complex64 ? own.size() / 2 : own.size();
  bench::called_by_programs().allreduce(own.data(), result.data(), static_cast<int>(count),
                                        datatype, op_of(operation), MPI_COMM_WORLD);

  const auto hash = bench::hash_of(std::as_bytes(std::span(result)));
  Outcome outcome{Errors(error_bound * std::sqrt(ranks)), 0, hash,
                  bench::same_everywhere(hash, true)};
  if (rank != 0) return outcome;
  const std::vector<long double> exact = expected<T>(operation, inputs, ranks);
  const auto [low, high] = std::ranges::minmax(exact);
  outcome.range = static_cast<double>(high - low);
  const long double divisor = operation == Operation::average ? ranks : 1;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const long double error = static_cast<long double>(result[i]) - exact[i];
    outcome.errors.add(static_cast<double>(error / divisor));
  }
  return outcome;
}

}  // namespace

Outcome attempt(Type type, Operation operation, const comparison::Inputs& inputs,
                double error_bound) {
  switch (type) {
    case Type::float64:
      return attempt_as<double>(type, MPI_DOUBLE, operation, inputs, error_bound);
    case Type::complex64:
      return attempt_as<float>(type, MPI_C_FLOAT_COMPLEX, operation, inputs, error_bound);
    case Type::float32:
      break;
  }
  return attempt_as<float>(type, MPI_FLOAT, operation, inputs, error_bound);
}

}  // namespace tightwire::accuracy
