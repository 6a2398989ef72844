// The blocks of an allgather, as contiguous bytes.
#pragma once

#include <cstddef>
#include <vector>

#include "collective/move/ring_allgather.h"
#include "collective/plan/blocks.h"
#include "mpi/byte_view.h"

namespace tightwire::collective {

// By rank.
struct GatheredViews {
  // `chunks_of(bytes)`: of a block. Throws MpiError.
  template <class Chunks>
  GatheredViews(const Blocks& all, mpi::Communicator& communicator, Chunks chunks_of) {
    views.reserve(static_cast<std::size_t>(communicator.size));
    for (int rank = 0; rank < communicator.size; ++rank) {
      const mpi::ByteView& view = views.emplace_back(all.of(rank), communicator);
      blocks.push_back({view.bytes(), chunks_of(view.bytes().size())});
    }
  }

  std::vector<mpi::ByteView> views;
  std::vector<GatheredBlock> blocks;
};

}  // namespace tightwire::collective
