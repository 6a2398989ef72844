#include "collective/operation/saved_blocks.h"

#include "collective/transfer/slot.h"
#include "mpi/byte_view.h"
#include "mpi/datatype/predefined_type.h"

namespace tightwire::collective {
namespace {

// Where the next copy may begin, whatever its type.
std::size_t aligned(std::size_t size) {
  constexpr std::size_t alignment = 64;
  return (size + alignment - 1) / alignment * alignment;
}

// Room for a copy: values of a predefined type stay what they are, others are packed.
mpi::Buffer room_at(std::byte* place, const mpi::Buffer& block) {
  if (mpi::predefined(block.datatype)) return {place, block.count, block.datatype};
  return {place, static_cast<std::ptrdiff_t>(block.bytes()), MPI_PACKED};
}

}  // namespace

SavedBlocks::SavedBlocks(const Blocks& from, const Blocks& to, mpi::Communicator& communicator)
    : from_(from) {
  if (!from.in_place()) return;
  std::size_t size = 0;
  for (int rank = 0; rank < communicator.size; ++rank) size += aligned(to.bytes(rank));
  memory_ = communicator.scratch.insist(size);
  std::byte* place = memory_.bytes().data();
  for (int rank = 0; rank < communicator.size; ++rank) {
    const mpi::Buffer block = to.of(rank);
    const mpi::Buffer copy = room_at(place, block);
    if (rank != communicator.rank) mpi::copy(block, copy, communicator);
    saved_.push_back(copy);
    place += aligned(block.bytes());
  }
}

SavedBlocks::~SavedBlocks() {
  if (is_abandoning()) memory_.abandon();
}

}  // namespace tightwire::collective
