// MPI_Test and its relatives, for lists in which some requests are ours.
#include <span>

#include "mpi/operation.h"
#include "mpi/status.h"
#include "p2p/completion/completion.h"
#include "p2p/completion/incomplete_list.h"
#include "p2p/completion/request_list.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/request.h"

namespace tightwire::p2p {

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  Request* const ours = find_active(request);
  if (ours == nullptr) return caught_up(PMPI_Test(request, flag, status));
  return completing("MPI_Test", [&]() -> int {
    *flag = progress(*ours, *request) ? 1 : 0;
    return *flag != 0 ? finish(*ours, *request, status) : MPI_SUCCESS;
  });
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  if (has_none_of_ours(count)) return PMPI_Testall(count, requests, flag, statuses);
  return completing("MPI_Testall", [&]() -> int {
    const std::span<MPI_Request> handles(requests, static_cast<std::size_t>(count));
    *flag = 0;
    const IncompleteList::Look look = incomplete_list().look(handles);
    if (look.is_incomplete) return MPI_SUCCESS;
    RequestList list(count, requests);
    if (look.has_failed) list.mute();
    if (list.is_mpis_alone()) return PMPI_Testall(count, requests, flag, statuses);
    const int code = test_all(list, flag, statuses);
    if (code == MPI_SUCCESS && *flag == 0) incomplete_list().remember(list, handles);
    return code;
  });
}

int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  if (has_none_of_ours(count)) return PMPI_Testany(count, requests, index, flag, status);
  return completing("MPI_Testany", [&] {
    RequestList list(count, requests);
    if (list.is_mpis_alone()) return PMPI_Testany(count, requests, index, flag, status);
    return test_any(list, index, flag, status);
  });
}

int testsome(int count, MPI_Request requests[], int* outcount, int indices[],
             MPI_Status statuses[]) {
  if (has_none_of_ours(count)) return PMPI_Testsome(count, requests, outcount, indices, statuses);
  return completing("MPI_Testsome", [&] {
    RequestList list(count, requests);
    if (list.is_mpis_alone()) return PMPI_Testsome(count, requests, outcount, indices, statuses);
    return test_some(list, outcount, indices, statuses);
  });
}

}  // namespace tightwire::p2p
