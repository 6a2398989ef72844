// MPI 4.0, section 13.2: MPI calls query_fn, free_fn and cancel_fn, functions of the program, from
// the calls that complete, free or cancel a generalised request.
#include "callbacks.h"

namespace callbacks {
namespace {

int queried = 0;
int freed = 0;
int cancelled = 0;

int query(void* /*extra*/, MPI_Status* status) {
  ++queried;
  receive_from_1(queried % 2 == 0 ? Way::probe : Way::wait, 1, MPI_COMM_WORLD, "query_fn");
  MPI_Status_set_elements(status, MPI_INT, 3);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int free_it(void* /*extra*/) {
  ++freed;
  receive_from_1(2, MPI_COMM_WORLD, "free_fn");
  return MPI_SUCCESS;
}

int cancel(void* /*extra*/, int /*complete*/) {
  ++cancelled;
  receive_from_1(3, MPI_COMM_WORLD, "cancel_fn");
  return MPI_SUCCESS;
}

MPI_Request completed_request() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Grequest_start(&query, &free_it, &cancel, nullptr, &request);
  MPI_Grequest_complete(request);
  return request;
}

void expect_status(const MPI_Status& status) {
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  expect(count == 3, "the status of a generalised request");
}

void complete_alone() {
  MPI_Status status;
  MPI_Request request = completed_request();
  MPI_Wait(&request, &status);
  expect_status(status);
  request = completed_request();
  int done = 0;
  MPI_Test(&request, &done, &status);
  expect(done == 1, "MPI_Test of a generalised request");
  expect_status(status);
}

// In one list with a receive that tightwire has a part in.
void complete_among_others() {
  std::vector<int> values(values_of_a_message);
  MPI_Request requests[2] = {completed_request(), MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  MPI_Irecv(values.data(), values_of_a_message, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  expect_status(statuses[0]);
  expect_message(values, 4, "a receive beside a generalised request");
}

void cancel_and_free() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Grequest_start(&query, &free_it, &cancel, nullptr, &request);
  MPI_Cancel(&request);
  MPI_Grequest_complete(request);
  MPI_Request_free(&request);
}

void receiver() {
  complete_alone();
  complete_among_others();
  cancel_and_free();
  expect(queried >= 3 && freed == 4 && cancelled == 1, "the callbacks of generalised requests");
}

void sender() {
  for (int i = 0; i < 2; ++i) {
    send_to_0(1, MPI_COMM_WORLD);
    send_to_0(2, MPI_COMM_WORLD);
  }
  send_to_0(4, MPI_COMM_WORLD);
  send_to_0(1, MPI_COMM_WORLD);
  send_to_0(2, MPI_COMM_WORLD);
  send_to_0(3, MPI_COMM_WORLD);
  send_to_0(2, MPI_COMM_WORLD);
}

}  // namespace

void generalized_requests() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rank == 0 ? receiver() : sender();
}

}  // namespace callbacks
