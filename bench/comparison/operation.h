// The compared operations, each on one vector of float32 values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tightwire::comparison {

enum class Operation : std::uint8_t {
  allreduce,
  allgather,
  reduce_scatter,
  bcast,
  scatter,
  gather,
  alltoall
};

inline constexpr Operation all_operations[] = {
    Operation::allreduce, Operation::allgather, Operation::reduce_scatter, Operation::bcast,
    Operation::scatter,   Operation::gather,    Operation::alltoall};
inline constexpr int root = 0;

[[nodiscard]] std::string_view name_of(Operation operation);
// For people: the names of all of them.
[[nodiscard]] std::string operation_names();
[[nodiscard]] std::optional<Operation> operation_named(std::string_view name);
[[nodiscard]] bool is_reduction(Operation operation);

// One rank's view of a call. `count` is the length of the whole vector: what every rank contributes
// to a reduction, what the root sends, what an allgather or a gather collects, what every rank
// sends in an alltoall. Blocks are a rank's share of it.
struct Call {
  Operation operation{};
  std::size_t count = 0;
  int rank = 0;
  int ranks = 1;
  // count values; allgather and gather send the first block of them
  std::span<const float> own;
  std::span<float> result;  // count values, of which an operation may fill a block only

  [[nodiscard]] std::size_t block() const { return count / static_cast<std::size_t>(ranks); }
  // What the call leaves at this rank; for the root of a broadcast, what it had. Nothing where only
  // the root receives.
  [[nodiscard]] std::span<const float> received() const;
};

// The largest count up to `count` that every operation can deal with over `ranks` ranks.
[[nodiscard]] std::size_t divisible(std::size_t count, int ranks);

}  // namespace tightwire::comparison
