// Every call that Tightwire serves, with an argument that MPI refuses: tests/mpi/test_callbacks.py
// compares the list with the table of calls.
#include <array>

#include "callbacks.h"

namespace callbacks {
namespace {

constexpr int nobody = 99;  // no rank
constexpr int no_tag = -77;
constexpr int none = -1;  // no count
constexpr int n = values_of_a_message;

constexpr std::array<int, 2> counts{n / 2, n / 2};
constexpr std::array<int, 2> places{0, 0};
constexpr std::array<MPI_Aint, 2> addresses{0, 0};
std::array<MPI_Datatype, 2> types{MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
std::array<int, 2> indices{};
std::vector<int> sent(n);
std::vector<int> got(n);
MPI_Request request = MPI_REQUEST_NULL;
std::array<MPI_Request, 2> list{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
MPI_Message message_handle = MPI_MESSAGE_NULL;
int number = 0;

#define REFUSED(name, ...)            \
  {                                   \
    "MPI_" #name, [](MPI_Comm comm) { \
      MPI_##name(__VA_ARGS__);        \
      static_cast<void>(comm);        \
    }                                 \
  }
#if MPI_VERSION >= 4
#define REFUSED_INIT(name, ...) REFUSED(name##_init, __VA_ARGS__, comm, MPI_INFO_NULL, &request),
#else
#define REFUSED_INIT(name, ...)
#endif
// A collective in its three forms.
#define REFUSED_FORMS(name, started, ...)                                             \
  REFUSED(name, __VA_ARGS__, comm), REFUSED(I##started, __VA_ARGS__, comm, &request), \
      REFUSED_INIT(name, __VA_ARGS__)

// clang-format off
const std::vector<Trigger> messages = {
    REFUSED(Send, sent.data(), n, MPI_INT, 1, no_tag, comm),
    REFUSED(Ssend, sent.data(), n, MPI_INT, 1, no_tag, comm),
    REFUSED(Bsend, sent.data(), n, MPI_INT, 1, no_tag, comm),
    REFUSED(Rsend, sent.data(), n, MPI_INT, 1, no_tag, comm),
    REFUSED(Isend, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Issend, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Ibsend, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Irsend, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Recv, got.data(), n, MPI_INT, 1, no_tag, comm, MPI_STATUS_IGNORE),
    REFUSED(Irecv, got.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Sendrecv, sent.data(), n, MPI_INT, 1, 1, got.data(), n, MPI_INT, 1, no_tag, comm, MPI_STATUS_IGNORE),
    REFUSED(Sendrecv_replace, got.data(), n, MPI_INT, 1, no_tag, 1, 1, comm, MPI_STATUS_IGNORE),
    REFUSED(Send_init, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Ssend_init, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Bsend_init, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Rsend_init, sent.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Recv_init, got.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Probe, 1, no_tag, comm, MPI_STATUS_IGNORE),
    REFUSED(Iprobe, 1, no_tag, comm, &number, MPI_STATUS_IGNORE),
    REFUSED(Mprobe, 1, no_tag, comm, &message_handle, MPI_STATUS_IGNORE),
    REFUSED(Improbe, 1, no_tag, comm, &number, &message_handle, MPI_STATUS_IGNORE),
#if MPI_VERSION >= 4
    REFUSED(Isendrecv, sent.data(), n, MPI_INT, 1, 1, got.data(), n, MPI_INT, 1, no_tag, comm, &request),
    REFUSED(Isendrecv_replace, got.data(), n, MPI_INT, 1, no_tag, 1, 1, comm, &request),
    REFUSED(Psend_init, sent.data(), 2, n / 2, MPI_INT, 1, no_tag, comm, MPI_INFO_NULL, &request),
    REFUSED(Precv_init, got.data(), 2, n / 2, MPI_INT, 1, no_tag, comm, MPI_INFO_NULL, &request),
    REFUSED(Pready, 0, MPI_REQUEST_NULL),
    REFUSED(Pready_range, 0, 1, MPI_REQUEST_NULL),
    REFUSED(Pready_list, 2, indices.data(), MPI_REQUEST_NULL),
#endif
    REFUSED(Start, &request),
    REFUSED(Startall, 2, list.data()),
    REFUSED(Waitall, none, list.data(), MPI_STATUSES_IGNORE),
    REFUSED(Waitany, none, list.data(), &number, MPI_STATUS_IGNORE),
    REFUSED(Waitsome, none, list.data(), &number, indices.data(), MPI_STATUSES_IGNORE),
    REFUSED(Testall, none, list.data(), &number, MPI_STATUSES_IGNORE),
    REFUSED(Testany, none, list.data(), &number, &number, MPI_STATUS_IGNORE),
    REFUSED(Cancel, &request),
    REFUSED(Request_free, &request),
};

const std::vector<Trigger> collectives = {
    REFUSED_FORMS(Allreduce, allreduce, sent.data(), got.data(), n, MPI_INT, MPI_OP_NULL)
    REFUSED_FORMS(Reduce, reduce, sent.data(), got.data(), n, MPI_INT, MPI_SUM, nobody)
    REFUSED_FORMS(Bcast, bcast, got.data(), n, MPI_INT, nobody)
    REFUSED_FORMS(Reduce_scatter, reduce_scatter, sent.data(), got.data(), counts.data(), MPI_INT, MPI_OP_NULL)
    REFUSED_FORMS(Reduce_scatter_block, reduce_scatter_block, sent.data(), got.data(), n, MPI_INT, MPI_OP_NULL)
    REFUSED_FORMS(Scan, scan, sent.data(), got.data(), n, MPI_INT, MPI_OP_NULL)
    REFUSED_FORMS(Exscan, exscan, sent.data(), got.data(), n, MPI_INT, MPI_OP_NULL)
    REFUSED_FORMS(Gather, gather, sent.data(), n / 2, MPI_INT, got.data(), n / 2, MPI_INT, nobody)
    REFUSED_FORMS(Gatherv, gatherv, sent.data(), n, MPI_INT, got.data(), counts.data(), places.data(), MPI_INT, nobody)
    REFUSED_FORMS(Scatter, scatter, sent.data(), n / 2, MPI_INT, got.data(), n / 2, MPI_INT, nobody)
    REFUSED_FORMS(Scatterv, scatterv, sent.data(), counts.data(), places.data(), MPI_INT, got.data(), n, MPI_INT, nobody)
    REFUSED_FORMS(Allgather, allgather, sent.data(), n / 2, MPI_DATATYPE_NULL, got.data(), n / 2, MPI_DATATYPE_NULL)
    REFUSED_FORMS(Allgatherv, allgatherv, sent.data(), n / 2, MPI_DATATYPE_NULL, got.data(), counts.data(), places.data(), MPI_DATATYPE_NULL)
    REFUSED_FORMS(Alltoall, alltoall, sent.data(), n / 2, MPI_DATATYPE_NULL, got.data(), n / 2, MPI_DATATYPE_NULL)
    REFUSED_FORMS(Alltoallv, alltoallv, sent.data(), counts.data(), places.data(), MPI_DATATYPE_NULL, got.data(), counts.data(), places.data(), MPI_DATATYPE_NULL)
    REFUSED_FORMS(Alltoallw, alltoallw, sent.data(), counts.data(), places.data(), types.data(), got.data(), counts.data(), places.data(), types.data())
    REFUSED_FORMS(Neighbor_allgather, neighbor_allgather, sent.data(), n / 2, MPI_DATATYPE_NULL, got.data(), n / 2, MPI_DATATYPE_NULL)
    REFUSED_FORMS(Neighbor_allgatherv, neighbor_allgatherv, sent.data(), n, MPI_DATATYPE_NULL, got.data(), counts.data(), places.data(), MPI_DATATYPE_NULL)
    REFUSED_FORMS(Neighbor_alltoall, neighbor_alltoall, sent.data(), n / 2, MPI_DATATYPE_NULL, got.data(), n / 2, MPI_DATATYPE_NULL)
    REFUSED_FORMS(Neighbor_alltoallv, neighbor_alltoallv, sent.data(), counts.data(), places.data(), MPI_DATATYPE_NULL, got.data(), counts.data(), places.data(), MPI_DATATYPE_NULL)
    REFUSED_FORMS(Neighbor_alltoallw, neighbor_alltoallw, sent.data(), counts.data(), addresses.data(), types.data(), got.data(), counts.data(), addresses.data(), types.data())
};
// clang-format on

}  // namespace

std::vector<Trigger> refused_calls() {
  std::vector<Trigger> all = messages;
  all.insert(all.end(), collectives.begin(), collectives.end());
  return all;
}

}  // namespace callbacks
