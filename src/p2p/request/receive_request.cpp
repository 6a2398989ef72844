#include "p2p/request/receive_request.h"

#include <mutex>
#include <utility>

#include "mpi/buffer.h"
#include "mpi/datatype/datatype_cache.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/operation.h"
#include "mpi/status.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/buffer/posted_buffers.h"

namespace tightwire::p2p {

int ReceiveRequest::post(const ReceiveCall& call, MPI_Request persistent) {
  if (persistent != MPI_REQUEST_NULL && incoming_.as_named()) return start(persistent);
  const Incoming::Place place = incoming_.place(*this);
  if (call.fails_on_comm && requests_fail_elsewhere()) {
    MPI_Request made = MPI_REQUEST_NULL;
    const int code = PMPI_Recv_init(place.address, place.count, place.type, call.source, call.tag,
                                    call.comm, &made);
    return code == MPI_SUCCESS ? start_own(made) : code;
  }
  return PMPI_Irecv(place.address, place.count, place.type, call.source, call.tag, call.comm,
                    &transfer());
}

std::optional<mpi::Outcome> ReceiveRequest::settle(Waiting waiting) {
  if (!incoming_.advance(waiting)) return std::nullopt;
  return incoming_.outcome();
}

// One that is held and too long would fail as a request of MPI's.
int TakenReceive::take(Taken taken) {
  if (requests_fail_on_world && taken.is_held() &&
      mpi::bytes_of(taken.status) > incoming().room()) {
    taken.receive();
  }
  in_memory_ = !taken.is_held();
  if (in_memory_) {
    transfer() = taken.transfer;
    incoming().take(std::move(taken.memory));
    return MPI_SUCCESS;
  }
  const Incoming::Place place = incoming().place(*this);
  return PMPI_Imrecv(place.address, place.count, place.type, &taken.message, &transfer());
}

int check_receive(const mpi::Buffer& user, MPI_Comm comm) {
  MPI_Request unused = MPI_REQUEST_NULL;
  const int code = PMPI_Recv_init(user.address, static_cast<int>(user.count), user.datatype,
                                  MPI_PROC_NULL, 0, comm, &unused);
  return code == MPI_SUCCESS ? PMPI_Request_free(&unused) : code;
}

namespace {

// With Unexpected::matching() held.
int receive_taken(std::shared_ptr<ReceiveRequest>& request, const ReceiveCall& call,
                  const Taken* found) {
  const int code = check_receive(call.user, call.comm);
  if (code != MPI_SUCCESS) return code;
  auto receive = std::make_shared<TakenReceive>(call);
  const int taken = receive->take(unexpected().remove(found));
  request = std::move(receive);
  return taken;
}

int post_receive(std::shared_ptr<ReceiveRequest>& request, const ReceiveCall& call,
                 MPI_Request persistent) {
  request = std::make_shared<ReceiveRequest>(call);
  return request->post(call, persistent);
}

}  // namespace

bool is_sound(const mpi::Buffer& user) {
  if (user.count < 0) return false;
  if (mpi::predefined(user.datatype)) return user.address != nullptr || user.count == 0;
  return mpi::is_committed(user.datatype);
}

bool may_post_short(const ReceiveCall& call, std::size_t bytes) {
  if (bytes >= frame_rules().shortest_frame || unexpected().any()) return false;
  if (!posted_buffers().any()) return true;
  const ReceiveBuffer buffer(call.user, ReceiveBuffer::Type::borrowed);
  return !posted_buffers().overlaps(buffer.reach());
}

int start_receive(std::shared_ptr<ReceiveRequest>& request, const ReceiveCall& call,
                  MPI_Request persistent) {
  const bool alone = !frame_rules().multithreaded && !unexpected().any();
  if (alone || !is_sound(call.user)) {
    return post_receive(request, call, persistent);
  }
  const std::scoped_lock lock(unexpected().matching());
  const Taken* found = unexpected().match(*call.route, call.source, call.tag);
  return found != nullptr ? receive_taken(request, call, found)
                          : post_receive(request, call, persistent);
}

}  // namespace tightwire::p2p
