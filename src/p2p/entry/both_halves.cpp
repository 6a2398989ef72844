#include "p2p/entry/both_halves.h"

#include <cstring>

#include "mpi/datatype/pack.h"
#include "mpi/device/device_copy.h"
#include "mpi/device/memory_space.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/framing.h"

namespace tightwire::p2p {

bool untouched(std::size_t send_bytes, const void* receive_buffer, std::size_t receive_bytes) {
  return send_bytes < frame_rules().shortest_frame &&
         !may_need_watching(receive_buffer, receive_bytes);
}

mpi::Buffer copy_to_send(const mpi::Buffer& user, std::span<std::byte> memory,
                         mpi::ByteSegments& segments) {
  if (mpi::predefined(user.datatype)) {
    const bool on_device = mpi::memory_space_of(user.address) == mpi::MemorySpace::device;
    if (on_device) {
      mpi::copy_from_device(memory, user.address);
    } else {
      std::memcpy(memory.data(), user.host(), memory.size());
    }
    return {memory.data(), user.count, user.datatype};
  }
  pack(user, memory);
  segments = mpi::ByteSegments(memory);
  return {segments.address(), segments.count(), segments.type()};
}

int check_both(const Both& both) {
  const mpi::Buffer& out = both.sent;
  const mpi::Buffer& in = both.received;
  int size = 0;
  PMPI_Comm_size(both.comm, &size);  // no intercommunicator has a route
  const auto nobody = [&](int peer) { return peer >= 0 && peer < size ? MPI_PROC_NULL : peer; };
  const int source = both.source == MPI_ANY_SOURCE ? MPI_PROC_NULL : nobody(both.source);
  return PMPI_Sendrecv(out.address, static_cast<int>(out.count), out.datatype,
                       nobody(both.destination), both.send_tag, in.address,
                       static_cast<int>(in.count), in.datatype, source, both.receive_tag, both.comm,
                       MPI_STATUS_IGNORE);
}

SendCall send_call(const Both& both, const char* function) {
  return {&PMPI_Isend, both.sent, both.destination, both.send_tag, both.comm, function};
}

int announce(SendRequest& sending, const Both& both, const SendCall& call) {
  const Expected expected(both.received.bytes());
  const mpi::Buffer& user = call.user;
  if (const auto* route = framing_route(user.address, user.bytes(), both.destination, both.comm)) {
    sending.encode_if_possible(call, *route);
  }
  return sending.post_first(call);
}

}  // namespace tightwire::p2p
