// The compared operations, each on one vector of float32 values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tightwire::comparison {

enum class Operation : std::uint8_t { allreduce, allgather, reduce_scatter, bcast, scatter };

inline constexpr Operation all_operations[] = {Operation::allreduce, Operation::allgather,
                                               Operation::reduce_scatter, Operation::bcast,
                                               Operation::scatter};
inline constexpr int root = 0;

[[nodiscard]] std::string_view name_of(Operation operation);
[[nodiscard]] std::optional<Operation> operation_named(std::string_view name);
[[nodiscard]] bool is_reduction(Operation operation);

// One rank's view of a call. `count` is the length of the whole vector: what every rank contributes
// to a reduction, what the root sends, what an allgather collects. Blocks are a rank's share of it.
struct Call {
  Operation operation{};
  std::size_t count = 0;
  int rank = 0;
  int ranks = 1;
  std::span<const float> own;  // count values; allgather sends the first block of them
  std::span<float> result;     // count values, of which an operation may fill a block only

  [[nodiscard]] std::size_t block() const { return count / static_cast<std::size_t>(ranks); }
  // What the call leaves at this rank; for the root of a broadcast, what it had.
  [[nodiscard]] std::span<const float> received() const;
};

// The largest count up to `count` that every operation can deal with over `ranks` ranks.
[[nodiscard]] std::size_t divisible(std::size_t count, int ranks);

}  // namespace tightwire::comparison
