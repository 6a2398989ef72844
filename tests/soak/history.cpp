// soak_history MESSAGES SEED: two ranks exchange so many messages of fields that go on smoothly in
// time, of random channels in random ways, as simulations do and as they should not: sizes that
// change, fields that jump, communicators that come and go, receives that are cancelled, late, too
// short or refused by a damaged frame. Every byte is checked.
//
// With SOAK_MAY_FAIL=1 a receive may fail, since frames are damaged; nothing of it is checked then.
// Ends with "messages N, failed F, heap +H B in each tenth": the growth on the worse rank, in that
// of the last five tenths of the messages in which it grew least.
#include <malloc.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace {

constexpr int channels = 6;
constexpr int window = 4;
constexpr int most_values = 6000;
constexpr int least_values = 640;

long heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<long>(info.uordblks + info.hblkhd);
}

[[noreturn]] void fail(const char* what, long message) {
  std::fprintf(stderr, "soak_history: message %ld: %s\n", message, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

// What one rank sends on one channel: both ranks work it out.
struct Field {
  int count = 0;
  double time = 0;
  double speed = 0;
  std::uint64_t seed = 0;

  // A draw that both ranks make.
  void go_on(std::mt19937_64& both) {
    time += speed;
    const std::uint64_t event = both() % 512;
    if (count == 0 || event == 0) {  // atoms migrate
      count = least_values + static_cast<int>(both() % (most_values - least_values));
      seed = both();
      speed = static_cast<double>(both() % 4) / 1024;  // 0: nothing changes
    } else if (event == 1) {
      time += 1000;
    }
  }

  void write(double* values) const {
    std::uint64_t state = seed | 1;
    for (int i = 0; i < count; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const double place = static_cast<double>(state >> 40);
      values[i] = 1 + place * 1e-3 + time * (place * 1e-4 - 600) + time * time * 1e-3;
    }
  }
};

class Soak {
 public:
  explicit Soak(std::uint64_t seed) : both_(seed) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    peer_ = 1 - rank_;
    may_fail_ = std::getenv("SOAK_MAY_FAIL") != nullptr;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    for (auto& values : out_) values.resize(most_values);
    for (auto& values : in_) values.resize(most_values + 1);
    expected_.resize(most_values);
  }
  Soak(const Soak&) = delete;
  Soak& operator=(const Soak&) = delete;
  ~Soak() { MPI_Comm_free(&comm_); }

  // A window in either direction over one channel; the ways are the same on both ranks.
  void round() {
    channel_ = static_cast<int>(both_() % channels);
    for (int i = 0; i < window; ++i) {
      for (int sender = 0; sender < 2; ++sender) {
        Field& field = fields_[sender][channel_];
        field.go_on(both_);
        (sender == rank_ ? mine_ : theirs_)[i] = field;
      }
      mine_[i].write(out_[i].data());
      in_[i][static_cast<std::size_t>(theirs_[i].count)] = -1;
    }
    switch (both_() % 8) {
      case 0:
        return sendrecv();
      case 1:
        return probed(false);
      case 2:
        return probed(true);
      case 3:
        return persistent();
      case 4:
        return unexpected();
      case 5:
        return after_a_cancelled_one();
      case 6:
        return at_once(MPI_ANY_SOURCE);
      default:
        return at_once(peer_);
    }
  }

  // Channels of a communicator end with it.
  void new_communicator() {
    MPI_Comm_free(&comm_);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }

  [[nodiscard]] bool wants_new_communicator() { return both_() % 512 == 0; }
  [[nodiscard]] long messages() const { return messages_; }
  [[nodiscard]] long failed() const { return failed_; }
  [[nodiscard]] int rank() const { return rank_; }

 private:
  void arrived(int i, int code) {
    ++messages_;
    if (code != MPI_SUCCESS) {
      if (!may_fail_) fail("a receive failed", messages_);
      ++failed_;
      return;
    }
    const Field& field = theirs_[i];
    field.write(expected_.data());
    const auto count = static_cast<std::size_t>(field.count);
    if (std::memcmp(in_[i].data(), expected_.data(), count * sizeof(double)) != 0) {
      fail("a byte is wrong", messages_);
    }
    if (in_[i][count] != -1) fail("written behind its end", messages_);
  }

  void send(int i, MPI_Request* request) {
    MPI_Isend(out_[i].data(), mine_[i].count, MPI_DOUBLE, peer_, channel_, comm_, request);
  }
  int receive(int i, int source, MPI_Request* request) {
    return MPI_Irecv(in_[i].data(), theirs_[i].count, MPI_DOUBLE, source, channel_, comm_, request);
  }
  static void complete(MPI_Request* sends) {
    for (int i = 0; i < window; ++i) MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
  }

  void sendrecv() {
    for (int i = 0; i < window; ++i) {
      arrived(i, MPI_Sendrecv(out_[i].data(), mine_[i].count, MPI_DOUBLE, peer_, channel_,
                              in_[i].data(), theirs_[i].count, MPI_DOUBLE, peer_, channel_, comm_,
                              MPI_STATUS_IGNORE));
    }
  }

  void at_once(int source) {
    MPI_Request sends[window];
    MPI_Request receives[window];
    for (int i = 0; i < window; ++i) receive(i, source, &receives[i]);
    for (int i = 0; i < window; ++i) send(i, &sends[i]);
    // The last one is looked at first.
    for (int i = window - 1; i >= 0; --i) arrived(i, MPI_Wait(&receives[i], MPI_STATUS_IGNORE));
    complete(sends);
  }

  void probed(bool matched) {
    MPI_Request sends[window];
    for (int i = 0; i < window; ++i) send(i, &sends[i]);
    for (int i = 0; i < window; ++i) {
      MPI_Status status{};
      MPI_Message message = MPI_MESSAGE_NULL;
      int count = 0;
      const int code = matched ? MPI_Mprobe(MPI_ANY_SOURCE, channel_, comm_, &message, &status)
                               : MPI_Probe(peer_, channel_, comm_, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      if (code == MPI_SUCCESS && count != theirs_[i].count && !may_fail_) {
        fail("a probe tells another size", messages_);
      }
      double* const to = in_[i].data();
      arrived(i, matched
                     ? MPI_Mrecv(to, theirs_[i].count, MPI_DOUBLE, &message, &status)
                     : MPI_Recv(to, theirs_[i].count, MPI_DOUBLE, peer_, channel_, comm_, &status));
    }
    complete(sends);
  }

  void persistent() {
    for (int i = 0; i < window; ++i) {
      MPI_Request both[2];
      MPI_Recv_init(in_[i].data(), theirs_[i].count, MPI_DOUBLE, peer_, channel_, comm_, &both[0]);
      MPI_Send_init(out_[i].data(), mine_[i].count, MPI_DOUBLE, peer_, channel_, comm_, &both[1]);
      MPI_Startall(2, both);
      arrived(i, MPI_Wait(&both[0], MPI_STATUS_IGNORE));
      MPI_Wait(&both[1], MPI_STATUS_IGNORE);
      MPI_Request_free(&both[0]);
      MPI_Request_free(&both[1]);
    }
  }

  // All have been sent before any is asked for.
  void unexpected() {
    MPI_Request sends[window];
    for (int i = 0; i < window; ++i) send(i, &sends[i]);
    MPI_Barrier(comm_);
    for (int i = 0; i < window; ++i) {
      arrived(i, MPI_Recv(in_[i].data(), theirs_[i].count, MPI_DOUBLE, peer_, channel_, comm_,
                          MPI_STATUS_IGNORE));
    }
    complete(sends);
  }

  void after_a_cancelled_one() {
    MPI_Request never = MPI_REQUEST_NULL;
    MPI_Irecv(expected_.data(), most_values, MPI_DOUBLE, peer_, channels, comm_, &never);
    MPI_Cancel(&never);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    at_once(peer_);
  }

  std::mt19937_64 both_;
  int rank_ = 0;
  int peer_ = 0;
  bool may_fail_ = false;
  int channel_ = 0;
  long messages_ = 0;
  long failed_ = 0;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Field fields_[2][channels];
  Field mine_[window];
  Field theirs_[window];
  std::vector<double> out_[window];
  std::vector<double> in_[window];
  std::vector<double> expected_;
};

long greatest(long own) {
  long all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

void soak(long messages, std::uint64_t seed) {
  Soak soak(seed);
  long before = 0;
  long least = std::numeric_limits<long>::max();
  for (int tenth = 0; tenth < 10; ++tenth) {
    while (soak.messages() < messages / 10 * (tenth + 1)) {
      soak.round();
      if (soak.wants_new_communicator()) soak.new_communicator();
    }
    const long now = greatest(heap_in_use());
    if (tenth >= 5) least = std::min(least, now - before);
    before = now;
  }
  const long failed = greatest(soak.failed());
  if (soak.rank() == 0) {
    std::printf("messages %ld, failed %ld, heap %+ld B in each tenth\n", 2 * soak.messages(),
                failed, least);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long messages = argc == 3 ? std::atol(argv[1]) : 0;
  if (messages < 10) {
    std::fprintf(stderr, "usage: soak_history MESSAGES (of each rank) SEED\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  soak(messages, std::strtoull(argv[2], nullptr, 10));
  MPI_Finalize();
  return 0;
}
