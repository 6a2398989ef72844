// MPI_Mprobe, MPI_Improbe and the receives of what they matched.
#include "mpi/buffer.h"
#include "mpi/call.h"
#include "mpi/communicator/private/copy.h"
#include "mpi/communicator/route.h"
#include "mpi/error.h"
#include "mpi/operation.h"
#include "mpi/status.h"
#include "os/waiting/spin_then_sleep.h"
#include "p2p/completion/catch_up.h"
#include "p2p/entry/ask_mpi_first.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/message_handles.h"
#include "p2p/request/receive_request.h"
#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/framing.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

namespace {

// The message for a receive, if its handle is one of ours. Else the handle is left to MPI; so it is
// if MPI will complain of the buffer, and the message waits for another receive.
std::optional<Taken> release(MPI_Message handle, const mpi::Buffer& user) {
  if (!message_handles().any()) return std::nullopt;
  if (check_receive(user, mpi::self().comm) != MPI_SUCCESS) return std::nullopt;
  return message_handles().release(handle);
}

// Starts the receive of a message that was matched before, and that MPI may still write to. Returns
// MPI's code.
int receive_taken(Taken& taken, const mpi::Buffer& user, const mpi::CallName& name,
                  std::shared_ptr<TakenReceive>& request) {
  return mpi::indispensable(name, MPI_COMM_WORLD, [&] {
    request = std::make_shared<TakenReceive>(ReceiveCall{user, taken.route.get(), taken.source,
                                                         taken.tag, MPI_COMM_WORLD, name.function});
    return request->take(std::move(taken));
  });
}

// Matches what a probe saw in MPI. With threads, somebody else may have it by now.
int match_in_mpi(const mpi::Route& route, const MPI_Status& seen, int* flag, MPI_Message* message,
                 MPI_Status* status) {
  Taken taken;
  const int code = PMPI_Improbe(seen.MPI_SOURCE, seen.MPI_TAG, route.comm(), flag, &taken.message,
                                &taken.status);
  if (code != MPI_SUCCESS || *flag == 0) return code;
  *message = taken.message;
  mpi::give(taken.status, status);
  if (!may_be_frame(route, taken.status)) return code;
  taken.route = route.shared_from_this();
  taken.source = taken.status.MPI_SOURCE;
  taken.tag = taken.status.MPI_TAG;
  *message = message_handles().keep(std::move(taken));
  return code;
}

}  // namespace

int improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status) {
  if (may_ask_mpi_first()) {
    MPI_Status seen{};
    const int code = PMPI_Iprobe(source, tag, comm, flag, &seen);
    if (code != MPI_SUCCESS || *flag == 0) return code;
    if (is_too_short_for_a_frame(seen))
      return PMPI_Improbe(seen.MPI_SOURCE, seen.MPI_TAG, comm, flag, message, status);
  }
  return mpi::guarded(mpi::CallName{"MPI_Improbe", 0, "from", source}, comm, [&]() -> int {
    const mpi::Route* route = crossing_route(source, tag, comm);
    if (route == nullptr) {
      return caught_up(PMPI_Improbe(source, tag, comm, flag, message, status));
    }
    MPI_Status seen{};
    if (unexpected().probe_mpi(*route, source, tag, *flag, seen)) {
      return *flag == 0 ? MPI_SUCCESS : match_in_mpi(*route, seen, flag, message, status);
    }
    const std::scoped_lock lock(unexpected().matching());
    *flag = 0;
    const auto found = unexpected().probe(*route, source, tag);
    if (!found) return MPI_SUCCESS;
    if (found->taken == nullptr) return match_in_mpi(*route, found->status, flag, message, status);
    *message = message_handles().keep(unexpected().remove(found->taken));
    *flag = 1;
    mpi::give(found->status, status);
    return MPI_SUCCESS;
  });
}

int mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return mpi::guarded(mpi::CallName{"MPI_Mprobe", 0, "from", source}, comm, [&] {
    const mpi::Route* route = crossing_route(source, tag, comm);
    if (route == nullptr) return caught_up(PMPI_Mprobe(source, tag, comm, message, status));
    os::SpinThenSleep spin(os::SpinThenSleep::Naps::after_yields);
    for (;;) {
      int found = 0;
      const int code = improbe(source, tag, comm, &found, message, status);
      if (code != MPI_SUCCESS || found != 0) return code;
      spin.pause();
    }
  });
}

int mrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  const mpi::CallName name{"MPI_Mrecv", signature_bytes(datatype, count)};
  return mpi::guarded(name, MPI_COMM_WORLD, [&] {
    auto taken = release(*message, {buf, count, datatype});
    if (!taken) return caught_up(PMPI_Mrecv(buf, count, datatype, message, status));
    *message = MPI_MESSAGE_NULL;
    std::shared_ptr<TakenReceive> request;
    const int code = receive_taken(*taken, {buf, count, datatype}, name, request);
    if (code != MPI_SUCCESS) return code;
    const mpi::Outcome outcome = complete(*request);
    mpi::give(outcome.status, status);
    return outcome.code;
  });
}

int imrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
           MPI_Request* request) {
  const mpi::CallName name{"MPI_Imrecv", signature_bytes(datatype, count)};
  return mpi::guarded(name, MPI_COMM_WORLD, [&]() -> int {
    auto taken = release(*message, {buf, count, datatype});
    if (!taken) return PMPI_Imrecv(buf, count, datatype, message, request);
    *message = MPI_MESSAGE_NULL;
    std::shared_ptr<TakenReceive> receiving;
    const int code = receive_taken(*taken, {buf, count, datatype}, name, receiving);
    if (code != MPI_SUCCESS) return code;
    *request = receiving->transfer();
    request_table().insert(*request, std::move(receiving), name, MPI_COMM_WORLD);
    return MPI_SUCCESS;
  });
}

}  // namespace tightwire::p2p
