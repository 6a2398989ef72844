// A synchronous send is complete when a receive has started (MPI 4.0, 3.4); a probe is none
// (3.8.1), nor is a matched probe (3.8.2).
#include <cstdlib>

#include "matching.h"

namespace matching {
namespace {

constexpr std::size_t sizes[] = {8, 2048, 200000, 1 << 20};
enum Tag : int { small = 1, synchronous = 2, standard = 3, word = 9 };

void expect_active(MPI_Request requests[], int count, const std::string& what) {
  for (int i = 0; i < 2000; ++i) {
    int index = 0;
    int done = 0;
    MPI_Testany(count, requests, &index, &done, MPI_STATUS_IGNORE);
    if (done == 0) continue;
    expect(false, what + ": a synchronous send is complete that nobody received");
    return;
  }
}

// While the other has only probed, none is complete.
void send_synchronously(std::size_t bytes, const std::string& what) {
  const auto first = smooth(16, 1);
  const auto second = smooth(bytes, 2);
  const auto third = smooth(bytes, 3);
  MPI_Request requests[3];
  const int count = static_cast<int>(second.size());
  MPI_Issend(first.data(), 2, MPI_DOUBLE, 0, Tag::small, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(second.data(), count, MPI_DOUBLE, 0, Tag::synchronous, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(third.data(), count, MPI_DOUBLE, 0, Tag::standard, MPI_COMM_WORLD, &requests[2]);
  // The other has looked.
  MPI_Recv(nullptr, 0, MPI_BYTE, 0, Tag::word, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect_active(requests, 2, what);
  MPI_Send(nullptr, 0, MPI_BYTE, 0, Tag::word, MPI_COMM_WORLD);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

void expect_probed(const MPI_Status& status, std::size_t bytes, const std::string& what) {
  expect(bytes_in(status) == bytes,
         what + ": the probe tells of " + std::to_string(bytes_in(status)));
}

// The third of them first, so that it is known of what came before it.
void probe_all(std::size_t bytes, const std::string& what) {
  MPI_Status status{};
  MPI_Probe(1, Tag::standard, MPI_COMM_WORLD, &status);
  expect_probed(status, bytes, what + ", standard");
  MPI_Probe(MPI_ANY_SOURCE, Tag::synchronous, MPI_COMM_WORLD, &status);
  expect_probed(status, bytes, what + ", synchronous");
  MPI_Probe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  expect_probed(status, 16, what + ", the first");
}

// So that what is sent next can be told to have been left alone.
void agree_with_sender() {
  MPI_Send(nullptr, 0, MPI_BYTE, 1, Tag::word, MPI_COMM_WORLD);
  MPI_Recv(nullptr, 0, MPI_BYTE, 1, Tag::word, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void receive_probed(std::size_t bytes, const std::string& what) {
  probe_all(bytes, what);
  agree_with_sender();
  receive(16, 1, 1, MPI_ANY_TAG, Tag::small);
  receive(bytes, 2, MPI_ANY_SOURCE, MPI_ANY_TAG, Tag::synchronous);
  receive(bytes, 3, 1, Tag::standard, Tag::standard);
}

// The message stays matched for a while.
void receive_matched(std::size_t bytes, const std::string& what) {
  MPI_Message messages[2];
  MPI_Status status{};
  MPI_Mprobe(1, Tag::standard, MPI_COMM_WORLD, &messages[1], &status);
  expect_probed(status, bytes, what + ", matched, standard");
  MPI_Mprobe(1, Tag::synchronous, MPI_COMM_WORLD, &messages[0], &status);
  expect_probed(status, bytes, what + ", matched, synchronous");
  agree_with_sender();
  for (int seed = 2; seed <= 3; ++seed) {
    std::vector<double> values(bytes / sizeof(double));
    MPI_Mrecv(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, &messages[seed - 2],
              &status);
    expect_probed(status, bytes, what + ", received");
    expect(values == smooth(bytes, seed), what + ", matched: its contents");
  }
  receive(16, 1, 1, MPI_ANY_TAG, Tag::small);
}

}  // namespace

void synchronous_sends_outlive_probes(const std::string& /*folder*/) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const std::size_t bytes : sizes) {
    const std::string what = std::to_string(bytes) + " bytes";
    for (auto* receiving : {&receive_probed, &receive_matched}) {
      if (rank == 1) send_synchronously(bytes, what);
      if (rank == 0) receiving(bytes, what);
    }
  }
}

namespace {

// How many messages a rank sends to another in a round, and how large each is.
int count_of(int round, int from, int to) {
  return from == to ? 0 : (from * 7 + to * 3 + round) % 9;
}

std::size_t bytes_of(int round, int from, int to, int index) {
  return sizes[static_cast<std::size_t>(round + from + to + index) % 3];
}

class Exchange {
 public:
  Exchange(int round, int rank, int ranks) : round_(round), rank_(rank), ranks_(ranks) {}

  // Hoefler, Siebert, Lumsdaine: Scalable communication protocols for dynamic sparse data exchange,
  // PPoPP 2010. Who learns that all is received has nothing left to send.
  void run() {
    send_all();
    const int left = (rank_ + ranks_ - 1) % ranks_;
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(large_.data(), static_cast<int>(large_.size()), MPI_DOUBLE, (rank_ + 1) % ranks_,
              other_tag, MPI_COMM_WORLD, &sent);
    MPI_Probe(left, other_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    exchange();
    receive(sizes[3], 7, left, other_tag, other_tag);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }

 private:
  void exchange() {
    bool all_sent = false;
    MPI_Request all_done = MPI_REQUEST_NULL;
    for (int done = 0; done == 0;) {
      receive_one();
      if (all_sent) {
        MPI_Test(&all_done, &done, MPI_STATUS_IGNORE);
      } else if (is_all_sent()) {
        all_sent = true;
        MPI_Ibarrier(MPI_COMM_WORLD, &all_done);
      }
    }
    expect(received_ == expected(), "round " + std::to_string(round_) + ": received " +
                                        std::to_string(received_) + " messages of " +
                                        std::to_string(expected()));
  }

  void send_all() {
    for (int to = 0; to < ranks_; ++to) {
      for (int i = 0; i < count_of(round_, rank_, to); ++i) {
        sent_.push_back(smooth(bytes_of(round_, rank_, to, i), rank_));
        requests_.push_back(MPI_REQUEST_NULL);
        MPI_Issend(sent_.back().data(), static_cast<int>(sent_.back().size()), MPI_DOUBLE, to,
                   round_, MPI_COMM_WORLD, &requests_.back());
      }
    }
  }

  bool is_all_sent() {
    int sent = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &sent, MPI_STATUSES_IGNORE);
    return sent != 0;
  }

  void receive_one() {
    int found = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, round_, MPI_COMM_WORLD, &found, &status);
    if (found == 0) return;
    ++received_;
    receive(bytes_in(status), status.MPI_SOURCE, status.MPI_SOURCE, round_, round_);
  }

  [[nodiscard]] int expected() const {
    int count = 0;
    for (int from = 0; from < ranks_; ++from) count += count_of(round_, from, rank_);
    return count;
  }

  static constexpr int other_tag = 1000;

  int round_;
  int rank_;
  int ranks_;
  const std::vector<double> large_ = smooth(sizes[3], 7);
  int received_ = 0;
  std::vector<std::vector<double>> sent_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

// A large standard message is probed that came behind the synchronous ones.
void sparse_exchange(const std::string& /*folder*/) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) Exchange(round, rank, ranks).run();
}

}  // namespace matching
