#include "p2p/transfer/framing.h"

#include "mpi/communicator/communicator_state.h"
#include "mpi/device/memory_space.h"
#include "mpi/status.h"
#include "p2p/feedback/announced_lengths.h"
#include "p2p/lifecycle.h"
#include "p2p/state/channel.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/buffer/posted_buffers.h"
#include "p2p/transfer/unexpected.h"
#include "policy/frames.h"
#include "runtime/runtime.h"
#include "wire/lengths/frame_length.h"

namespace tightwire::p2p {
namespace {

bool is_tag(int tag) {
  return tag == MPI_ANY_TAG ||
         (tag >= 0 && static_cast<std::uint32_t>(tag) <= channel().largest_tag());
}

policy::Reason why_inactive() {
  const runtime::Runtime& runtime = runtime::current();
  const bool wanted = policy::frame_threshold(runtime.settings, runtime.rules).has_value();
  return wanted ? policy::Reason::same_host : policy::Reason::off;
}

}  // namespace

const mpi::Route* framing_route(const void* address, std::size_t bytes, int peer, MPI_Comm comm) {
  if (bytes < frame_rules().shortest_frame || peer < 0) return nullptr;
  const mpi::Route* route = mpi::route_of(comm);
  if (route == nullptr || !route->across(peer)) return nullptr;
  if (mpi::memory_space_of(address) == mpi::MemorySpace::host) return route;
  // MPI's alone, but a probe will ask how long it is.
  if (wire::is_announced_length(bytes)) {
    static_cast<void>(announced_lengths().length_of(bytes, route->world_rank(peer)));
  }
  return nullptr;
}

policy::Reason why_unframed(const void* address, std::size_t bytes, int peer, MPI_Comm comm) {
  if (!active()) return why_inactive();
  if (bytes < frame_rules().shortest_frame) return policy::Reason::small;
  if (comm == MPI_COMM_SELF) return policy::Reason::same_host;
  if (comm == MPI_COMM_NULL || mpi::state_of(comm).membership(comm).is_inter) {
    return policy::Reason::unhandled;
  }
  const mpi::Route* const route = mpi::route_of(comm);
  if (route == nullptr || !route->across(peer)) return policy::Reason::same_host;
  const bool is_host = mpi::memory_space_of(address) == mpi::MemorySpace::host;
  return is_host ? policy::Reason::none : policy::Reason::unhandled;
}

policy::Reason why_unencoded(std::size_t bytes, bool is_synchronous) {
  if (bytes < frame_rules().shortest_encoded) return policy::Reason::small;
  return is_synchronous ? policy::Reason::synchronous : policy::Reason::none;
}

bool may_need_watching(const void* buf, std::size_t bytes) {
  return bytes >= frame_rules().shortest_frame || frame_rules().multithreaded ||
         unexpected().any() ||
         (posted_buffers().any() &&
          posted_buffers().overlaps({static_cast<const std::byte*>(buf), bytes}));
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

bool has_announced_length(const mpi::Route& route, const MPI_Status& status) {
  return may_be_frame(route, status) && wire::is_announced_length(mpi::bytes_of(status));
}

bool is_as_long_as_it_looks(const mpi::Route& route, const MPI_Status& status) {
  return !may_be_encoded(route, status) && !has_announced_length(route, status);
}

}  // namespace tightwire::p2p
