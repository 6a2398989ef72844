// How a reduction goes: decided once, alike on all ranks.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "codec/encoding.h"
#include "collective/plan/decision/decide.h"
#include "collective/plan/reduction.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/encoding/sample_choice.h"
#include "mpi/partition.h"

namespace tightwire::collective {

// In items: [segment][local index on the host], one for each lane; ranks without lane have empty
// ones.
using Slices = std::vector<std::vector<mpi::Part>>;

enum class Path : std::uint8_t {
  pass_through,  // to MPI, unmodified
  flat,          // one schedule of all ranks
  lanes,         // inside the hosts, and on a lane across them
};

// A relative bound of a call that is carried out in the background: of a range that its ranks tell
// each other when that begins (reduce/range_exchange.h).
struct OpenBound {
  const settings::Settings* settings;
  int encodings;  // as of encoding_of()
};

struct ReductionPlan {
  Path path = Path::pass_through;
  Reduction reduction;
  Decision decision;
  policy::Plan plan;                    // tier, codec, algorithm
  std::size_t chunks = 1;               // of each segment or slice
  std::vector<mpi::Part> segments;      // in items; flat
  Slices slices;                        // lanes
  std::optional<OpenBound> open_bound;  // else these are known, or what they are now goes by it
  codec::Encoding encoding;
  double bound_of_result = 0;  // 0: exact
  bool remembers = false;      // sums may be predicted from those of earlier calls
  // When the decision was made: the rest of the planning counts as the call's own time.
  std::chrono::steady_clock::time_point start;
  policy::Reason why = policy::Reason::unhandled;  // it passes through
  static constexpr UnevenDecision uneven{};        // all ranks know the size

  [[nodiscard]] bool passes_through() const { return path == Path::pass_through; }
  [[nodiscard]] policy::Plan of_call(std::size_t) const { return plan; }
  // What the encoding takes from the values themselves, once they are there.
  void look_at_values() {
    if (!open_bound) mpi::look_at(reduction.values_in_pieces(), encoding);
  }
  // Of an open bound: `range` is that of all ranks' values, `own` of this one's.
  void take_range(const codec::ValueRange& own, const codec::ValueRange& range);
};

// Where the program divides the result, `segments` are its parts; else they are empty, and as the
// algorithm needs them. Collective over `comm` unless the size alone says that it passes through.
// Throws MpiError.
[[nodiscard]] ReductionPlan plan_reduction(const Reduction& reduction, const CalledOn& on,
                                           std::vector<mpi::Part> segments = {});

// The same of what recognise() finds; passes through where that is nothing, or the call's buffers
// are not `sound`.
[[nodiscard]] ReductionPlan plan_reduction_if(bool sound, policy::Operation operation,
                                              const mpi::Buffer& own, MPI_Op op, const CalledOn& on,
                                              std::vector<mpi::Part> segments = {});

[[nodiscard]] std::size_t longest_slice(const Slices& slices);

}  // namespace tightwire::collective
