#include "p2p/transfer/framing.h"

#include "mpi/device/memory_space.h"
#include "mpi/status.h"
#include "p2p/state/channel.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/posted_buffers.h"
#include "p2p/transfer/unexpected.h"
#include "wire/frame_length.h"

namespace tightwire::p2p {
namespace {

bool is_tag(int tag) {
  return tag == MPI_ANY_TAG ||
         (tag >= 0 && static_cast<std::uint32_t>(tag) <= channel().largest_tag());
}

}  // namespace

const mpi::Route* framing_route(const void* address, std::size_t bytes, int peer, MPI_Comm comm) {
  if (bytes < frame_rules().shortest_frame || peer < 0) return nullptr;
  const mpi::Route* route = mpi::route_of(comm);
  if (route == nullptr || !route->across(peer)) return nullptr;
  return mpi::memory_space_of(address) == mpi::MemorySpace::host ? route : nullptr;
}

bool may_need_watching(const void* buf, std::size_t bytes) {
  return bytes >= frame_rules().shortest_frame || frame_rules().multithreaded ||
         unexpected().any() ||
         posted_buffers().overlaps({static_cast<const std::byte*>(buf), bytes});
}

const mpi::Route* watched_route(const void* buf, std::size_t bytes, int source, int tag,
                                MPI_Comm comm) {
  return may_need_watching(buf, bytes) ? crossing_route(source, tag, comm) : nullptr;
}

const mpi::Route* crossing_route(int source, int tag, MPI_Comm comm) {
  if (!is_tag(tag)) return nullptr;
  const mpi::Route* route = mpi::route_of(comm);
  return route != nullptr && route->may_cross(source) ? route : nullptr;
}

bool may_be_frame(const mpi::Route& route, const MPI_Status& status) {
  return route.across(status.MPI_SOURCE) && mpi::bytes_of(status) >= frame_rules().shortest_frame;
}

bool may_be_encoded(const mpi::Route& route, const MPI_Status& status) {
  return may_be_frame(route, status) && wire::is_encoded_length(mpi::bytes_of(status));
}

}  // namespace tightwire::p2p
