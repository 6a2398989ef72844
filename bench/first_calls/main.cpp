// bench-first-calls: what the first calls of one kind take in a job that has learned nothing yet,
// in turns with plain MPI. Each call sends another part of the field, from the same buffer. Prints
// a row of
// ../first_calls.py's CSV for each number of calls.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "calibrate/measure/drain_burst.h"
#include "calibrate/measure/plain_mpi.h"
#include "calibrate/measure/timing.h"
#include "calibrate/measure/world.h"
#include "support/shared_field.h"

namespace tightwire::bench {
namespace {

constexpr std::size_t field_bytes = std::size_t{4} << 20;
constexpr std::array<std::size_t, 3> reported{10, 100, 1000};
// Connections are set up, and caches warm, before anything counts.
constexpr int plain_before = 20;

// Of blocks of `count` values.
using Call = std::function<void(const Functions&, const float* own, float* result, int count)>;

const std::map<std::string, Call>& calls() {
  static const std::map<std::string, Call> all{
      {"allreduce",
       [](const Functions& mpi, const float* own, float* result, int count) {
         mpi.allreduce(own, result, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
       }},
      {"bcast",
       [](const Functions& mpi, const float* own, float* result, int count) {
         if (world_rank() == 0) std::copy_n(own, count, result);
         mpi.bcast(result, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
       }},
      {"allgather",
       [](const Functions& mpi, const float* own, float* result, int count) {
         mpi.allgather(own, count, MPI_FLOAT, result, count, MPI_FLOAT, MPI_COMM_WORLD);
       }},
      {"alltoall",
       [](const Functions& mpi, const float* own, float* result, int count) {
         mpi.alltoall(own, count, MPI_FLOAT, result, count, MPI_FLOAT, MPI_COMM_WORLD);
       }},
  };
  return all;
}

class Job {
 public:
  Job(const Call& call, std::span<const float> field, std::size_t bytes)
      : call_(&call),
        field_(field),
        count_(bytes / sizeof(float)),
        own_(count_ * static_cast<std::size_t>(world_size())),
        result_(own_.size()) {}

  void run(std::size_t calls) {
    for (int i = 0; i < plain_before; ++i) static_cast<void>(time(plain_mpi(), 0));
    std::mt19937 random;  // NOLINT(bugprone-random-generator-seed): the same on all ranks
    for (std::size_t i = 0; i < calls; ++i) {
      const bool plain_first = random() % 2 == 0;
      if (plain_first) plain_.push_back(time(plain_mpi(), i));
      ours_.push_back(time(called_by_programs(), i));
      if (!plain_first) plain_.push_back(time(plain_mpi(), i));
    }
    reduce_to_slowest(plain_);
    reduce_to_slowest(ours_);
  }

  void print() const {
    for (const std::size_t calls : reported) {
      if (calls > ours_.size()) continue;
      const auto first = [&](const std::vector<double>& all) {
        return sum(std::span(all).first(calls));
      };
      std::printf("%zu,%.4f,%.4f,%.4f\n", calls, 1e3 * first(plain_), 1e3 * first(ours_),
                  first(ours_) / first(plain_));
    }
  }

  // Of the last quarter of the calls, when all is learned.
  void print_later() const {
    const auto later = [](const std::vector<double>& all) {
      return median(
          std::vector(all.end() - static_cast<std::ptrdiff_t>(all.size() / 4), all.end()));
    };
    std::printf("later,%.4f,%.4f,%.4f\n", 1e3 * later(plain_), 1e3 * later(ours_),
                later(ours_) / later(plain_));
  }

 private:
  double time(const Functions& functions, std::size_t number) {
    std::copy_n(part(number), own_.size(), own_.begin());
    drain_burst(count_ * sizeof(float));
    MPI_Barrier(MPI_COMM_WORLD);
    return seconds_of(
        [&] { (*call_)(functions, own_.data(), result_.data(), static_cast<int>(count_)); });
  }

  // What a rank sends moves on through the field.
  [[nodiscard]] const float* part(std::size_t number) const {
    const std::size_t room = field_.size() - own_.size();
    const std::size_t place = number * 1021 + 7919 * static_cast<std::size_t>(world_rank());
    return field_.data() + place % room;
  }

  static void reduce_to_slowest(std::vector<double>& seconds) {
    plain_mpi().allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()),
                          MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }

  static double sum(std::span<const double> seconds) {
    double all = 0;
    for (const double each : seconds) all += each;
    return all;
  }

  const Call* call_;
  std::span<const float> field_;
  std::size_t count_;
  std::vector<float> own_;
  std::vector<float> result_;
  std::vector<double> plain_;
  std::vector<double> ours_;
};

struct Arguments {
  std::string operation;
  std::string field;
  std::string folder;
  std::size_t bytes = 0;
  std::size_t calls = 0;

  [[nodiscard]] bool valid() const {
    return bench::calls().contains(operation) && fields::find(field) != nullptr &&
           bytes >= sizeof(float) && bytes * static_cast<std::size_t>(world_size()) < field_bytes &&
           calls >= 4;
  }
};

int measure(const Arguments& arguments) {
  const fields::Field field = shared_field(arguments.field, field_bytes, arguments.folder);
  Job job(calls().at(arguments.operation), field.values<float>(), arguments.bytes);
  job.run(arguments.calls);
  if (world_rank() != 0) return 0;
  std::puts("calls,plain_ms,ours_ms,ours_over_plain");
  job.print();
  job.print_later();
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  tightwire::bench::Arguments arguments;
  if (argc == 6) {
    arguments = {argv[1], argv[2], argv[3], std::strtoull(argv[4], nullptr, 10),
                 std::strtoull(argv[5], nullptr, 10)};
  }
  const bool good = arguments.valid();
  if (!good) {
    std::fputs("usage: bench-first-calls OPERATION FIELD FOLDER BYTES CALLS\n", stderr);
  }
  const int code = good ? tightwire::bench::measure(arguments) : 2;
  MPI_Finalize();
  return code;
}
