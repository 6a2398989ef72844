// MPI_Psend_init, MPI_Precv_init, MPI_Pready* and MPI_Parrived.
#include <type_traits>

#include "mpi/buffer.h"
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/error.h"
#include "p2p/entry/p2p.h"
#include "p2p/partitioned/partitioned.h"
#include "p2p/request/receive_request.h"
#include "p2p/request/request_table.h"
#include "p2p/state/partitioned_in_use.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/framing.h"

#if MPI_VERSION >= 4

namespace tightwire::p2p {

namespace {

// Of both sides alike: MPI wants their sizes to be the same. 0 for what MPI will complain of.
std::size_t bytes_of(const Partitions& partitions) {
  const mpi::Buffer& one = partitions.partition;
  if (partitions.count <= 0 || one.count <= 0) return 0;
  return signature_bytes(one.datatype, 1) * static_cast<std::size_t>(one.count) *
         static_cast<std::size_t>(partitions.count);
}

struct PartitionedCall {
  Partitions partitions;
  int peer;
  MPI_Comm comm;
  MPI_Request* request;
};

// `mpi` is the program's call with what it is to send or receive: contiguous bytes as one
// partition, or what the program said.
template <class Side, class Init>
int init(const char* function, const PartitionedCall& call, Init&& mpi) {
  const Partitions& partitions = call.partitions;
  const mpi::Buffer& user = partitions.partition;
  const bool sends = std::is_same_v<Side, PartitionedSend>;
  const mpi::CallName name{function, bytes_of(partitions), sends ? "to" : "from", call.peer};
  partitioned_in_use = true;
  return mpi::guarded(name, call.comm, [&] {
    // Both sides must know that there is a header: what lies on a device is refused.
    const mpi::Route* route = framing_route(nullptr, name.bytes, call.peer, call.comm);
    if (route == nullptr) return mpi(user.address, partitions.count, user.count, user.datatype);
    static_cast<void>(user.host());
    if (const int code = check_receive({user.address, 1, user.datatype}, call.comm);
        code != MPI_SUCCESS) {
      return code;
    }
    auto side = std::make_shared<Side>(partitions, *route, call.peer);
    const std::span<std::byte> header = side->header();
    const int code = mpi(static_cast<void*>(header.data()), 1,
                         static_cast<std::ptrdiff_t>(header.size()), MPI_BYTE);
    if (code != MPI_SUCCESS) return code;
    side->set_handle(*call.request);
    request_table().insert(*call.request, std::move(side), name, call.comm);
    return code;
  });
}

int refuse(const Partitioned& partitioned) {
  mpi::call_error_handler(partitioned.comm_for_errors(), MPI_ERR_ARG);
  return MPI_ERR_ARG;
}

// The receiver waits for these partitions: what goes wrong here ends the job if memory is short.
int make_ready(const char* function, Partitioned& partitioned, int partition) {
  return mpi::guarded({function, 0}, partitioned.comm_for_errors(), [&] {
    return partitioned.ready(partition) ? MPI_SUCCESS : refuse(partitioned);
  });
}

// nullptr for all but partitioned requests of ours.
std::shared_ptr<Partitioned> find(MPI_Request request) {
  return std::dynamic_pointer_cast<Partitioned>(request_table().share(request));
}

}  // namespace

int psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const Partitions all{{buf, count, datatype}, partitions};
  return init<PartitionedSend>(
      "MPI_Psend_init", {all, dest, comm, request},
      [&](const void* address, int parts, MPI_Count items, MPI_Datatype type) {
        return PMPI_Psend_init(address, parts, items, type, dest, tag, comm, info, request);
      });
}

int precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const Partitions all{{buf, count, datatype}, partitions};
  return init<PartitionedReceive>(
      "MPI_Precv_init", {all, source, comm, request},
      [&](void* address, int parts, MPI_Count items, MPI_Datatype type) {
        return PMPI_Precv_init(address, parts, items, type, source, tag, comm, info, request);
      });
}

int pready(int partition, MPI_Request request) {
  const auto partitioned = find(request);
  if (partitioned == nullptr) return PMPI_Pready(partition, request);
  return make_ready("MPI_Pready", *partitioned, partition);
}

int pready_range(int partition_low, int partition_high, MPI_Request request) {
  const auto partitioned = find(request);
  if (partitioned == nullptr) return PMPI_Pready_range(partition_low, partition_high, request);
  for (int partition = partition_low; partition <= partition_high; ++partition) {
    const int code = make_ready("MPI_Pready_range", *partitioned, partition);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int pready_list(int length, const int partitions[], MPI_Request request) {
  const auto partitioned = find(request);
  if (partitioned == nullptr)
    return PMPI_Pready_list(length, const_cast<int*>(partitions), request);
  for (int i = 0; i < length; ++i) {
    const int code = make_ready("MPI_Pready_list", *partitioned, partitions[i]);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int parrived(MPI_Request request, int partition, int* flag) {
  const auto partitioned = find(request);
  if (partitioned == nullptr) return PMPI_Parrived(request, partition, flag);
  return mpi::guarded({"MPI_Parrived", 0}, partitioned->comm_for_errors(), [&]() -> int {
    const auto arrived = partitioned->arrived(partition);
    if (!arrived) return PMPI_Parrived(request, partition, flag);  // for MPI to complain of
    *flag = *arrived ? 1 : 0;
    return MPI_SUCCESS;
  });
}

}  // namespace tightwire::p2p

#endif
