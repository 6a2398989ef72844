#include "collective/reduce/frame_reducer.h"

#include <algorithm>

#include "codec/bounded/bounded.h"
#include "codec/codec_work.h"
#include "collective/reduce/reducer/timed_reducer.h"
#include "collective/transfer/sum_frame.h"
#include "mpi/error.h"
#include "os/float_traps.h"

namespace tightwire::collective {
namespace {

class QuantizedReducer final : public FrameReducer {
 public:
  QuantizedReducer(const codec::Encoding& encoding, codec::bounded::Operation operation)
      : encoding_(encoding), operation_(operation) {}

  std::size_t max_frame_size(std::size_t value_bytes) const override {
    const std::size_t elements = value_bytes / codec::element_size(encoding_.type);
    return std::max(wire::failure_frame_size, wire::header_size + encoding_.codec->max_encoded_size(
                                                                      encoding_.type, elements));
  }

  // Never wire::pack(): it may fall back to raw values, and those have left the grid.
  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override {
    const codec::Result encoded = encoding_.codec->encode(encoding_.type, own, encoding_.parameters,
                                                          frame.subspan(wire::header_size));
    codec::note_work(codec::Work::encode, own.size(), encoded.size);
    return sealed(encoded, own.size(), sequence, frame);
  }

  bool merges_anywhere() const override { return true; }

  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override {
    const OpenedSums operand = open(incoming, own.size(), sequence);
    if (operand.state.problem) return {operand.state, 0};
    const codec::Result merged =
        codec::bounded::combine_values(operation_, encoding_.type, operand.encoded, own,
                                       encoding_.parameters, frame.subspan(wire::header_size));
    if (!merged.ok()) return {undecodable_sums, 0};
    codec::note_work(codec::Work::merge, own.size(), operand.encoded.size() + merged.size);
    return {{}, sealed(merged, own.size(), sequence, frame)};
  }

  bool completes() const override { return true; }

  Merged complete(std::span<const std::byte> incoming, std::span<const std::byte> own,
                  std::uint32_t sequence, std::span<std::byte> frame,
                  std::span<std::byte> values) override {
    const OpenedSums operand = open(incoming, own.size(), sequence);
    if (operand.state.problem) return {operand.state, 0};
    const std::span<std::byte> body = frame.empty() ? frame : frame.subspan(wire::header_size);
    const codec::Result completed = codec::bounded::complete_values(
        operation_, encoding_.type, operand.encoded, own, encoding_.parameters, body, values);
    if (!completed.ok()) return {undecodable_sums, 0};
    codec::note_work(codec::Work::complete, own.size(),
                     operand.encoded.size() + (body.empty() ? 0 : completed.size));
    return {{}, frame.empty() ? 0 : sealed(completed, own.size(), sequence, frame)};
  }

  Combined combine(std::span<const std::byte> first, std::span<const std::byte> second,
                   std::size_t value_bytes, std::uint32_t sequence,
                   std::span<std::byte> frame) override {
    const OpenedSums a = open(first, value_bytes, sequence);
    const OpenedSums b = open(second, value_bytes, sequence);
    if (a.state.problem || b.state.problem) return {a.state, b.state, 0};
    const codec::Result combined = codec::bounded::combine(
        operation_, encoding_.type, value_bytes / codec::element_size(encoding_.type), a.encoded,
        b.encoded, frame.subspan(wire::header_size));
    if (!combined.ok()) return {undecodable_sums, undecodable_sums, 0};
    codec::note_work(codec::Work::combine, value_bytes, b.encoded.size() + combined.size);
    return {{}, {}, sealed(combined, value_bytes, sequence, frame)};
  }

  wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                        std::span<std::byte> values) override {
    return wire::unpack(frame, encoding_.type, sequence, values);
  }

 private:
  [[nodiscard]] OpenedSums open(std::span<const std::byte> frame, std::size_t value_bytes,
                                std::uint32_t sequence) const {
    return open_sums(frame, {encoding_.type, value_bytes, sequence});
  }

  // codec::Encoding into a buffer of the stated size can't fail but for parameters, which are
  // checked before; an encoding of size 0 is one that no receiver will decode.
  std::size_t sealed(const codec::Result& encoded, std::size_t value_bytes, std::uint32_t sequence,
                     std::span<std::byte> frame) {
    return seal_sums(frame, encoded.ok() ? encoded.size : 0, wire::Kind::data, encoding_.type,
                     value_bytes, sequence);
  }

  codec::Encoding encoding_;
  codec::bounded::Operation operation_;
};

class DecodeReducer final : public FrameReducer {
 public:
  DecodeReducer(const codec::Encoding& encoding, MPI_Datatype datatype, std::size_t item_size,
                MPI_Op op, std::span<std::byte> workspace)
      : encoding_(encoding),
        datatype_(datatype),
        item_size_(item_size),
        op_(op),
        workspace_(workspace) {}

  std::size_t max_frame_size(std::size_t value_bytes) const override {
    return wire::packing_size(*encoding_.codec, encoding_.type, value_bytes);
  }

  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override {
    return wire::pack(*encoding_.codec, encoding_.type, own, encoding_.parameters, sequence, frame);
  }

  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override {
    const std::span<std::byte> values = workspace_.first(own.size());
    const wire::Unpacked unpacked = wire::unpack(incoming, encoding_.type, sequence, values);
    if (unpacked.problem) return {unpacked, 0};
    apply(own, values);
    return {{}, start(values, sequence, frame)};
  }

  Combined combine(std::span<const std::byte> first, std::span<const std::byte> second,
                   std::size_t value_bytes, std::uint32_t sequence,
                   std::span<std::byte> frame) override {
    const std::span<std::byte> a = workspace_.first(value_bytes);
    const std::span<std::byte> b = workspace_.subspan(workspace_.size() / 2, value_bytes);
    const wire::Unpacked of_a = wire::unpack(first, encoding_.type, sequence, a);
    const wire::Unpacked of_b = wire::unpack(second, encoding_.type, sequence, b);
    if (of_a.problem || of_b.problem) return {of_a, of_b, 0};
    apply(a, b);
    return {{}, {}, start(b, sequence, frame)};
  }

  wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                        std::span<std::byte> values) override {
    return wire::unpack(frame, encoding_.type, sequence, values);
  }

 private:
  // values = first op values.
  void apply(std::span<const std::byte> first, std::span<std::byte> values) {
    const os::FloatTrapsOff::Lifted floats;  // it is the program's arithmetic
    mpi::check(PMPI_Reduce_local(first.data(), values.data(),
                                 static_cast<int>(values.size() / item_size_), datatype_, op_));
  }

  codec::Encoding encoding_;
  MPI_Datatype datatype_;
  std::size_t item_size_;
  MPI_Op op_;
  std::span<std::byte> workspace_;
};

}  // namespace

codec::bounded::Operation grid_operation(mpi::ReductionKind kind) {
  if (kind == mpi::ReductionKind::min) return codec::bounded::Operation::min;
  return kind == mpi::ReductionKind::max ? codec::bounded::Operation::max
                                         : codec::bounded::Operation::sum;
}

std::unique_ptr<FrameReducer> make_quantized_reducer(const codec::Encoding& encoding,
                                                     mpi::ReductionKind kind) {
  return std::make_unique<QuantizedReducer>(encoding, grid_operation(kind));
}

std::unique_ptr<FrameReducer> make_decode_reducer(const codec::Encoding& encoding,
                                                  MPI_Datatype datatype, std::size_t item_size,
                                                  MPI_Op op, std::span<std::byte> workspace) {
  return std::make_unique<DecodeReducer>(encoding, datatype, item_size, op, workspace);
}

PreparedReducer reducer_for(const ReductionPlan& plan) {
  const Reduction& reduction = plan.reduction;
  if (plan.encoding.codec->id() == codec::Id::bounded) {
    return {{}, make_timed(make_quantized_reducer(plan.encoding, reduction.kind))};
  }
  const std::size_t item_size = reduction.type.item_size;
  const std::size_t longest =
      plan.path == Path::lanes ? longest_slice(plan.slices) : mpi::longest_of(plan.segments);
  PreparedReducer prepared;
  prepared.workspace = plan.decision.communicator->scratch.insist(
      2 * mpi::longest_part(longest, plan.chunks) * item_size);
  prepared.reducer = make_timed(make_decode_reducer(
      plan.encoding, reduction.own.datatype, item_size, reduction.op, prepared.workspace.bytes()));
  return prepared;
}

}  // namespace tightwire::collective
