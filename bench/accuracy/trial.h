// One reduction under Tightwire and how far its result is from the exact one.
#pragma once

#include <string>

#include "accuracy/errors.h"
#include "comparison/inputs.h"

namespace tightwire::accuracy {

enum class Type : std::uint8_t { float32, float64, complex64 };  // complex64: pairs of float32
enum class Operation : std::uint8_t { sum, average, max, min };

inline constexpr Type all_types[] = {Type::float32, Type::float64, Type::complex64};
inline constexpr Operation all_operations[] = {Operation::sum, Operation::average, Operation::max,
                                               Operation::min};

[[nodiscard]] const char* name_of(Type type);
[[nodiscard]] const char* name_of(Operation operation);
// Complex numbers have no order.
[[nodiscard]] bool allowed(Type type, Operation operation);

// What the largest error may be, as a multiple of the error bound.
[[nodiscard]] double promised(Operation operation, const std::string& bound_applies_to, int ranks);

struct Outcome {
  Errors errors{1};
  double range = 0;       // of the exact result
  std::int64_t bits = 0;  // what tells results apart
  bool ranks_identical = true;
};

// MPI_Allreduce of all values with the settings in force. An average is the sum, divided afterwards
// in double precision. Only rank 0 gets the errors and the range. Collective.
[[nodiscard]] Outcome attempt(Type type, Operation operation, const comparison::Inputs& inputs,
                              double error_bound);

}  // namespace tightwire::accuracy
