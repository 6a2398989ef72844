// A collective that returns at once, beside the blocking one: alone, and with computing between its
// start and its end.
//
//   bench-overlap-FAMILY BYTES REPEATS POLLS waves|noise apart|shared [SECONDS SECONDS SECONDS]
//
// Each kind of call in alternation, REPEATS times, as the slowest rank sees it, after some blocking
// ones, which learn. Those that return at once share their communicators, or have others, as in a
// program that has no blocking calls. SECONDS is how long each operation has computing beside it:
// as long as it takes itself, if none is given. With POLLS the computing is cut into so many parts
// with MPI_Test between them. No codec shrinks the noise. Prints from rank 0, for each operation:
// row,OPERATION,BYTES,POLLS,BLOCKING,WAITED,COMPUTE,OVERLAPPED (medians, in seconds).
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

namespace {

struct Buffers {
  std::vector<float> send, receive;
};

// For calls that wait, and for those that return at once.
struct Communicators {
  Communicators(MPI_Comm first, bool shared) : waiting(first), at_once(first) {
    if (!shared) MPI_Comm_dup(first, &at_once);
  }
  MPI_Comm waiting, at_once;
};

struct Operation {
  const char* name;
  Communicators comms;
  std::function<void(Buffers&, MPI_Comm)> blocking;
  std::function<void(Buffers&, MPI_Comm, MPI_Request*)> start;
};

// What a rank sends, call by call: it moves on, so that no codec can live on repeats.
class Source {
 public:
  Source(std::size_t values, bool noise) : all_(values + calls * stride) {
    noise ? fill_with_noise() : fill_with_waves();
  }
  void fill(std::vector<float>& values, int rank, int call) const {
    const std::size_t first = (static_cast<std::size_t>(call + 7 * rank) % calls) * stride;
    std::copy_n(all_.begin() + static_cast<std::ptrdiff_t>(first), values.size(), values.begin());
  }

 private:
  static constexpr std::size_t calls = 200;
  static constexpr std::size_t stride = 1009;

  void fill_with_noise() {
    constexpr std::uint32_t finite = 0xBFFFFFFF;
    std::mt19937 random;
    for (float& value : all_) {
      value = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & finite);
    }
  }
  void fill_with_waves() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const auto place = static_cast<float>(i);
      all_[i] = std::sin(1e-3F * place) + 1e-4F * std::sin(7.7F * place);
    }
  }

  std::vector<float> all_;
};

// Work that the compiler can neither leave out nor move.
double compute(long iterations) {
  volatile double x = 1;
  for (long i = 0; i < iterations; ++i) x = x * 0.999999 + 1e-6;
  return x;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Measurement {
 public:
  Measurement(std::size_t bytes, int polls, bool noise)
      : polls_(polls), source_(bytes / sizeof(float), noise) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    buffers_.send.resize(bytes / sizeof(float));
    buffers_.receive.resize(bytes / sizeof(float));
    const double begin = MPI_Wtime();
    sink_ = compute(probe);
    per_second_ = static_cast<double>(probe) / (MPI_Wtime() - begin);
  }

  // `computing`: in seconds; 0: as long as the call.
  void run(const Operation& operation, std::size_t bytes, int repeats, double computing) {
    std::vector<double> blocking, waited, computed, overlapped;
    int calls = 0;  // no two of which send the same
    const auto with_other_values = [&](auto&& body) {
      source_.fill(buffers_.send, rank_, calls++);
      return timed(body);
    };
    const auto waiting = [&] { operation.blocking(buffers_, operation.comms.waiting); };
    while (calls < calls_to_learn) with_other_values(waiting);
    for (int round = 0; round < repeats + 1; ++round) {
      const double alone = with_other_values(waiting);
      const double at_once = with_other_values([&] { start_and_wait(operation, 0); });
      const auto iterations =
          static_cast<long>(per_second_ * (computing > 0 ? computing : at_once));
      const double work = timed([&] { sink_ = sink_ + compute(iterations); });
      const double both = with_other_values([&] { start_and_wait(operation, iterations); });
      if (round == 0) continue;  // the first one agrees on what the others need
      blocking.push_back(alone);
      waited.push_back(at_once);
      computed.push_back(work);
      overlapped.push_back(both);
    }
    if (rank_ != 0) return;
    std::printf("row,%s,%zu,%d,%.6f,%.6f,%.6f,%.6f\n", operation.name, bytes, polls_,
                median(blocking), median(waited), median(computed), median(overlapped));
    std::fflush(stdout);
  }

 private:
  static constexpr long probe = 20'000'000;
  static constexpr int calls_to_learn = 30;  // what blocking calls find out

  template <class Body>
  static double timed(Body&& body) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    body();
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
  }

  void start_and_wait(const Operation& operation, long iterations) {
    MPI_Request request = MPI_REQUEST_NULL;
    operation.start(buffers_, operation.comms.at_once, &request);
    const int parts = polls_ + 1;
    for (int part = 0; part < parts && iterations > 0; ++part) {
      sink_ = sink_ + compute(iterations / parts);
      int done = 0;
      if (part + 1 < parts) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  int polls_;
  Source source_;
  int rank_ = 0;
  Buffers buffers_;
  double per_second_ = 0;
  volatile double sink_ = 0;
};

std::vector<Operation> operations(int count, int ranks, const Communicators& world,
                                  const Communicators& ring) {
  const int block = count / ranks;
  const int half = count / 2;
  return {
      {"allreduce", world,
       [=](Buffers& at, MPI_Comm comm) {
         MPI_Allreduce(at.send.data(), at.receive.data(), count, MPI_FLOAT, MPI_MAX, comm);
       },
       [=](Buffers& at, MPI_Comm comm, MPI_Request* request) {
         MPI_Iallreduce(at.send.data(), at.receive.data(), count, MPI_FLOAT, MPI_MAX, comm,
                        request);
       }},
      {"alltoall", world,
       [=](Buffers& at, MPI_Comm comm) {
         MPI_Alltoall(at.send.data(), block, MPI_FLOAT, at.receive.data(), block, MPI_FLOAT, comm);
       },
       [=](Buffers& at, MPI_Comm comm, MPI_Request* request) {
         MPI_Ialltoall(at.send.data(), block, MPI_FLOAT, at.receive.data(), block, MPI_FLOAT, comm,
                       request);
       }},
      {"neighbor_alltoall", ring,
       [=](Buffers& at, MPI_Comm comm) {
         MPI_Neighbor_alltoall(at.send.data(), half, MPI_FLOAT, at.receive.data(), half, MPI_FLOAT,
                               comm);
       },
       [=](Buffers& at, MPI_Comm comm, MPI_Request* request) {
         MPI_Ineighbor_alltoall(at.send.data(), half, MPI_FLOAT, at.receive.data(), half, MPI_FLOAT,
                                comm, request);
       }},
  };
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 6 && argc != 9) {
    std::fprintf(
        stderr, "usage: bench-overlap BYTES REPEATS POLLS waves|noise apart|shared [SECONDS...]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const bool noise = std::strcmp(argv[4], "noise") == 0;
  const bool shared = std::strcmp(argv[5], "shared") == 0;
  const auto bytes = static_cast<std::size_t>(std::atol(argv[1]));
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int around = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &around, 0, &ring);
  Measurement measurement(bytes, std::atoi(argv[3]), noise);
  const auto count = static_cast<int>(bytes / sizeof(float));
  const Communicators all(MPI_COMM_WORLD, shared);
  const Communicators neighbours(ring, shared);
  int number = 6;
  for (const Operation& each : operations(count, ranks, all, neighbours)) {
    measurement.run(each, bytes, std::atoi(argv[2]), argc > 6 ? std::atof(argv[number++]) : 0);
  }
  MPI_Finalize();
  return 0;
}
