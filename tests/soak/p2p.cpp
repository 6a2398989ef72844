// soak_p2p MESSAGES: exchanges as many messages between pairs of ranks in all the ways that leave
// something behind where it is forgotten, checks every byte, and watches the memory in use.
//
// Ends with "messages N, heap +H B, resident +R B in each tenth": the growth on the worst rank, in
// that tenth of the messages, of the last five, in which it grew least. What is forgotten message
// by message grows in every tenth; a pool that grows by a block does so in one.
#include <malloc.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <vector>

namespace {

constexpr int window = 16;
constexpr int values_of_largest = 20000;

struct Memory {
  long heap = 0;  // bytes handed out by malloc
  long resident = 0;
};

Memory memory_in_use() {
  const struct mallinfo2 info = mallinfo2();
  long total = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return {static_cast<long>(info.uordblks + info.hblkhd), resident * sysconf(_SC_PAGESIZE)};
}

long greatest_of_all_ranks(long own) {
  long greatest = 0;
  MPI_Allreduce(&own, &greatest, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  return greatest;
}

class Soak {
 public:
  Soak() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Type_vector(values_of_largest / 2, 1, 2, MPI_DOUBLE, &strided_);
    MPI_Type_commit(&strided_);
    for (auto& memory : out_) memory.resize(values_of_largest);
    for (auto& memory : in_) memory.resize(values_of_largest);
  }
  Soak(const Soak&) = delete;
  Soak& operator=(const Soak&) = delete;
  ~Soak() {
    MPI_Type_free(&strided_);
    MPI_Comm_free(&comm_);
  }

  // One window to the right neighbour and one from the left.
  void round(std::uint64_t number) {
    const int right = (rank_ + 1) % ranks_;
    const int left = (rank_ + ranks_ - 1) % ranks_;
    std::vector<MPI_Request> requests(2 * window);
    for (int i = 0; i < window; ++i) {
      const int count = count_of(number, i);
      fill(out_[i], count, number + static_cast<std::uint64_t>(i));
      std::fill_n(in_[i].begin(), count, -1.0);
    }
    const int form = static_cast<int>(number % 5);
    for (int i = 0; i < window; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (form != 3) {
        const int source = form == 1 ? MPI_ANY_SOURCE : left;
        MPI_Irecv(in_[k].data(), values_of_largest, MPI_DOUBLE, source, i, comm_, &requests[k]);
      }
      const auto send = form == 2 ? &MPI_Issend : &MPI_Isend;
      send(out_[k].data(), count_of(number, i), MPI_DOUBLE, right, i, comm_, &requests[window + k]);
    }
    if (form == 3) probe_and_receive(left, requests);
    if (form == 4) {
      for (MPI_Request& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Waitall(2 * window, requests.data(), MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < window; ++i) check(number, i);
    if (number % 8 == 0) exchange_strided(left, right);
    if (number % 64 == 0) on_a_new_communicator(left, right);
  }

  [[nodiscard]] int rank() const { return rank_; }

 private:
  static int count_of(std::uint64_t number, int i) {
    const std::uint64_t mixed =
        (number * 2654435761U + static_cast<std::uint64_t>(i) * 40503U) >> 3;
    return static_cast<int>(mixed % values_of_largest);
  }

  static double value(std::uint64_t seed, int k) {
    return static_cast<double>(seed % 1000) + 0.001 * k;
  }

  static void fill(std::vector<double>& memory, int count, std::uint64_t seed) {
    for (int k = 0; k < count; ++k) memory[static_cast<std::size_t>(k)] = value(seed, k);
  }

  void check(std::uint64_t number, int i) {
    const int count = count_of(number, i);
    for (int k = 0; k < count; ++k) {
      if (in_[i][static_cast<std::size_t>(k)] != value(number + static_cast<std::uint64_t>(i), k)) {
        std::fprintf(stderr, "soak_p2p: round %lu, message %d: value %d is wrong\n",
                     static_cast<unsigned long>(number), i, k);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    }
  }

  void probe_and_receive(int left, std::vector<MPI_Request>& requests) {
    for (int i = 0; i < window; ++i) {
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status{};
      MPI_Mprobe(left, i, comm_, &message, &status);
      MPI_Imrecv(in_[i].data(), values_of_largest, MPI_DOUBLE, &message,
                 &requests[static_cast<std::size_t>(i)]);
    }
  }

  void exchange_strided(int left, int right) {
    MPI_Sendrecv(out_[0].data(), 1, strided_, right, 99, in_[0].data(), 1, strided_, left, 99,
                 comm_, MPI_STATUS_IGNORE);
  }

  void on_a_new_communicator(int left, int right) {
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(comm_, &fresh);
    MPI_Sendrecv(out_[0].data(), values_of_largest, MPI_DOUBLE, right, 0, in_[0].data(),
                 values_of_largest, MPI_DOUBLE, left, 0, fresh, MPI_STATUS_IGNORE);
    MPI_Comm_free(&fresh);
  }

  int rank_ = 0;
  int ranks_ = 1;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Datatype strided_ = MPI_DATATYPE_NULL;
  std::vector<double> out_[window];
  std::vector<double> in_[window];
};

void soak(std::uint64_t messages) {
  Soak soak;
  const std::uint64_t rounds = std::max<std::uint64_t>(messages / window, 20);
  const std::uint64_t tenth = rounds / 10;
  Memory before;
  Memory least{std::numeric_limits<long>::max(), std::numeric_limits<long>::max()};
  for (std::uint64_t number = 1; number <= 10 * tenth; ++number) {
    soak.round(number);
    if (number % tenth != 0) continue;
    const Memory now = memory_in_use();
    if (number > 5 * tenth) {
      least.heap = std::min(least.heap, now.heap - before.heap);
      least.resident = std::min(least.resident, now.resident - before.resident);
    }
    before = now;
    const long resident = greatest_of_all_ranks(now.resident);
    const long heap = greatest_of_all_ranks(now.heap);
    if (soak.rank() == 0) {
      std::printf("%10lu messages a rank, heap %ld KiB, resident %ld KiB\n",
                  static_cast<unsigned long>(number * window), heap / 1024, resident / 1024);
      std::fflush(stdout);
    }
  }
  const long heap = greatest_of_all_ranks(least.heap);
  const long resident = greatest_of_all_ranks(least.resident);
  if (soak.rank() == 0) {
    std::printf("messages %lu, heap %+ld B, resident %+ld B in each tenth\n",
                static_cast<unsigned long>(10 * tenth * window), heap, resident);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t messages = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (messages == 0) {
    std::fprintf(stderr, "usage: soak_p2p MESSAGES (of each rank)\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  soak(messages);
  MPI_Finalize();
  return 0;
}
