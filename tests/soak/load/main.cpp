// soak_load SECONDS [OPERATIONS]: a mixture of messages and collectives, of random sizes and on
// communicators that come and go, until the time is up or so many are done; every value checked,
// memory watched. Knows nothing of Tightwire.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "draw.h"
#include "memory.h"
#include "operations.h"

namespace load {
namespace {

constexpr std::uint64_t between_samples = 500;  // operations
constexpr double between_reports = 10;          // seconds
constexpr double warm_up = 0.25;                // part of the work

struct Goal {
  double seconds;
  std::uint64_t operations;
};

// A duplicate, the odd and the even ranks, or all in reverse.
MPI_Comm new_communicator(std::uint64_t kind) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm = MPI_COMM_NULL;
  switch (kind % 3) {
    case 0:
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      break;
    case 1:
      MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
      break;
    default:
      MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
  }
  return comm;
}

class Soak {
 public:
  explicit Soak(const Goal& goal) : goal_(goal), start_(MPI_Wtime()) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }

  bool run() {
    std::array<MPI_Comm, 4> comms{MPI_COMM_WORLD};
    for (std::size_t i = 1; i < comms.size(); ++i) comms[i] = new_communicator(i);
    Draw draw(7);
    std::uint64_t operation = 0;
    for (; !done(operation); ++operation) {
      const std::size_t which = draw.below(comms.size());
      if (which > 0 && draw.below(50) == 0) {
        MPI_Comm_free(&comms[which]);
        comms[which] = new_communicator(draw.below(3));
      }
      perform(operation, comms[which], work_);
    }
    for (std::size_t i = 1; i < comms.size(); ++i) MPI_Comm_free(&comms[i]);
    return judge(operation);
  }

 private:
  // Rank 0's clock decides for all, from time to time.
  bool done(std::uint64_t operation) {
    if (operation % between_samples != 0) return false;
    double part = std::max((MPI_Wtime() - start_) / goal_.seconds,
                           static_cast<double>(operation) / static_cast<double>(goal_.operations));
    MPI_Bcast(&part, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (operation > 0) memory_.sample(part < warm_up || operation == between_samples);
    const double now = MPI_Wtime();
    if (rank_ == 0 && (now >= next_report_ || part >= 1)) {
      next_report_ = now + between_reports;
      std::printf("%3.0f %%, %llu operations, %.0f s, %zu MiB\n", 100 * std::min(part, 1.0),
                  static_cast<unsigned long long>(operation), now - start_, resident_bytes() >> 20);
      std::fflush(stdout);
    }
    return part >= 1;
  }

  bool judge(std::uint64_t operations) const {
    std::array<unsigned long long, 2> sums{work_.messages, work_.wrong};
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), sums.size(), MPI_UNSIGNED_LONG_LONG, MPI_SUM,
                  MPI_COMM_WORLD);
    int flat = memory_.flat() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &flat, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!memory_.flat()) {
      std::printf("rank %d: memory grew from %zu to %zu MiB\n", rank_, memory_.first() >> 20,
                  memory_.later() >> 20);
    }
    if (rank_ == 0) {
      std::printf("%llu operations, %llu messages, %llu wrong values, memory %s\n",
                  static_cast<unsigned long long>(operations), sums[0], sums[1],
                  flat == 1 ? "flat" : "growing");
    }
    return sums[1] == 0 && flat == 1;
  }

  Goal goal_;
  double start_;
  double next_report_ = 0;
  int rank_ = 0;
  Work work_;
  Memory memory_;
};

}  // namespace
}  // namespace load

int main(int count, char** words) {
  MPI_Init(&count, &words);
  if (count < 2) {
    std::fprintf(stderr, "usage: soak_load SECONDS [OPERATIONS]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const load::Goal goal{std::strtod(words[1], nullptr),
                        count > 2 ? std::strtoull(words[2], nullptr, 10) : ~std::uint64_t{0}};
  const bool good = load::Soak(goal).run();
  MPI_Finalize();
  return good ? 0 : 1;
}
