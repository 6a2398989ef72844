// Probes that nothing is received after, and synchronous sends that nothing has received: MPI 4.0,
// sections 3.4 and 3.8.
#include <sched.h>

#include "performer.h"

namespace semantics {
namespace {

MPI_Status probe(int source, int tag, MPI_Comm comm, bool blocks) {
  MPI_Status status{};
  if (blocks) {
    MPI_Probe(source, tag, comm, &status);
    return status;
  }
  for (int found = 0; found == 0; sched_yield()) {
    MPI_Iprobe(source, tag, comm, &found, &status);
  }
  return status;
}

}  // namespace

void Performer::look(const Step& step) {
  const Communicator& comm = comms_[step.comm];
  const int source = step.peer == any ? MPI_ANY_SOURCE : comm.rank_of(step.peer);
  const int tag = step.tag == any ? MPI_ANY_TAG : step.tag;
  const bool blocks = static_cast<Reception>(step.way) == Reception::probe;
  const auto text = [&](const MPI_Status& s) { return status_text(s, comm, rank_, MPI_BYTE); };
  const MPI_Status seen = probe(source, tag, comm.handle, blocks);
  note("look " + (step.determined ? text(seen) : ""));
  // It is still there.
  MPI_Status again{};
  int found = 0;
  MPI_Iprobe(seen.MPI_SOURCE, seen.MPI_TAG, comm.handle, &found, &again);
  if (found == 0) note("GONE " + text(seen));
  if (found != 0 && text(seen) != text(again)) note("SAW " + text(seen) + " THEN " + text(again));
}

void Performer::is_unreceived(const Step& step) {
  const int i = step.operations.front();
  MPI_Request& request = holder(i).request;
  int complete = 0;
  MPI_Status status{};
  MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  note("op " + std::to_string(i) + (complete == 0 ? " waits" : " COMPLETE BUT NOT RECEIVED"));
  const int code = MPI_Test(&request, &complete, &status);
  if (complete == 0) return;
  note("op " + std::to_string(i) + " TESTED COMPLETE BUT NOT RECEIVED");
  finish(i, code, &status);
}

}  // namespace semantics
