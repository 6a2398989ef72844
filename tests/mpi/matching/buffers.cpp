// Memory that several messages share, and memory that messages leave behind.
#include <iterator>

#include "matching.h"

namespace matching {
namespace {

constexpr std::size_t sizes[] = {1 << 20, 64, 300000, 2048, 100000, 400000, 8};
constexpr int messages = std::size(sizes);
constexpr int rounds = 4;

int tag_of(int sender, int index) {
  return sender * 100 + index;
}

void send_all(int rank, int round) {
  std::vector<std::vector<double>> values;
  std::vector<MPI_Request> requests(messages);
  for (int i = 0; i < messages; ++i) values.push_back(smooth(sizes[i], rank));
  for (int i = 0; i < messages; ++i) {
    const int which = (i + round) % messages;
    const auto& message = values[static_cast<std::size_t>(which)];
    MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, 0, tag_of(rank, which),
              MPI_COMM_WORLD, &requests[static_cast<std::size_t>(i)]);
  }
  MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
}

// All into the same memory, as benchmarks drain their network: MPI forbids it (4.0, 3.7.2), but no
// MPI minds.
void drain(int round) {
  std::vector<double> scratch(sizes[0] / sizeof(double));
  std::vector<MPI_Request> requests;
  std::vector<std::size_t> expected;
  for (int sender = 1; sender <= 2; ++sender) {
    for (int i = 0; i < messages; ++i) {
      const int which = (i * 3 + round) % messages;
      requests.push_back(MPI_REQUEST_NULL);
      expected.push_back(sizes[which]);
      MPI_Irecv(scratch.data(), static_cast<int>(sizes[which] / sizeof(double)), MPI_DOUBLE, sender,
                tag_of(sender, which), MPI_COMM_WORLD, &requests.back());
    }
  }
  // All may be there before any is looked at.
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<MPI_Status> statuses(requests.size());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    expect(bytes_in(statuses[i]) == expected[i], "scratch: a message of " +
                                                     std::to_string(expected[i]) + " has " +
                                                     std::to_string(bytes_in(statuses[i])));
  }
}

constexpr std::size_t shared_bytes = 400000;
enum class SecondReceive { strided, matched };

MPI_Datatype every_second(int count) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

// While a contiguous receive into that memory is pending, and perhaps complete.
void receive_second(SecondReceive way, double* scratch, MPI_Request* request) {
  constexpr int count = shared_bytes / sizeof(double);
  if (way == SecondReceive::matched) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(1, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(scratch + 3, count, MPI_DOUBLE, &message, request);
    return;
  }
  MPI_Datatype type = every_second(count);
  MPI_Irecv(scratch, 1, type, 1, 2, MPI_COMM_WORLD, request);
  MPI_Type_free(&type);
}

void receive_twice(SecondReceive way) {
  constexpr int count = shared_bytes / sizeof(double);
  std::vector<double> scratch(2 * count);
  MPI_Request requests[2];
  MPI_Status statuses[2]{};
  MPI_Irecv(scratch.data(), count, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &requests[0]);
  receive_second(way, scratch.data(), &requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);  // both may be there before any is looked at
  MPI_Wait(&requests[1], &statuses[1]);
  MPI_Wait(&requests[0], &statuses[0]);
  for (const MPI_Status& status : statuses) {
    expect(bytes_in(status) == shared_bytes,
           "scratch, second receive " + std::to_string(static_cast<int>(way)) + ": a message has " +
               std::to_string(bytes_in(status)));
  }
}

void send_twice() {
  const auto values = smooth(shared_bytes, 1);
  MPI_Request requests[2];
  for (int tag = 1; tag <= 2; ++tag) {
    MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, tag, MPI_COMM_WORLD,
              &requests[tag - 1]);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

// The second receive by a derived datatype, and by one that a probe has matched.
void scratch_by_all_ways(const std::string& /*folder*/) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const SecondReceive way : {SecondReceive::strided, SecondReceive::matched}) {
    for (int round = 0; round < 8; ++round) {
      if (rank == 0) receive_twice(way);
      if (rank == 1) send_twice();
      if (rank == 2) MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

void scratch_buffer(const std::string& /*folder*/) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < rounds; ++round) {
    if (rank == 0) {
      drain(round);
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
      send_all(rank, round);
    }
  }
}

namespace {

constexpr std::size_t freed_bytes = 1 << 20;
constexpr int pings = 300;
enum Tag : int { freed = 1, ping = 2 };

void exchange_pings(int other) {
  for (int i = 0; i < pings; ++i) {
    MPI_Sendrecv(nullptr, 0, MPI_BYTE, other, Tag::ping, nullptr, 0, MPI_BYTE, other, Tag::ping,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int value = 0;
    if (other == 0) MPI_Send(&value, 1, MPI_INT, other, Tag::ping, MPI_COMM_WORLD);
    if (other == 1) {
      MPI_Recv(&value, 1, MPI_INT, other, Tag::ping, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

void send_pings() {
  for (int i = 0; i < pings; ++i) MPI_Send(&i, 1, MPI_INT, 0, Tag::ping, MPI_COMM_WORLD);
}

// Each completes a small receive that is MPI's alone.
void wait_for(MPI_Request request) {
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void test_for(MPI_Request request) {
  int done = 0;
  while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

void look_for(MPI_Request request) {
  int done = 0;
  while (done == 0) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

template <void (*complete)(MPI_Request)>
void receive_pings() {
  for (int i = 0; i < pings; ++i) {
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&value, 1, MPI_INT, 1, Tag::ping, MPI_COMM_WORLD, &request);
    complete(request);
  }
}

void sendrecv_pings() {
  for (int i = 0; i < pings; ++i) {
    int value = 0;
    MPI_Sendrecv(&i, 1, MPI_INT, MPI_PROC_NULL, Tag::ping, &value, 1, MPI_INT, 1, Tag::ping,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void match_pings() {
  for (int i = 0; i < pings; ++i) {
    int value = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(1, Tag::ping, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
}

// How rank 0 learns from rank 1 that what it has let go of must be there.
struct Way {
  const char* name;
  void (*learn)();
  void (*tell)();
};

void receive_and_let_go(const Way& way) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto sent = smooth(freed_bytes, 5);
  if (rank == 0) {
    std::vector<double> received(sent.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(received.data(), static_cast<int>(received.size()), MPI_DOUBLE, 1, Tag::freed,
              MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    way.learn();
    expect(received == sent, way.name);
  } else if (rank == 1) {
    MPI_Send(sent.data(), static_cast<int>(sent.size()), MPI_DOUBLE, 0, Tag::freed, MPI_COMM_WORLD);
    way.tell();
  }
}

}  // namespace

// What a receive without a request receives is there when it has come (MPI 4.0, 3.7.3), though the
// standard gives the program no call to learn that.
void freed_receive(const std::string& /*folder*/) {
  receive_and_let_go(
      {"what a freed request received", [] { exchange_pings(1); }, [] { exchange_pings(0); }});
}

void freed_receive_by_all_ways(const std::string& /*folder*/) {
  constexpr Way ways[] = {{"MPI_Wait", &receive_pings<wait_for>, &send_pings},
                          {"MPI_Test", &receive_pings<test_for>, &send_pings},
                          {"MPI_Request_get_status", &receive_pings<look_for>, &send_pings},
                          {"MPI_Sendrecv", &sendrecv_pings, &send_pings},
                          {"MPI_Mrecv", &match_pings, &send_pings}};
  for (const Way& way : ways) {
    MPI_Barrier(MPI_COMM_WORLD);
    receive_and_let_go(way);
  }
}

namespace {

int complaints = 0;

void complain(MPI_Comm* /*comm*/, int* code, ...) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(*code, &error_class);
  if (error_class == MPI_ERR_TRUNCATE) ++complaints;
}

void receive_short(std::size_t bytes, MPI_Comm comm) {
  MPI_Probe(1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // tightwire takes in both 1 and 2
  char small[1000];
  MPI_Recv(small, 1, MPI_BYTE, 1, 4, comm, MPI_STATUS_IGNORE);  // now 3 is here, too
  MPI_Recv(small, sizeof small, MPI_BYTE, 1, 3, comm, MPI_STATUS_IGNORE);
  expect(complaints == 1, "the handler hears once of a message that is too long");
  receive(bytes, 1, 1, 1, 1);
  receive(bytes, 2, 1, 2, 2);
}

void send_three(std::size_t bytes, MPI_Comm comm) {
  MPI_Request requests[3];
  std::vector<std::vector<double>> values;
  for (int tag = 1; tag <= 3; ++tag) {
    values.push_back(smooth(tag == 3 ? 2000 : bytes, tag));
    MPI_Isend(values.back().data(), static_cast<int>(values.back().size()), MPI_DOUBLE, 0, tag,
              tag == 3 ? comm : MPI_COMM_WORLD, &requests[tag - 1]);
  }
  MPI_Send("", 1, MPI_BYTE, 0, 4, comm);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

}  // namespace

// MPI 4.0, section 9.3: the handler of the communicator, whatever a probe has taken in.
void short_receive(const std::string& /*folder*/) {
  constexpr std::size_t bytes = 100000;
  int rank = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(&complain, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) receive_short(bytes, comm);
  if (rank == 1) send_three(bytes, comm);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

}  // namespace matching
