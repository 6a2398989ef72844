#include "runtime/start/presence.h"

#include <mpi.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "runtime/exit_code.h"
#include "runtime/log.h"

namespace tightwire::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// How long those who are here have to tell each other so, once the time is up.
constexpr std::chrono::seconds roll_call{2};
constexpr int roll_call_tag = 20161;
// One of these ranks speaks for all: the first that is here.
constexpr int speakers = 8;

// Polls until `done`, at first often and then a thousand times a second. False if time ran out.
bool poll_until(Clock::time_point deadline, const std::function<bool()>& done) {
  const auto start = Clock::now();
  while (!done()) {
    const auto now = Clock::now();
    if (now > deadline) return false;
    if (now - start > std::chrono::milliseconds(10)) ::poll(nullptr, 0, 1);
  }
  return true;
}

// Whom this rank has heard of since the time was up. Only the first `speakers` ranks hear anything.
class RollCall {
 public:
  RollCall() {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    here_.resize(static_cast<std::size_t>(ranks_));
    here_[static_cast<std::size_t>(rank_)] = true;
  }

  // Messages of no bytes: whoever does not expect them leaves them where they are.
  void answer() const {
    for (int to = 0; to < std::min(speakers, ranks_); ++to) {
      if (to == rank_) continue;
      MPI_Request request = MPI_REQUEST_NULL;
      PMPI_Isend(nullptr, 0, MPI_BYTE, to, roll_call_tag, MPI_COMM_WORLD, &request);
      PMPI_Request_free(&request);
    }
  }

  void listen() {
    for (;;) {
      int arrived = 0;
      MPI_Status status;
      PMPI_Iprobe(MPI_ANY_SOURCE, roll_call_tag, MPI_COMM_WORLD, &arrived, &status);
      if (arrived == 0) return;
      PMPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, roll_call_tag, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
      here_[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
    }
  }

  [[nodiscard]] bool hears() const { return rank_ < speakers; }
  [[nodiscard]] bool complete() const {
    return std::find(here_.begin(), here_.end(), false) == here_.end();
  }
  // The first that is here: no other speaks before this rank.
  [[nodiscard]] bool speaks() const {
    return std::find(here_.begin(), here_.end(), true) - here_.begin() == rank_;
  }

  // "rank 3", "ranks 3, 5", "ranks 3, 5, 6, 7 and 40 more"
  [[nodiscard]] std::string missing() const {
    constexpr std::size_t listed = 10;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < here_.size(); ++i) {
      if (!here_[i]) names.push_back(std::to_string(i));
    }
    std::string text = names.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < std::min(names.size(), listed); ++i) {
      text += (i == 0 ? "" : ", ") + names[i];
    }
    if (names.size() > listed) text += " and " + std::to_string(names.size() - listed) + " more";
    return text;
  }

 private:
  int rank_ = 0;
  int ranks_ = 1;
  std::vector<bool> here_;
};

[[noreturn]] void end_job(const std::string& who, std::chrono::seconds limit) {
  log_last_words("there is no tightwire in " + who + " of this job (it was waited for " +
                 std::to_string(limit.count()) +
                 " s): put tightwire in front of every program of the job, or of none");
  PMPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace

void await_everybody(std::chrono::seconds limit) {
  MPI_Request barrier = MPI_REQUEST_NULL;
  // Nobody else's data can be mistaken for a barrier's; and no blocking collective of a rank
  // without tightwire is taken for a non-blocking one.
  PMPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  const auto everybody = [&barrier] {
    int done = 0;
    PMPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    return done != 0;
  };
  if (poll_until(Clock::now() + limit, everybody)) return;

  RollCall call;
  for (;;) {
    call.answer();
    const auto here = [&] {
      if (call.hears()) call.listen();
      return everybody();
    };
    if (poll_until(Clock::now() + roll_call, here)) return;
    // All are here, only late: the barrier will come.
    if (call.hears() && call.speaks() && !call.complete()) end_job(call.missing(), limit);
    if (call.hears()) continue;
    // Whoever speaks has ended the job by then, unless none of them is here.
    if (poll_until(Clock::now() + limit, everybody)) return;
    end_job("the first " + std::to_string(speakers) + " ranks", limit);
  }
}

}  // namespace tightwire::runtime
