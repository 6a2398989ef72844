// MPI 4.0, sections 3.2.4 and 9.3: a message that is longer than its buffer calls an error handler.
// Which one, and with what code the call returns, is what the MPI at hand makes of it: MPICH 4.0
// calls MPI_COMM_WORLD's for requests, and the communicator's for calls that wait themselves. Rank
// 0 prints that of each way to receive, of messages that shrink, that do not, and of short ones.
#include <cstdio>
#include <functional>
#include <string>

#include "callbacks.h"

namespace callbacks {
namespace {

constexpr int back = 99;  // tag of what rank 0 sends

int of_comm = 0;
int of_world = 0;

void count_of_comm(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++of_comm;
}

void count_of_world(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++of_world;
}

void set_handler(MPI_Comm comm, MPI_Comm_errhandler_function* function) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(function, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
}

enum class Values { smooth, noise };

std::vector<int> values_of(Values kind, int count) {
  std::vector<int> values = message(count);
  values.resize(static_cast<std::size_t>(count));
  if (kind == Values::smooth) return values;
  unsigned state = 1;
  for (int& value : values) value = static_cast<int>(state = state * 1664525U + 1013904223U);
  return values;
}

struct Receive {
  MPI_Comm comm;
  int tag;
  int count;  // of the message
  std::vector<int> values;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2] = {};

  [[nodiscard]] int room() const { return count / 2; }
  int recv() { return MPI_Recv(values.data(), room(), MPI_INT, 1, tag, comm, MPI_STATUS_IGNORE); }
  int start() { return MPI_Irecv(values.data(), room(), MPI_INT, 1, tag, comm, requests); }
  void start_persistent() {
    MPI_Recv_init(values.data(), room(), MPI_INT, 1, tag, comm, requests);
    MPI_Start(requests);
  }
  int free(int code) {
    MPI_Request_free(requests);
    return code;
  }
  int wait() { return MPI_Wait(requests, MPI_STATUS_IGNORE); }
  int test() {
    int code = MPI_SUCCESS;
    for (int done = 0; done == 0 && code == MPI_SUCCESS;) {
      code = MPI_Test(requests, &done, MPI_STATUS_IGNORE);
    }
    return code;
  }
};

struct How {
  const char* name;
  bool sends;
  std::function<int(Receive&)> receive;
};

int sendrecv(Receive& it) {
  static const std::vector<int> sent = message(0);
  return MPI_Sendrecv(sent.data(), it.count, MPI_INT, 1, back, it.values.data(), it.room(), MPI_INT,
                      1, it.tag, it.comm, MPI_STATUS_IGNORE);
}

int sendrecv_replace(Receive& it) {
  return MPI_Sendrecv_replace(it.values.data(), it.room(), MPI_INT, 1, back, 1, it.tag, it.comm,
                              MPI_STATUS_IGNORE);
}

int testall(Receive& it) {
  int code = it.start();
  for (int done = 0; done == 0 && code == MPI_SUCCESS;) {
    code = MPI_Testall(2, it.requests, &done, it.statuses);
  }
  return code;
}

int testany(Receive& it) {
  int code = it.start();
  for (int done = 0; done == 0 && code == MPI_SUCCESS;) {
    int index = 0;
    code = MPI_Testany(2, it.requests, &index, &done, MPI_STATUS_IGNORE);
  }
  return code;
}

int testsome(Receive& it) {
  int code = it.start();
  int indices[2];
  for (int done = 0; done == 0 && code == MPI_SUCCESS;) {
    code = MPI_Testsome(2, it.requests, &done, indices, it.statuses);
  }
  return code;
}

int waitany(Receive& it) {
  int index = 0;
  it.start();
  return MPI_Waitany(2, it.requests, &index, MPI_STATUS_IGNORE);
}

int waitsome(Receive& it) {
  int done = 0;
  int indices[2];
  it.start();
  return MPI_Waitsome(2, it.requests, &done, indices, it.statuses);
}

void probe(const Receive& it) {
  MPI_Probe(1, it.tag, it.comm, MPI_STATUS_IGNORE);
}

MPI_Message matched(const Receive& it) {
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Mprobe(1, it.tag, it.comm, &handle, MPI_STATUS_IGNORE);
  return handle;
}

int mrecv(Receive& it) {
  MPI_Message handle = matched(it);
  return MPI_Mrecv(it.values.data(), it.room(), MPI_INT, &handle, MPI_STATUS_IGNORE);
}

int imrecv(Receive& it) {
  MPI_Message handle = matched(it);
  MPI_Imrecv(it.values.data(), it.room(), MPI_INT, &handle, it.requests);
  return it.wait();
}

// Behind another message of the same sender, which a probe finds first.
int behind_probed(Receive& it) {
  static std::vector<int> large(values_of_a_message);
  MPI_Probe(1, it.tag + 1, it.comm, MPI_STATUS_IGNORE);
  const int code = it.recv();
  MPI_Recv(large.data(), values_of_a_message, MPI_INT, 1, it.tag + 1, it.comm, MPI_STATUS_IGNORE);
  return code;
}

const std::vector<How>& hows() {
  static const std::vector<How> all = {
      {"Recv", false, [](Receive& it) { return it.recv(); }},
      {"Probe, Recv", false, [](Receive& it) { return probe(it), it.recv(); }},
      {"Probe, Irecv", false, [](Receive& it) { return probe(it), it.start(), it.wait(); }},
      {"Recv behind a probed one", false, &behind_probed},
      {"Mprobe, Mrecv", false, &mrecv},
      {"Mprobe, Imrecv", false, &imrecv},
      {"Sendrecv", true, &sendrecv},
      {"Sendrecv_replace", true, &sendrecv_replace},
      {"Irecv, Wait", false, [](Receive& it) { return it.start(), it.wait(); }},
      {"Irecv, Test", false, [](Receive& it) { return it.start(), it.test(); }},
      {"Irecv, Waitall", false,
       [](Receive& it) { return it.start(), MPI_Waitall(2, it.requests, it.statuses); }},
      {"Irecv, Testall", false, &testall},
      {"Irecv, Waitany", false, &waitany},
      {"Irecv, Testany", false, &testany},
      {"Irecv, Waitsome", false, &waitsome},
      {"Irecv, Testsome", false, &testsome},
      {"Recv_init, Wait", false,
       [](Receive& it) { return it.start_persistent(), it.free(it.wait()); }},
      {"Recv_init, Test", false,
       [](Receive& it) { return it.start_persistent(), it.free(it.test()); }},
  };
  return all;
}

const char* name_of(int code) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  if (kind == MPI_SUCCESS) return "MPI_SUCCESS";
  if (kind == MPI_ERR_TRUNCATE) return "MPI_ERR_TRUNCATE";
  return kind == MPI_ERR_IN_STATUS ? "MPI_ERR_IN_STATUS" : "?";
}

void receive(const How& how, const std::string& what, int count, MPI_Comm comm) {
  Receive it{comm, 4, count, std::vector<int>(values_of_a_message)};
  of_comm = 0;
  of_world = 0;
  const int code = how.receive(it);
  std::printf("%s, %s: %s, handlers %d of the communicator, %d of the world\n", how.name,
              what.c_str(), name_of(code), of_comm, of_world);
}

void send(const How& how, Values kind, int count, MPI_Comm comm) {
  std::vector<int> values = values_of(kind, count);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(values.data(), count, MPI_INT, 0, 4, comm, &request);
  if (std::string(how.name).find("behind") != std::string::npos) send_to_0(5, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (how.sends) {
    MPI_Recv(values.data(), count, MPI_INT, 0, back, comm, MPI_STATUS_IGNORE);
  }
}

}  // namespace

void truncation() {
  constexpr int few = 100;
  int rank = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  set_handler(comm, &count_of_comm);
  set_handler(MPI_COMM_WORLD, &count_of_world);
  for (const How& how : hows()) {
    for (const auto& [kind, count] : {std::pair(Values::smooth, values_of_a_message),
                                      {Values::noise, values_of_a_message},
                                      {Values::noise, few}}) {
      const std::string what =
          std::to_string(count) + (kind == Values::smooth ? " smooth" : " noise");
      rank == 0 ? receive(how, what, count, comm) : send(how, kind, count, comm);
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  expect_working(comm, "after messages too long");
  MPI_Comm_free(&comm);
}

namespace {

// What a jump has left: a persistent request, and what lies behind the message.
void clear(const How& how, Receive& it) {
  if (it.requests[0] != MPI_REQUEST_NULL) MPI_Request_free(it.requests);
  if (std::string(how.name).find("behind") == std::string::npos) return;
  MPI_Recv(it.values.data(), values_of_a_message, MPI_INT, 1, it.tag + 1, it.comm,
           MPI_STATUS_IGNORE);
}

void receive_and_jump(const How& how, std::jmp_buf& place, int count, MPI_Comm comm) {
  Receive it{comm, 4, count, std::vector<int>(values_of_a_message)};
  if (setjmp(place) == 0) how.receive(it);
  clear(how, it);
}

}  // namespace

void jump_over_messages_too_long(std::jmp_buf& place, const int& handled, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  for (const How& how : hows()) {
    for (const Values kind : {Values::smooth, Values::noise}) {
      const int before = handled;
      if (rank == 0) {
        receive_and_jump(how, place, values_of_a_message, comm);
        expect(handled == before + 1, how.name);
      } else {
        send(how, kind, values_of_a_message, comm);
      }
      expect_working(comm, how.name);
    }
  }
}

}  // namespace callbacks
