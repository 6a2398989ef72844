#include "p2p/partitioned/partitioned.h"

namespace tightwire::p2p {

Partitioned::Partitioned(const Partitions& partitions, const mpi::Route& route, int peer)
    : count_(partitions.count),
      peer_(peer),
      route_(route.shared_from_this()),
      landing_(partitions.whole(), ReceiveBuffer::Type::kept),
      items_(partitions.partition.count) {}

mpi::Buffer Partitioned::items_of(std::size_t first, std::size_t count) const {
  return landing_.buffer().at(static_cast<std::ptrdiff_t>(first) * items_,
                              static_cast<std::ptrdiff_t>(count) * items_);
}

}  // namespace tightwire::p2p
