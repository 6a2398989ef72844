// MPI 4.0, section 9.3: an error handler is a function of the program, which may call MPI; and may
// leave by longjmp().
#include <array>
#include <csetjmp>

#include "callbacks.h"

namespace callbacks {
namespace {

MPI_Comm with_handler(MPI_Comm_errhandler_function* function) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(function, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  return comm;
}

// For the handlers, which have no state of their own.
Way way = Way::recv;
int handled = 0;
const char* trigger_name = nullptr;

void receive_in_handler(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++handled;
  receive_from_1(way, 1, MPI_COMM_WORLD, trigger_name);
}

std::vector<int> posted(values_of_a_message);
MPI_Request posted_request = MPI_REQUEST_NULL;

// Compilers make a jump of such a call: it returns to MPI at once.
void wait_at_the_end(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++handled;
  static_cast<void>(MPI_Wait(&posted_request, MPI_STATUS_IGNORE));
}

std::jmp_buf place;

void jump(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++handled;
  std::longjmp(place, 1);
}

void trigger_and_jump(const Trigger& trigger, MPI_Comm comm) {
  if (setjmp(place) == 0) trigger.call(comm);
}

void handle_by_waiting(bool receives, MPI_Comm comm) {
  for (const Trigger& trigger : triggers()) {
    if (!receives) {
      send_to_0(3, MPI_COMM_WORLD);
      continue;
    }
    MPI_Irecv(posted.data(), values_of_a_message, MPI_INT, 1, 3, MPI_COMM_WORLD, &posted_request);
    trigger.call(comm);
    expect_message(posted, 3, trigger.name);
  }
}

std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};

// A message that is longer than the buffer, by each way to find out.
void receive_too_long(Way how, MPI_Comm comm) {
  static std::vector<int> room(values_of_a_message);
  if (how == Way::recv) {
    MPI_Recv(room.data(), values_of_a_message / 2, MPI_INT, 1, 4, comm, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Irecv(room.data(), values_of_a_message / 2, MPI_INT, 1, 4, comm, requests.data());
  if (how == Way::wait) MPI_Wait(requests.data(), MPI_STATUS_IGNORE);
  if (how == Way::waitall) MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  for (int done = 0; how == Way::test && done == 0;) {
    MPI_Test(requests.data(), &done, MPI_STATUS_IGNORE);
  }
}

void poll(int times) {
  int done = 0;
  for (int i = 0; i < times && done == 0; ++i) {
    MPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE);
  }
}

// Two messages, the first too long, by a list that has been found incomplete before.
void jump_out_of_polling(bool receives) {
  static std::vector<int> cut(values_of_a_message);
  static std::vector<int> room(values_of_a_message);
  constexpr int ever = 1 << 30;
  if (!receives) {
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    send_to_0(6, MPI_COMM_WORLD);
    send_to_0(7, MPI_COMM_WORLD);
    return;
  }
  handled = 0;
  MPI_Irecv(cut.data(), values_of_a_message / 2, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(room.data(), values_of_a_message, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[1]);
  poll(10);
  MPI_Send(nullptr, 0, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
  if (setjmp(place) == 0) poll(ever);
  expect(handled == 1, "a message too long is handled, once");
  expect(requests[0] == MPI_REQUEST_NULL, "a failed request of a polled list is none any more");
  if (setjmp(place) == 0) MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  expect(handled == 1, "what has been handled is not handled again");
  expect_message(room, 7, "the other message of the list");
}

// For requests, which name no communicator.
void with_world_handler(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
}

void jump_over_long_messages(bool receives, MPI_Comm comm) {
  with_world_handler(comm);
  for (const Way how : {Way::recv, Way::wait, Way::waitall, Way::test}) {
    handled = 0;
    if (!receives) {
      send_to_0(4, comm);
    } else if (setjmp(place) == 0) {
      receive_too_long(how, comm);
    }
    if (receives) expect(handled > 0, "a message too long is handled");
    expect(requests[0] == MPI_REQUEST_NULL, "a failed request is none any more");
    expect_working(comm, "after a jump over a message too long");
  }
  jump_out_of_polling(receives);
  expect_working(comm, "after a jump out of MPI_Testall");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

bool is_rank_0() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

// Both messages of a list are too long.
void two_failures(bool receives, MPI_Comm comm) {
  static std::vector<int> room(values_of_a_message);
  for (int round = 0; round < 2; ++round) {
    if (!receives) {
      send_to_0(8, comm);
      send_to_0(8, comm);
      continue;
    }
    handled = 0;
    for (MPI_Request& request : requests) {
      MPI_Irecv(room.data() + (&request - requests.data()) * values_of_a_message / 2,
                values_of_a_message / 2, MPI_INT, 1, 8, comm, &request);
    }
    if (round == 0) MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    while (round == 1 && handled == 0) poll(1);
    expect(handled == 1, "of a list's failures the handler hears once");
    while (requests[1] != MPI_REQUEST_NULL) poll(1);
  }
}

void count(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++handled;
}

}  // namespace

void error_handlers() {
  MPI_Comm comm = with_handler(&receive_in_handler);
  for (const Trigger& trigger : triggers()) {
    for (const Way each : ways) {
      way = each;
      trigger_name = trigger.name;
      is_rank_0() ? trigger.call(comm) : send_to_0(1, MPI_COMM_WORLD);
    }
  }
  const int expected = static_cast<int>(std::size(ways) * triggers().size());
  if (is_rank_0()) expect(handled == expected, "every error is handled once");
  MPI_Comm_free(&comm);
  comm = with_handler(&wait_at_the_end);
  handle_by_waiting(is_rank_0(), comm);
  MPI_Comm_free(&comm);
  comm = with_handler(&count);
  with_world_handler(comm);
  two_failures(is_rank_0(), comm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

void jumps() {
  MPI_Comm comm = with_handler(&jump);
  for (const Trigger& trigger : triggers()) {
    handled = 0;
    if (is_rank_0()) {
      trigger_and_jump(trigger, comm);
      expect(handled == 1, trigger.name);
    }
    expect_working(comm, trigger.name);
    is_rank_0() ? receive_from_1(Way::mprobe, 2, comm, trigger.name) : send_to_0(2, comm);
  }
  jump_over_long_messages(is_rank_0(), comm);
  MPI_Comm_free(&comm);
}

namespace {

// In place of `parent`: both ranks, each the other's neighbour.
MPI_Comm neighbours(MPI_Comm parent) {
  const int other = is_rank_0() ? 1 : 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Dist_graph_create_adjacent(parent, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  MPI_Comm_get_errhandler(parent, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&parent);
  return comm;
}

}  // namespace

// One rank alone makes the calls: nothing has been sent when MPI refuses them.
void handlers_of_all_calls() {
  MPI_Comm comm = neighbours(with_handler(&receive_in_handler));
  with_world_handler(comm);
  int calls = 0;
  for (const Trigger& trigger : refused_calls()) {
    way = ways[static_cast<std::size_t>(calls++) % std::size(ways)];
    trigger_name = trigger.name;
    is_rank_0() ? trigger.call(comm) : send_to_0(1, MPI_COMM_WORLD);
    if (is_rank_0()) expect(handled == calls, trigger.name);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  expect_working(comm, "after all handlers");
  MPI_Comm_free(&comm);
}

// The same.
void jumps_out_of_all_calls() {
  MPI_Comm comm = neighbours(with_handler(&jump));
  with_world_handler(comm);
  for (const Trigger& trigger : refused_calls()) {
    handled = 0;
    if (is_rank_0()) {
      trigger_and_jump(trigger, comm);
      expect(handled == 1, trigger.name);
    }
    expect_working(comm, trigger.name);
  }
  jump_over_messages_too_long(place, handled, comm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  expect_working(comm, "after all jumps");
  MPI_Comm_free(&comm);
}

}  // namespace callbacks
