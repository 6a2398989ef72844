// Which messages are framed, and which receives and probes could meet a frame.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi/communicator/route.h"
#include "policy/call.h"

namespace tightwire::p2p {

// The route of a message of `bytes` that must be a frame, else nullptr; what lies in a device's
// memory is MPI's. Throws MpiError, std::bad_alloc.
[[nodiscard]] const mpi::Route* framing_route(const void* address, std::size_t bytes, int peer,
                                              MPI_Comm comm);

// Why MPI gets such a message as it is, at MPI_Init's settings or by where it goes; Reason::none
// where framing_route() has one. Throws MpiError.
[[nodiscard]] policy::Reason why_unframed(const void* address, std::size_t bytes, int peer,
                                          MPI_Comm comm);

// Why a message with a route is not even tried to be encoded; Reason::none where it may be.
[[nodiscard]] policy::Reason why_unencoded(std::size_t bytes, bool is_synchronous);

// Whether a receive into `bytes` at `buf` may have to be looked after; all others are passed
// through unmodified. A frame is too long for a small receive, as its message is.
[[nodiscard]] bool may_need_watching(const void* buf, std::size_t bytes);
// The route of a receive that is to be looked after, else nullptr: because a frame might come,
// because its message might have been matched, or because it could spoil the frame of another
// receive. Throws MpiError.
[[nodiscard]] const mpi::Route* watched_route(const void* buf, std::size_t bytes, int source,
                                              int tag, MPI_Comm comm);

// The route where a probe or a receive of any size could meet a frame, else nullptr: so for tags
// that MPI is to complain of, before any lock is taken that the error handler might want. Throws
// MpiError.
[[nodiscard]] const mpi::Route* crossing_route(int source, int tag, MPI_Comm comm);

// Whether a message that came with this status over a route can be a frame.
[[nodiscard]] bool may_be_frame(const mpi::Route& route, const MPI_Status& status);
// Whether it can be one with an encoding, of which only itself tells for how long a message it
// stands. No synchronous send waits for it.
[[nodiscard]] bool may_be_encoded(const mpi::Route& route, const MPI_Status& status);
// Whether it is as long as its sender has announced.
[[nodiscard]] bool has_announced_length(const mpi::Route& route, const MPI_Status& status);
// Neither.
[[nodiscard]] bool is_as_long_as_it_looks(const mpi::Route& route, const MPI_Status& status);

}  // namespace tightwire::p2p
