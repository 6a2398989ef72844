// One step of a reduction as a frame passes a rank: its own contribution goes in.
#pragma once

#include <mpi.h>

#include <memory>

#include "codec/bounded/bounded.h"
#include "codec/encoding.h"
#include "collective/plan/reduction_plan.h"
#include "mpi/datatype/predefined_type.h"
#include "wire/pack.h"

namespace tightwire::collective {

// All spans of values hold the same whole number of items. Frames are of max_frame_size() bytes.
// Several threads may be in start() and finish() at once, and where merges_anywhere() in merge(),
// complete() and combine(), too.
class FrameReducer {
 public:
  virtual ~FrameReducer() = default;

  [[nodiscard]] virtual std::size_t max_frame_size(std::size_t value_bytes) const = 0;

  // The frame of this rank's own contribution. Returns its size.
  virtual std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                            std::span<std::byte> frame) = 0;

  struct Merged {
    wire::Unpacked incoming;  // what was wrong with the incoming frame, if anything
    std::size_t size = 0;     // of the outgoing frame
  };
  // Whether threads other than the calling one may merge; they call no MPI.
  [[nodiscard]] virtual bool merges_anywhere() const { return false; }
  // frame = incoming op own.
  virtual Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
                       std::uint32_t sequence, std::span<std::byte> frame) = 0;

  // Whether complete() does merge() and finish() in one pass. Where not, it must not be called.
  [[nodiscard]] virtual bool completes() const { return false; }

  // The last contribution goes in: the values of the result go to `values`, which may be own's
  // memory, and the outgoing frame to `frame`, unless that is empty.
  virtual Merged complete(std::span<const std::byte> /*incoming*/,
                          std::span<const std::byte> /*own*/, std::uint32_t /*sequence*/,
                          std::span<std::byte> /*frame*/, std::span<std::byte> /*values*/) {
    return {};
  }

  struct Combined {
    wire::Unpacked first;  // what was wrong with either, if anything
    wire::Unpacked second;
    std::size_t size = 0;
  };
  // frame = first op second, both of `value_bytes` of values.
  virtual Combined combine(std::span<const std::byte> first, std::span<const std::byte> second,
                           std::size_t value_bytes, std::uint32_t sequence,
                           std::span<std::byte> frame) = 0;

  // The values of a frame in which all contributions are.
  [[nodiscard]] virtual wire::Unpacked finish(std::span<const std::byte> frame,
                                              std::uint32_t sequence,
                                              std::span<std::byte> values) = 0;
};

// What `bounded` does for it.
[[nodiscard]] codec::bounded::Operation grid_operation(mpi::ReductionKind kind);

// Stays in the integer domain of the `bounded` codec: each contribution is quantised once, so the
// errors do not grow from hop to hop and the result does not depend on the order of the ranks.
[[nodiscard]] std::unique_ptr<FrameReducer> make_quantized_reducer(const codec::Encoding& encoding,
                                                                   mpi::ReductionKind kind);

// Decodes, applies the operation with MPI_Reduce_local, encodes again: for every other codec.
// `workspace` is twice as large as any span that will be merged, and outlives the reducer.
[[nodiscard]] std::unique_ptr<FrameReducer> make_decode_reducer(const codec::Encoding& encoding,
                                                                MPI_Datatype datatype,
                                                                std::size_t item_size, MPI_Op op,
                                                                std::span<std::byte> workspace);

// The one that suits a plan, and what it holds on to.
struct PreparedReducer {
  mpi::BufferPool::Lease workspace;
  std::unique_ptr<FrameReducer> reducer;
};
[[nodiscard]] PreparedReducer reducer_for(const ReductionPlan& plan);

}  // namespace tightwire::collective
