#include "collective/hop.h"

#include <algorithm>

#include "codec/bounded.h"
#include "collective/failure.h"

namespace tightwire::collective {
namespace {

class GridHop final : public Hop {
 public:
  GridHop(const Coding& coding, codec::bounded::Operation operation)
      : coding_(coding), operation_(operation) {}

  std::size_t max_frame_size(std::size_t value_bytes) const override {
    const std::size_t elements = value_bytes / codec::element_size(coding_.type);
    return std::max(wire::failure_frame_size,
                    wire::header_size + coding_.codec->max_encoded_size(coding_.type, elements));
  }

  // Never wire::pack(): it may fall back to raw values, and those have left the grid.
  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override {
    return sealed(coding_.codec->encode(coding_.type, own, coding_.parameters,
                                        frame.subspan(wire::header_size)),
                  own, sequence, frame);
  }

  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override {
    const wire::Opened opened = wire::open(incoming, {coding_.type, own.size(), sequence});
    if (opened.problem) return {{opened.problem, opened.origin, opened.tried}, 0};
    if (opened.codec != codec::Id::bounded)
      return {{wire::Problem::unknown_codec, {}, opened.tried}, 0};
    const codec::Result merged =
        codec::bounded::combine_values(operation_, coding_.type, opened.payload, own,
                                       coding_.parameters, frame.subspan(wire::header_size));
    if (!merged.ok()) return {{wire::Problem::undecodable, {}, opened.tried}, 0};
    return {{}, sealed(merged, own, sequence, frame)};
  }

  wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                        std::span<std::byte> values) override {
    return wire::unpack(frame, coding_.type, sequence, values);
  }

 private:
  // Encoding into a buffer of the stated size can't fail but for parameters, which are checked
  // before; an encoding of size 0 is one that no receiver will decode.
  std::size_t sealed(const codec::Result& encoded, std::span<const std::byte> own,
                     std::uint32_t sequence, std::span<std::byte> frame) {
    const std::size_t size = wire::header_size + (encoded.ok() ? encoded.size : 0);
    wire::seal(frame.first(size), {wire::Kind::data, codec::Id::bounded, coding_.type, own.size(),
                                   sequence, codec::Id::bounded});
    return size;
  }

  Coding coding_;
  codec::bounded::Operation operation_;
};

class ExpandHop final : public Hop {
 public:
  ExpandHop(const Coding& coding, MPI_Datatype datatype, std::size_t item_size, MPI_Op op,
            std::span<std::byte> workspace)
      : coding_(coding),
        datatype_(datatype),
        item_size_(item_size),
        op_(op),
        workspace_(workspace) {}

  std::size_t max_frame_size(std::size_t value_bytes) const override {
    return wire::packing_size(*coding_.codec, coding_.type, value_bytes);
  }

  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override {
    return wire::pack(*coding_.codec, coding_.type, own, coding_.parameters, sequence, frame);
  }

  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override {
    const std::span<std::byte> values = workspace_.first(own.size());
    const wire::Unpacked unpacked = wire::unpack(incoming, coding_.type, sequence, values);
    if (unpacked.problem) return {unpacked, 0};
    check(PMPI_Reduce_local(own.data(), values.data(), static_cast<int>(own.size() / item_size_),
                            datatype_, op_));
    return {{}, start(values, sequence, frame)};
  }

  wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                        std::span<std::byte> values) override {
    return wire::unpack(frame, coding_.type, sequence, values);
  }

 private:
  Coding coding_;
  MPI_Datatype datatype_;
  std::size_t item_size_;
  MPI_Op op_;
  std::span<std::byte> workspace_;
};

codec::bounded::Operation grid_operation(ReductionKind kind) {
  if (kind == ReductionKind::min) return codec::bounded::Operation::min;
  return kind == ReductionKind::max ? codec::bounded::Operation::max
                                    : codec::bounded::Operation::sum;
}

}  // namespace

std::unique_ptr<Hop> make_grid_hop(const Coding& coding, ReductionKind kind) {
  return std::make_unique<GridHop>(coding, grid_operation(kind));
}

std::unique_ptr<Hop> make_expand_hop(const Coding& coding, MPI_Datatype datatype,
                                     std::size_t item_size, MPI_Op op,
                                     std::span<std::byte> workspace) {
  return std::make_unique<ExpandHop>(coding, datatype, item_size, op, workspace);
}

}  // namespace tightwire::collective
