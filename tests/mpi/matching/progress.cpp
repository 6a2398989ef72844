// What waits for what (MPI 4.0, 3.5 and 3.7.4, Progress): nothing waits for a rank that is outside
// MPI but what needs its data, and completion calls move all their requests on.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>

#include "matching.h"

namespace matching {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto long_time = std::chrono::seconds(10);

// Waits outside MPI.
bool appears(const std::string& file) {
  const auto start = Clock::now();
  while (Clock::now() - start < long_time) {
    if (access(file.c_str(), F_OK) == 0) return true;
  }
  return false;
}

void make(const std::string& file) {
  std::ofstream(file) << "there\n";
}

constexpr std::size_t large = 16 << 20;
enum Tag : int { message = 1, request = 2 };

void send_large_and_leave(const std::string& seen) {
  const auto values = rough(large);
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, Tag::message,
            MPI_COMM_WORLD, &sent);
  expect(appears(seen), "a probe sees the other sender's message while this one is busy");
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

void probe_both(const std::string& seen) {
  // By now the large one's probe has begun, if it ever does.
  for (int i = 0; i < 1000; ++i) {
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, Tag::message, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  }
  MPI_Send(nullptr, 0, MPI_BYTE, 2, Tag::request, MPI_COMM_WORLD);
  MPI_Status status{};
  MPI_Probe(MPI_ANY_SOURCE, Tag::message, MPI_COMM_WORLD, &status);
  make(seen);
  expect(bytes_in(status) == (status.MPI_SOURCE == 1 ? large : 64), "the probed message's size");
  receive(64, 2, 2, Tag::message, Tag::message);
  std::vector<double> values(large / sizeof(double));
  MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 1, Tag::message,
           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect(values == rough(large), "the large message's contents");
}

}  // namespace

void busy_sender_holds_up_nobody(const std::string& folder) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string seen = folder + "/seen";
  if (rank == 0) probe_both(seen);
  if (rank == 1) send_large_and_leave(seen);
  if (rank == 2) {
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, Tag::request, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const auto values = smooth(64, 2);
    MPI_Send(values.data(), 8, MPI_DOUBLE, 0, Tag::message, MPI_COMM_WORLD);
  }
}

namespace {

enum class Sending { send, isend_and_wait, isend_and_test };

void send_by(Sending way, const std::vector<double>& values) {
  const int count = static_cast<int>(values.size());
  if (way == Sending::send) {
    MPI_Send(values.data(), count, MPI_DOUBLE, 0, Tag::message, MPI_COMM_WORLD);
    return;
  }
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Isend(values.data(), count, MPI_DOUBLE, 0, Tag::message, MPI_COMM_WORLD, &sent);
  if (way == Sending::isend_and_wait) MPI_Wait(&sent, MPI_STATUS_IGNORE);
  for (int done = 0; way == Sending::isend_and_test && done == 0;) {
    MPI_Test(&sent, &done, MPI_STATUS_IGNORE);
  }
}

}  // namespace

// What has been sent needs its sender no more: not where MPI has waited until it was received.
void sent_is_sent(const std::string& folder) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto values = smooth(large, 3);
  for (const Sending way : {Sending::send, Sending::isend_and_wait, Sending::isend_and_test}) {
    const std::string received = folder + "/received" + std::to_string(static_cast<int>(way));
    if (rank == 0) {
      receive(large, 3, 1, Tag::message, Tag::message);
      make(received);
    } else if (rank == 1) {
      send_by(way, values);
      expect(appears(received), "a message is received whose sender is outside MPI");
    }
  }
}

namespace {

constexpr int sends = 80;
constexpr int compared = 12;
constexpr std::size_t each = 1 << 20;

double seconds_of(const std::vector<double>& values, MPI_Request* sent) {
  const auto start = Clock::now();
  MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, Tag::message,
            MPI_COMM_WORLD, sent);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void compare(const std::vector<double>& times) {
  const double first = *std::min_element(times.begin(), times.begin() + compared);
  const double last = *std::min_element(times.end() - compared, times.end());
  expect(last < 3 * first, "a send takes " + std::to_string(last * 1e3) +
                               " ms, and before others " + std::to_string(first * 1e3));
}

using Seconds = double (*)();

double processor_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void send_many(const std::string& all_sent) {
  const auto values = rough(each);
  std::vector<MPI_Request> requests(sends);
  std::vector<double> times;
  // Of preload/dear_looks.c.
  const auto looks = reinterpret_cast<Seconds>(dlsym(RTLD_DEFAULT, "seconds_of_looks"));
  const double before = looks == nullptr ? 0 : looks();
  const double start = processor_seconds();
  for (MPI_Request& sent : requests) times.push_back(seconds_of(values, &sent));
  const double all = processor_seconds() - start;
  make(all_sent);
  if (looks == nullptr) {
    compare(times);
  } else {
    expect(looks() - before < all / 2, "looks took " + std::to_string(looks() - before) + " of " +
                                           std::to_string(all) + " s of sends");
  }
  MPI_Waitall(sends, requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

// A send costs what it costs, however many wait for a receiver that is late.
void late_receiver(const std::string& folder) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string all_sent = folder + "/all-sent";
  if (rank == 1) send_many(all_sent);
  if (rank != 0) return;
  static_cast<void>(appears(all_sent));
  std::vector<double> values(each / sizeof(double));
  for (int i = 0; i < sends; ++i) {
    MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 1, Tag::message,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  expect(values == rough(each), "the last message's contents");
}

namespace {

constexpr int list_size = 2;

void wait_any(MPI_Request requests[]) {
  for (int i = 0; i < list_size; ++i) {
    int index = 0;
    MPI_Waitany(list_size, requests, &index, MPI_STATUS_IGNORE);
  }
}

void wait_some(MPI_Request requests[]) {
  int indices[list_size];
  for (int left = list_size; left > 0;) {
    int count = 0;
    MPI_Waitsome(list_size, requests, &count, indices, MPI_STATUSES_IGNORE);
    left -= count;
  }
}

void wait_all(MPI_Request requests[]) {
  MPI_Waitall(list_size, requests, MPI_STATUSES_IGNORE);
}

void test_all(MPI_Request requests[]) {
  for (int done = 0; done == 0;) {
    MPI_Testall(list_size, requests, &done, MPI_STATUSES_IGNORE);
  }
}

constexpr void (*completions[])(MPI_Request[]) = {&wait_all, &test_all, &wait_some, &wait_any};

// Blocks of all ranks in turn, so that they must exchange what they write.
void open_interleaved(const std::string& folder, int rank, MPI_File* file) {
  MPI_Datatype every_third = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 3 * sizeof(double), &every_third);
  MPI_Type_commit(&every_third);
  const std::string name = folder + "/written";
  MPI_File_open(MPI_COMM_WORLD, name.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, file);
  MPI_File_set_view(*file, rank * static_cast<MPI_Offset>(sizeof(double)), MPI_DOUBLE, every_third,
                    "native", MPI_INFO_NULL);
  MPI_Type_free(&every_third);
}

// Of rank 0, which receives at the same time what rank 1 sends when it has written.
void write_and_receive(MPI_File file, const std::vector<double>& values, int seed,
                       void (*complete)(MPI_Request[])) {
  std::vector<double> received(1 << 15);
  MPI_Request requests[list_size];
  MPI_Irecv(received.data(), static_cast<int>(received.size()), MPI_DOUBLE, 1, seed, MPI_COMM_WORLD,
            &requests[0]);
  MPI_File_iwrite_all(file, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                      &requests[1]);
  complete(requests);
  expect(received == smooth(sizeof(double) << 15, seed), "what was received beside the writing");
}

void write_then_send(MPI_File file, const std::vector<double>& values, int seed, bool is_sender) {
  MPI_Request writing = MPI_REQUEST_NULL;
  MPI_File_iwrite_all(file, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, &writing);
  MPI_Wait(&writing, MPI_STATUS_IGNORE);
  if (!is_sender) return;
  const auto sent = smooth(sizeof(double) << 15, seed);
  MPI_Send(sent.data(), static_cast<int>(sent.size()), MPI_DOUBLE, 0, seed, MPI_COMM_WORLD);
}

}  // namespace

// ROMIO's requests are generalised ones (MPI 4.0, 13.2) that move on when they are tested.
void files_advance_in_every_completion(const std::string& folder) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file = MPI_FILE_NULL;
  open_interleaved(folder, rank, &file);
  const auto values = smooth(40000, rank);
  int seed = 0;
  for (auto* complete : completions) {
    ++seed;
    if (rank == 0) {
      write_and_receive(file, values, seed, complete);
    } else {
      write_then_send(file, values, seed, rank == 1);
    }
  }
  MPI_File_close(&file);
}

}  // namespace matching
