// Calls that meet no message of the schedule.
#include <array>

#include "performer.h"

namespace semantics {
namespace {

constexpr int unused_tag = 9999;

std::string nobody_text(const char* call, const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  const bool as_it_should = status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG;
  return std::string(call) + " nobody: count " + std::to_string(count) +
         (as_it_should ? "" : " STATUS WRONG");
}

}  // namespace

void Performer::cancel_unmatched(const Step& step) {
  std::array<char, 100> memory{};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status{};
  int cancelled = 0;
  const auto size = static_cast<int>(memory.size());
  MPI_Irecv(memory.data(), size, MPI_CHAR, MPI_ANY_SOURCE, unused_tag, comms_[step.comm].handle,
            &request);
  MPI_Cancel(&request);
  const int code = MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  note("cancel: error " + std::to_string(error_class(code)) +
       (cancelled != 0 ? " cancelled" : " NOT CANCELLED"));
}

void Performer::probe_nothing(const Step& step) {
  const MPI_Comm comm = comms_[step.comm].handle;
  int probed = 0;
  int matched = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Iprobe(MPI_ANY_SOURCE, unused_tag, comm, &probed, MPI_STATUS_IGNORE);
  MPI_Improbe(MPI_ANY_SOURCE, unused_tag, comm, &matched, &message, MPI_STATUS_IGNORE);
  note(probed == 0 && matched == 0 ? "probe: nothing" : "PROBE FOUND WHAT NOBODY SENT");
}

void Performer::talk_to_nobody(const Step& step) {
  const MPI_Comm comm = comms_[step.comm].handle;
  constexpr int n = 5000;
  std::vector<int> out(n, 1);
  std::vector<int> in(n, 2);
  MPI_Status status{};
  MPI_Send(out.data(), n, MPI_INT, MPI_PROC_NULL, 1, comm);
  MPI_Recv(in.data(), n, MPI_INT, MPI_PROC_NULL, 1, comm, &status);
  note(nobody_text("receive", status));
  MPI_Sendrecv(out.data(), n, MPI_INT, MPI_PROC_NULL, 1, in.data(), n, MPI_INT, MPI_PROC_NULL, 1,
               comm, &status);
  note(nobody_text("sendrecv", status));
  // MPICH 4.0 says of a non-blocking receive from nobody whatever it said last.
  MPI_Request requests[2];
  MPI_Isend(out.data(), n, MPI_INT, MPI_PROC_NULL, 1, comm, &requests[0]);
  MPI_Irecv(in.data(), n, MPI_INT, MPI_PROC_NULL, 1, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Probe(MPI_PROC_NULL, 1, comm, &status);
  note(nobody_text("probe", status));
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Mprobe(MPI_PROC_NULL, 1, comm, &message, &status);
  MPI_Mrecv(in.data(), n, MPI_INT, &message, &status);
  note(nobody_text("mrecv", status));
  if (in != std::vector<int>(n, 2)) note("NOBODY WROTE SOMETHING");
}

void Performer::invalid_arguments(const Step& step) {
  const MPI_Comm comm = comms_[step.comm].handle;
  std::vector<char> memory(10000);
  char* const data = memory.data();
  constexpr int n = 10000;
  MPI_Request request = MPI_REQUEST_NULL;
  const auto refused = [&](const char* call, int code) {
    const HandlerCalls handler = take_handler_calls();
    note(std::string("refused ") + call + ": " + std::to_string(error_class(code)) + " handler " +
         std::to_string(handler.calls));
  };
  refused("count", MPI_Send(data, -1, MPI_CHAR, 0, 1, comm));
  refused("destination", MPI_Send(data, n, MPI_CHAR, 1000, 1, comm));
  refused("tag", MPI_Isend(data, n, MPI_CHAR, 0, -77, comm, &request));
  refused("type", MPI_Isend(data, n, MPI_DATATYPE_NULL, 0, 1, comm, &request));
  refused("source", MPI_Recv(data, n, MPI_CHAR, 1000, 1, comm, MPI_STATUS_IGNORE));
  refused("receive's count", MPI_Irecv(data, -1, MPI_CHAR, 0, 1, comm, &request));
}

}  // namespace semantics
