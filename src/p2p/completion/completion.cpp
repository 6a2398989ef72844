#include "p2p/completion/completion.h"

#include <algorithm>
#include <vector>

#include "mpi/operation.h"
#include "mpi/status.h"
#include "os/waiting/spin_then_sleep.h"
#include "p2p/request/request.h"

namespace tightwire::p2p {
namespace {

// What MPI at hand makes of MPI_ERROR in the statuses of a list in which nothing failed. The
// standard leaves it open (MPI 4.0, section 3.7.5), and programs look at it all the same.
enum class Successes : bool { left, set };
#ifdef OPEN_MPI
constexpr Successes unless_waitall = Successes::set;
#else
constexpr Successes unless_waitall = Successes::left;
#endif

// The statuses of a list as they become known, and the code for the program.
class Results {
 public:
  explicit Results(int count) : outcomes_(static_cast<std::size_t>(count)) {}

  void set(int place, const mpi::Outcome& outcome) {
    outcomes_[static_cast<std::size_t>(place)] = outcome;
    failed_ = failed_ || outcome.code != MPI_SUCCESS;
  }

  void resize(std::size_t count) { outcomes_.resize(count); }

  int give_to(MPI_Status* statuses, Successes successes) const {
    for (std::size_t i = 0; statuses != MPI_STATUSES_IGNORE && i < outcomes_.size(); ++i) {
      mpi::give(outcomes_[i].status, &statuses[i]);
      if (failed_ || successes == Successes::set) statuses[i].MPI_ERROR = outcomes_[i].code;
    }
    return failed_ ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
  }

 private:
  std::vector<mpi::Outcome> outcomes_;
  bool failed_ = false;
};

int error_class(int code) {
  int result = MPI_SUCCESS;
  PMPI_Error_class(code, &result);
  return result;
}

// Unless the call failed as a whole.
bool has_statuses(int code) {
  return code == MPI_SUCCESS || error_class(code) == MPI_ERR_IN_STATUS;
}

int code_in(int code, const MPI_Status& status) {
  return code == MPI_SUCCESS ? MPI_SUCCESS : status.MPI_ERROR;
}

// Once ours are complete: MPI works on the program's handles if it can, so that they are right even
// if an error handler jumps out of this.
int complete_others(RequestList& list, MPI_Status* statuses) {
  if (!list.has_persistent()) return PMPI_Waitall(list.size(), list.handles(), statuses);
  const int code = PMPI_Waitall(list.size(), list.others(), statuses);
  list.take_back_others();
  return code;
}

int wait_for_others(RequestList& list, Results& results) {
  std::vector<MPI_Status> statuses(static_cast<std::size_t>(list.size()));
  const int code = complete_others(list, statuses.data());
  if (!has_statuses(code)) return code;
  for (int place = 0; place < list.size(); ++place) {
    const MPI_Status& status = statuses[static_cast<std::size_t>(place)];
    if (list.ours(place) != nullptr) continue;
    results.set(place, list.known(place).value_or(mpi::Outcome{status, code_in(code, status)}));
  }
  return MPI_SUCCESS;
}

// One of the program's own has failed while others are active, as MPI tells of that.
int give_known(RequestList& list, MPI_Status* statuses) {
  list.take_back_others();
  Results results(list.size());
  for (int place = 0; place < list.size(); ++place) {
    if (list.ours(place) == nullptr && !list.is_other(place)) continue;
    results.set(place, list.known(place).value_or(mpi::Outcome{{}, MPI_ERR_PENDING}));
  }
  return results.give_to(statuses, unless_waitall);
}

}  // namespace

// Ours first, each as soon as it is there: what is decoded meanwhile hides behind the transfer of
// the others. While one of those is active, nothing waits for ours alone.
int wait_for_all(RequestList& list, MPI_Status* statuses) {
  Results results(list.size());
  std::vector<int> waiting;
  for (int place = 0; place < list.size(); ++place) {
    if (list.ours(place) != nullptr) waiting.push_back(place);
  }
  os::SpinThenSleep spin(os::SpinThenSleep::Naps::after_yields);
  while (waiting.size() > 1 || (!waiting.empty() && list.has_others())) {
    const std::size_t before = waiting.size();
    std::erase_if(waiting, [&](int place) {
      if (!list.progress(place)) return false;
      results.set(place, list.finish(place));
      return true;
    });
    if (waiting.size() != before) continue;
    list.complete_some_others();
    spin.pause();
  }
  for (const int place : waiting) results.set(place, list.finish(place));
  const int code = wait_for_others(list, results);
  return code != MPI_SUCCESS ? code : results.give_to(statuses, Successes::set);
}

int test_all(RequestList& list, int* flag, MPI_Status* statuses) {
  bool complete = true;
  for (int place = 0; place < list.size(); ++place) {
    if (list.ours(place) != nullptr && !list.progress(place)) complete = false;
  }
  *flag = 0;
  if (!complete) {
    list.advance_others();
    return list.any_known() ? give_known(list, statuses) : MPI_SUCCESS;
  }
  std::vector<MPI_Status> others(static_cast<std::size_t>(list.size()));
  const int code = PMPI_Testall(list.size(), list.others(), flag, others.data());
  if (!has_statuses(code) || (code == MPI_SUCCESS && *flag == 0)) return code;
  *flag = 1;
  list.take_back_others();
  Results results(list.size());
  for (int place = 0; place < list.size(); ++place) {
    const MPI_Status& status = others[static_cast<std::size_t>(place)];
    results.set(place, list.ours(place) != nullptr ? list.finish(place)
                                                   : mpi::Outcome{status, code_in(code, status)});
  }
  return results.give_to(statuses, unless_waitall);
}

int test_any(RequestList& list, int* index, int* flag, MPI_Status* status) {
  for (int place = 0; place < list.size(); ++place) {
    if (list.ours(place) == nullptr || !list.progress(place)) continue;
    const mpi::Outcome outcome = list.finish(place);
    *index = place;
    *flag = 1;
    mpi::give(outcome.status, status);
    return outcome.code;
  }
  MPI_Status found{};
  const int code = PMPI_Testany(list.size(), list.others(), index, flag, &found);
  list.take_back_others();
  if (*index == MPI_UNDEFINED && list.has_ours()) {
    *flag = 0;
  } else if (*flag != 0) {
    mpi::give(found, status);
  }
  return code;
}

int test_some(RequestList& list, int* outcount, int* indices, MPI_Status* statuses) {
  std::vector<int> places(static_cast<std::size_t>(list.size()));
  std::vector<MPI_Status> others(places.size());
  int found = 0;
  const int code = PMPI_Testsome(list.size(), list.others(), &found, places.data(), others.data());
  list.take_back_others();
  if (!has_statuses(code)) return code;
  places.resize(found == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(found));
  Results results(list.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    results.set(static_cast<int>(i), {others[i], code_in(code, others[i])});
  }
  for (int place = 0; place < list.size(); ++place) {
    if (list.ours(place) == nullptr || !list.progress(place)) continue;
    results.set(static_cast<int>(places.size()), list.finish(place));
    places.push_back(place);
  }
  const bool has_none = found == MPI_UNDEFINED && !list.has_ours();
  *outcount = has_none ? MPI_UNDEFINED : static_cast<int>(places.size());
  std::copy(places.begin(), places.end(), indices);
  results.resize(places.size());
  return results.give_to(statuses, unless_waitall);
}

}  // namespace tightwire::p2p
