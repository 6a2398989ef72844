// The facts about one collective call that every rank knows alike, and the plan made from them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/codec.h"
#include "settings/values.h"

namespace tightwire::policy {

using settings::Operation;
using settings::operation_count;

[[nodiscard]] constexpr bool is_reduction(Operation operation) {
  return operation == Operation::reduce || operation == Operation::allreduce ||
         operation == Operation::reduce_scatter || operation == Operation::scan;
}

struct Call {
  Operation operation = Operation::bcast;
  std::size_t bytes = 0;  // of the message: count x type size
  // Data that may be reduced within a bound: floating point, and for a reduction an operation that
  // carries a bound through (sum, min, max).
  bool boundable = false;
  // A reduction that rounds: its exact result depends on the order of the contributions.
  bool rounds = false;
  // Of a collective whose ranks go by how long such calls take: it may be short (thresholds.h).
  bool is_timed = false;
};

// AdaComp's tiers by message size.
enum class Tier : std::uint8_t { raw, exact, bounded };
inline constexpr std::size_t tier_count = 3;

// Why a call or message is passed to MPI unmodified.
enum class Reason : std::uint8_t {
  none,
  small,        // below the threshold
  off,          // by the settings
  same_host,    // no network is crossed
  rounds,       // a sum of floating-point numbers without a bound
  measuring,    // how fast the network is isn't known yet
  too_slow,     // to encode it would take longer than it saves
  no_gain,      // its bytes do not become fewer
  synchronous,  // a synchronous send
  unhandled,    // its type, operation, memory or communicator
  one_sided,
  few,           // such calls have not taken long enough for finding out what they gain
  shared_cores,  // what encoding takes of a core other ranks need
};
inline constexpr std::size_t reason_count = 13;

struct Plan {
  Tier tier = Tier::raw;
  codec::Id codec = codec::Id::raw;
  bool pipelined = false;
  settings::Algorithm algorithm = settings::Algorithm::automatic;  // of reductions, once scheduled
  Reason why = Reason::none;                                       // of the raw tier
};

}  // namespace tightwire::policy
