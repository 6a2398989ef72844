#include "comparison/mpi_clock.h"

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>

#include <chrono>
#include <ctime>

namespace tightwire::comparison {
namespace {

// Threads that MPI made may call PMPI_ functions too.
thread_local int depth = 0;
thread_local SecondsInMpi seconds;

// Of nested calls the outermost counts.
class Inside {
 public:
  explicit Inside(double SecondsInMpi::*part) : part_(part) { ++depth; }
  ~Inside() {
    if (--depth > 0) return;
    seconds.*part_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  double SecondsInMpi::*part_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void start_mpi_clock() {
  seconds = {};
}

SecondsInMpi seconds_in_mpi() {
  return seconds;
}

}  // namespace tightwire::comparison

// NOLINTBEGIN(bugprone-macro-parentheses): parameters are a list
#define TIGHTWIRE_CLOCKED(part, name, parameters, arguments)                                \
  extern "C" __attribute__((visibility("default"))) int name parameters {                   \
    using Function = int(*) parameters;                                                     \
    static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, #name));           \
    const tightwire::comparison::Inside inside(&tightwire::comparison::SecondsInMpi::part); \
    return next arguments;                                                                  \
  }
// NOLINTEND(bugprone-macro-parentheses)

TIGHTWIRE_CLOCKED(wait, nanosleep, (const timespec* duration, timespec* rest), (duration, rest))
TIGHTWIRE_CLOCKED(wait, sched_yield, () noexcept, ())

// The next definition is MPI's.
TIGHTWIRE_CLOCKED(communicate, PMPI_Isend,
                  (const void* buf, int count, MPI_Datatype datatype, int dest, int tag,
                   MPI_Comm comm, MPI_Request* request),
                  (buf, count, datatype, dest, tag, comm, request))
TIGHTWIRE_CLOCKED(communicate, PMPI_Issend,
                  (const void* buf, int count, MPI_Datatype datatype, int dest, int tag,
                   MPI_Comm comm, MPI_Request* request),
                  (buf, count, datatype, dest, tag, comm, request))
TIGHTWIRE_CLOCKED(communicate, PMPI_Irecv,
                  (void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request* request),
                  (buf, count, datatype, source, tag, comm, request))
TIGHTWIRE_CLOCKED(communicate, PMPI_Sendrecv,
                  (const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                   void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                   MPI_Comm comm, MPI_Status* status),
                  (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                   source, recvtag, comm, status))
TIGHTWIRE_CLOCKED(wait, PMPI_Wait, (MPI_Request * request, MPI_Status* status), (request, status))
TIGHTWIRE_CLOCKED(wait, PMPI_Waitall,
                  (int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]),
                  (count, array_of_requests, array_of_statuses))
TIGHTWIRE_CLOCKED(wait, PMPI_Test, (MPI_Request * request, int* flag, MPI_Status* status),
                  (request, flag, status))
TIGHTWIRE_CLOCKED(wait, PMPI_Testall,
                  (int count, MPI_Request array_of_requests[], int* flag,
                   MPI_Status array_of_statuses[]),
                  (count, array_of_requests, flag, array_of_statuses))
TIGHTWIRE_CLOCKED(wait, PMPI_Testsome,
                  (int incount, MPI_Request array_of_requests[], int* outcount,
                   int array_of_indices[], MPI_Status array_of_statuses[]),
                  (incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
TIGHTWIRE_CLOCKED(wait, PMPI_Request_get_status,
                  (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
TIGHTWIRE_CLOCKED(communicate, PMPI_Allreduce,
                  (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm),
                  (sendbuf, recvbuf, count, datatype, op, comm))
TIGHTWIRE_CLOCKED(communicate, PMPI_Allgather,
                  (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
TIGHTWIRE_CLOCKED(communicate, PMPI_Bcast,
                  (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
                  (buffer, count, datatype, root, comm))
TIGHTWIRE_CLOCKED(communicate, PMPI_Reduce_scatter,
                  (const void* sendbuf, void* recvbuf, const int recvcounts[],
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
                  (sendbuf, recvbuf, recvcounts, datatype, op, comm))
TIGHTWIRE_CLOCKED(communicate, PMPI_Scatter,
                  (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
TIGHTWIRE_CLOCKED(communicate, PMPI_Gather,
                  (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
TIGHTWIRE_CLOCKED(communicate, PMPI_Alltoall,
                  (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
TIGHTWIRE_CLOCKED(communicate, PMPI_Iallreduce,
                  (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request),
                  (sendbuf, recvbuf, count, datatype, op, comm, request))
TIGHTWIRE_CLOCKED(communicate, PMPI_Iprobe,
                  (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
                  (source, tag, comm, flag, status))
TIGHTWIRE_CLOCKED(communicate, PMPI_Improbe,
                  (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                   MPI_Status* status),
                  (source, tag, comm, flag, message, status))
TIGHTWIRE_CLOCKED(communicate, PMPI_Mrecv,
                  (void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
                   MPI_Status* status),
                  (buf, count, datatype, message, status))
