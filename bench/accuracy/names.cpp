#include "accuracy/trial.h"

namespace tightwire::accuracy {

const char* name_of(Type type) {
  switch (type) {
    case Type::float32:
      return "float32";
    case Type::float64:
      return "float64";
    case Type::complex64:
      return "complex64";
  }
  return "?";
}

const char* name_of(Operation operation) {
  switch (operation) {
    case Operation::sum:
      return "sum";
    case Operation::average:
      return "average";
    case Operation::max:
      return "max";
    case Operation::min:
      return "min";
  }
  return "?";
}

bool allowed(Type type, Operation operation) {
  return type != Type::complex64 || operation == Operation::sum || operation == Operation::average;
}

double promised(Operation operation, const std::string& bound_applies_to, int ranks) {
  if (operation == Operation::max || operation == Operation::min) return 1;
  const double sum = bound_applies_to == "contribution" ? ranks : 1;
  return operation == Operation::average ? sum / ranks : sum;
}

}  // namespace tightwire::accuracy
