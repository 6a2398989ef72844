// Random schedules of messages: performs those of the seeds S to S + N - 1, and writes what the
// standard determines of their outcome to FOLDER/rank-R.log. The same seeds must give the same logs
// under any MPI library that keeps its promises, whatever is preloaded.
//
//   check_semantics --seed=S --count=N --folder=FOLDER [--threshold=BYTES] [--largest=BYTES]
//                   [--threads=K] [--bound=X] [--fault=KIND]
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "generate.h"
#include "options.h"
#include "perform.h"

namespace {

using semantics::Communicators;
using semantics::Options;

constexpr std::size_t buffered_bytes = std::size_t{64} << 20;

class Runner {
 public:
  explicit Runner(const Options& options) : options_(options) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    log_.open("rank-" + std::to_string(rank_) + ".log");
    if (!log_) {
      std::fprintf(stderr, "check_semantics: cannot write to '%s'\n", options.folder.c_str());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int t = 0; t < options.threads; ++t) {
      comms_.push_back(std::make_unique<Communicators>(MPI_COMM_WORLD));
    }
  }

  void run() {
    for (std::uint64_t i = 0; i < options_.count; i += comms_.size()) {
      // Communicators come and go while others are in use.
      if (i % 16 == 0) {
        for (auto& comms : comms_) comms->renew();
      }
      run_together(options_.seed + i, std::min<std::uint64_t>(comms_.size(), options_.count - i));
    }
  }

 private:
  // A thread for each of the schedules; the first has this one.
  void run_together(std::uint64_t seed, std::size_t schedules) {
    for (std::size_t t = 0; t < schedules; ++t) log_ << "begins " << seed + t << '\n';
    log_.flush();
    std::vector<std::vector<std::string>> lines(schedules);
    std::vector<std::thread> threads;
    for (std::size_t t = 1; t < schedules; ++t) {
      threads.emplace_back([&, t] { lines[t] = one(seed + t, *comms_[t]); });
    }
    lines[0] = one(seed, *comms_[0]);
    for (std::thread& thread : threads) thread.join();
    for (std::size_t t = 0; t < schedules; ++t) {
      log_ << "schedule " << seed + t << '\n';
      for (const std::string& line : lines[t]) log_ << line << '\n';
    }
  }

  std::vector<std::string> one(std::uint64_t seed, const Communicators& comms) {
    const semantics::Schedule schedule =
        semantics::generate(seed, options_.limits, comms.all(), ranks_);
    return semantics::perform(schedule, rank_, comms, options_.judge);
  }

  Options options_;
  int rank_ = 0;
  int ranks_ = 1;
  std::ofstream log_;
  std::vector<std::unique_ptr<Communicators>> comms_;
};

}  // namespace

int main(int argc, char** argv) {
  const Options options = semantics::parse(argc, argv);
  // Its ranks' files go there, too.
  if (chdir(options.folder.c_str()) != 0) std::perror(options.folder.c_str());
  int provided = MPI_THREAD_SINGLE;
  const int wanted = options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  if (provided < wanted) {
    std::fprintf(stderr, "check_semantics: this MPI gives no MPI_THREAD_MULTIPLE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  std::vector<char> buffered(buffered_bytes);
  MPI_Buffer_attach(buffered.data(), static_cast<int>(buffered.size()));
  Runner(options).run();
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(&detached, &size);
  MPI_Finalize();
  return detached == buffered.data() && size == static_cast<int>(buffered_bytes) ? 0 : 1;
}
