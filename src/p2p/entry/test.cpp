// MPI_Test and its relatives, for lists in which some requests are ours.
#include "mpi/operation.h"
#include "mpi/status.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/completion.h"
#include "p2p/request/request.h"
#include "p2p/request/request_list.h"
#include "p2p/request/request_table.h"

namespace tightwire::p2p {

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (!request_table().any()) return PMPI_Test(request, flag, status);
  return completing("MPI_Test", [&]() -> int {
    RequestList list(1, request);
    if (!list.has_ours()) return PMPI_Test(request, flag, status);
    *flag = list.progress(0) ? 1 : 0;
    if (*flag == 0) return MPI_SUCCESS;
    const mpi::Outcome outcome = list.finish(0);
    mpi::give(outcome.status, status);
    return outcome.code;
  });
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  if (!request_table().any()) return PMPI_Testall(count, requests, flag, statuses);
  return completing("MPI_Testall", [&] {
    RequestList list(count, requests);
    if (!list.has_ours()) return PMPI_Testall(count, requests, flag, statuses);
    return test_all(list, flag, statuses);
  });
}

int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  if (!request_table().any()) return PMPI_Testany(count, requests, index, flag, status);
  return completing("MPI_Testany", [&] {
    RequestList list(count, requests);
    if (!list.has_ours()) return PMPI_Testany(count, requests, index, flag, status);
    return test_any(list, index, flag, status);
  });
}

int testsome(int count, MPI_Request requests[], int* outcount, int indices[],
             MPI_Status statuses[]) {
  if (!request_table().any()) return PMPI_Testsome(count, requests, outcount, indices, statuses);
  return completing("MPI_Testsome", [&] {
    RequestList list(count, requests);
    if (!list.has_ours()) return PMPI_Testsome(count, requests, outcount, indices, statuses);
    return test_some(list, outcount, indices, statuses);
  });
}

}  // namespace tightwire::p2p
