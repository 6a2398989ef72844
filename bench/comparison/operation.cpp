#include "comparison/operation.h"

namespace tightwire::comparison {

std::string_view name_of(Operation operation) {
  switch (operation) {
    case Operation::allreduce:
      return "allreduce";
    case Operation::allgather:
      return "allgather";
    case Operation::reduce_scatter:
      return "reduce_scatter";
    case Operation::bcast:
      return "bcast";
    case Operation::scatter:
      return "scatter";
    case Operation::gather:
      return "gather";
    case Operation::alltoall:
      return "alltoall";
  }
  return "?";
}

std::string operation_names() {
  std::string names;
  for (const Operation operation : all_operations) {
    names.append(names.empty() ? "" : ", ").append(name_of(operation));
  }
  return names;
}

std::optional<Operation> operation_named(std::string_view name) {
  for (const Operation operation : all_operations) {
    if (name == name_of(operation)) return operation;
  }
  return std::nullopt;
}

bool is_reduction(Operation operation) {
  return operation == Operation::allreduce || operation == Operation::reduce_scatter;
}

std::span<const float> Call::received() const {
  switch (operation) {
    case Operation::bcast:
      return rank == root ? own.first(count) : result.first(count);
    case Operation::reduce_scatter:
    case Operation::scatter:
      return result.first(block());
    case Operation::gather:
      return result.first(rank == root ? count : 0);
    case Operation::allreduce:
    case Operation::allgather:
    case Operation::alltoall:
      break;
  }
  return result.first(count);
}

std::size_t divisible(std::size_t count, int ranks) {
  return count - count % static_cast<std::size_t>(ranks);
}

}  // namespace tightwire::comparison
