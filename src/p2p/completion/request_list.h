// The requests of one completion call.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "mpi/operation.h"
#include "p2p/request/request.h"

namespace tightwire::p2p {

// A list of requests as a completion call is given it, told apart into the program's own, which MPI
// completes, and those that tightwire has a part in.
class RequestList {
 public:
  RequestList(int count, MPI_Request* handles);

  [[nodiscard]] int size() const { return static_cast<int>(ours_.size()); }
  // The active one of ours at a place, or nullptr.
  [[nodiscard]] Request* ours(int place) const { return ours_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] bool has_ours() const { return has_ours_; }
  [[nodiscard]] bool is_other(int place) const {
    return is_other_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] bool has_others() const { return has_others_; }
  // Of ours, whether active or not.
  [[nodiscard]] bool has_persistent() const { return has_persistent_; }
  [[nodiscard]] bool is_mpis_alone() const { return !has_ours_ && !has_persistent_; }
  // All as the program has them: for MPI once none of ours is active, unless one is persistent.
  [[nodiscard]] MPI_Request* handles() { return given_; }
  // For MPI's own functions: ours are MPI_REQUEST_NULL here.
  [[nodiscard]] MPI_Request* others() { return handles_.data(); }
  // Moves them on: generalised requests may advance only when they are looked at themselves. None
  // is completed, unless one has failed: MPICH then completes all that are done.
  void advance_others();
  // Whether that has happened, and the outcome of those completed so.
  [[nodiscard]] bool any_known() const { return !known_.empty(); }
  [[nodiscard]] std::optional<mpi::Outcome> known(int place) const {
    return any_known() ? known_[static_cast<std::size_t>(place)] : std::nullopt;
  }
  // Completes those that can be: a generalised request is queried then, which it should be once. A
  // call that waits for all may.
  void complete_some_others();
  // After one of MPI's functions: what it made of the program's handles.
  void take_back_others();

  // The program's error handler has been called in this call: it is called once.
  void mute() { has_failed_ = true; }
  // The same of one of ours as the functions below.
  [[nodiscard]] bool progress(int place);
  [[nodiscard]] mpi::Outcome finish(int place);

 private:
  void look_at_others();
  void keep_outcomes();
  void know(int place, const MPI_Status& status, int code);

  MPI_Request* given_;
  std::vector<MPI_Request> handles_;
  std::vector<Request*> ours_;
  std::vector<bool> is_other_;
  std::vector<MPI_Status> statuses_;
  std::vector<std::optional<mpi::Outcome>> known_;
  bool has_ours_ = false;
  bool has_others_ = false;
  bool has_persistent_ = false;
  bool has_failed_ = false;  // one of ours
};

// The active one of ours that has this handle, or nullptr. What is no handle is for MPI to complain
// of.
[[nodiscard]] Request* find_active(const MPI_Request* handle);
// Whether all of so many requests are MPI's alone, as the number tells, or that there are no
// others.
[[nodiscard]] bool has_none_of_ours(int count);

// Does what can be done now for one of ours; true once finish() may be called. An error handler
// that runs meanwhile, and may jump, finds the program's handle as after the failed call.
[[nodiscard]] bool progress(Request& request, MPI_Request& handle);
// The same for one of several in a call, of which one has failed: the program's error handler is
// called once.
[[nodiscard]] bool progress(Request& request, MPI_Request& handle, bool& has_failed);
// Waits for a request and collects what came of it, as its function in MPI would: the handle
// becomes MPI_REQUEST_NULL, or inactive if persistent.
[[nodiscard]] mpi::Outcome finish(Request& request, MPI_Request& handle);
// The same, for the program. Returns the code for it.
int finish(Request& request, MPI_Request& handle, MPI_Status* status);

}  // namespace tightwire::p2p
