// MPI_Wait and its relatives, for lists in which some requests are ours.
#include <algorithm>

#include "mpi/operation.h"
#include "mpi/status.h"
#include "os/waiting/spin_then_sleep.h"
#include "p2p/completion/completion.h"
#include "p2p/completion/request_list.h"
#include "p2p/entry/p2p.h"

namespace tightwire::p2p {

int wait(MPI_Request* request, MPI_Status* status) {
  Request* const ours = find_active(request);
  if (ours == nullptr) return caught_up(PMPI_Wait(request, status));
  return completing("MPI_Wait", [&] { return finish(*ours, *request, status); });
}

int waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (has_none_of_ours(count)) return PMPI_Waitall(count, requests, statuses);
  return completing("MPI_Waitall", [&] {
    RequestList list(count, requests);
    if (list.is_mpis_alone()) return PMPI_Waitall(count, requests, statuses);
    return wait_for_all(list, statuses);
  });
}

int waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  if (has_none_of_ours(count)) return PMPI_Waitany(count, requests, index, status);
  return completing("MPI_Waitany", [&] {
    RequestList list(count, requests);
    if (list.is_mpis_alone()) return PMPI_Waitany(count, requests, index, status);
    os::SpinThenSleep spin(os::SpinThenSleep::Naps::after_yields);
    for (;;) {
      int done = 0;
      const int code = test_any(list, index, &done, status);
      if (code != MPI_SUCCESS || done != 0) return code;
      spin.pause();
    }
  });
}

int waitsome(int count, MPI_Request requests[], int* outcount, int indices[],
             MPI_Status statuses[]) {
  if (has_none_of_ours(count)) return PMPI_Waitsome(count, requests, outcount, indices, statuses);
  return completing("MPI_Waitsome", [&] {
    RequestList list(count, requests);
    if (list.is_mpis_alone()) return PMPI_Waitsome(count, requests, outcount, indices, statuses);
    os::SpinThenSleep spin(os::SpinThenSleep::Naps::after_yields);
    for (;;) {
      const int code = test_some(list, outcount, indices, statuses);
      if (code != MPI_SUCCESS || *outcount != 0) return code;
      spin.pause();
    }
  });
}

}  // namespace tightwire::p2p
