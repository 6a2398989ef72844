#include "audit/functions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace tightwire::audit {
namespace {

using policy::Operation;

// "MPI_Bcast" for each form of it.
std::string blocking_form(const std::string& function) {
  constexpr std::string_view prefix = "MPI_";
  constexpr std::string_view persistent = "_init";
  std::string name = function.substr(std::min(prefix.size(), function.size()));
  if (name.ends_with(persistent)) name.resize(name.size() - persistent.size());
  if (name.size() > 1 && name[0] == 'I' && std::islower(static_cast<unsigned char>(name[1]))) {
    name.erase(0, 1);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  }
  return std::string(prefix) + name;
}

}  // namespace

std::optional<policy::Operation> operation_of(const std::string& function) {
  static const std::map<std::string, Operation> collectives{
      {"MPI_Bcast", Operation::bcast},
      {"MPI_Reduce", Operation::reduce},
      {"MPI_Allreduce", Operation::allreduce},
      {"MPI_Reduce_scatter", Operation::reduce_scatter},
      {"MPI_Reduce_scatter_block", Operation::reduce_scatter},
      {"MPI_Scan", Operation::scan},
      {"MPI_Exscan", Operation::scan},
      {"MPI_Gather", Operation::gather},
      {"MPI_Gatherv", Operation::gather},
      {"MPI_Scatter", Operation::scatter},
      {"MPI_Scatterv", Operation::scatter},
      {"MPI_Allgather", Operation::allgather},
      {"MPI_Allgatherv", Operation::allgather},
      {"MPI_Alltoall", Operation::alltoall},
      {"MPI_Alltoallv", Operation::alltoall},
      {"MPI_Alltoallw", Operation::alltoall},
      {"MPI_Neighbor_allgather", Operation::neighbor_allgather},
      {"MPI_Neighbor_allgatherv", Operation::neighbor_allgather},
      {"MPI_Neighbor_alltoall", Operation::neighbor_alltoall},
      {"MPI_Neighbor_alltoallv", Operation::neighbor_alltoall},
      {"MPI_Neighbor_alltoallw", Operation::neighbor_alltoall}};
  const auto found = collectives.find(blocking_form(function));
  if (found != collectives.end()) return found->second;
  const bool sends = function.starts_with("MPI_Send") || function.find("send") != std::string::npos;
  return sends ? std::optional(Operation::send) : std::nullopt;
}

bool is_rooted(policy::Operation operation) {
  return operation == Operation::bcast || operation == Operation::scatter;
}

bool is_in_parts(const Kind& kind, policy::Operation operation) {
  if (operation != Operation::scatter && operation != Operation::alltoall) return false;
  const std::string name = blocking_form(kind.function);
  return name.ends_with("v") || name.ends_with("w");
}

std::size_t message_bytes(const Kind& kind, const Figures& figures, policy::Operation operation) {
  const std::size_t bytes = figures.bytes / std::max<std::uint64_t>(figures.calls, 1);
  const bool blocks = operation == Operation::scatter || operation == Operation::alltoall;
  if (!blocks || is_in_parts(kind, operation)) return bytes;
  return bytes / static_cast<std::size_t>(std::max(kind.ranks, 1));
}

bool is_synchronous(const std::string& function) {
  return function.starts_with("MPI_Ssend") || function.starts_with("MPI_Issend");
}

bool is_barrier(const std::string& function) {
  return blocking_form(function) == "MPI_Barrier";
}

}  // namespace tightwire::audit
