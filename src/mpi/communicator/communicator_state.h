// What tightwire keeps for a communicator of the program: one attribute of it, so that it goes when
// the communicator goes. Each part is made when it is first needed.
#pragma once

#include <mpi.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "mpi/communicator/communicator.h"
#include "mpi/communicator/communicator_settings.h"
#include "mpi/communicator/learned.h"
#include "mpi/communicator/route.h"
#include "mpi/neighbours.h"

namespace tightwire::mpi {

// Asked of MPI once.
struct Membership {
  int rank = 0;
  int size = 0;
  bool is_inter = false;
  int others = 0;  // ranks of the other group
};

class CommunicatorState {
 public:
  CommunicatorState() = default;
  CommunicatorState(const CommunicatorState&) = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;
  ~CommunicatorState() = default;

  // The settings in force. Thread safe.
  [[nodiscard]] CommunicatorSettings& settings() { return settings_; }

  // Who is across the network. Made without talking, by any of several threads; `comm` is the
  // communicator that this is the state of. Throws MpiError.
  [[nodiscard]] Route& route(MPI_Comm comm);

  // This rank's place in it. Thread safe. Throws MpiError.
  [[nodiscard]] const Membership& membership(MPI_Comm comm);

  // Of a topology; nullptr where it has none. Local; for collective calls. Throws MpiError.
  [[nodiscard]] const std::shared_ptr<Neighbours>& neighbours(MPI_Comm comm);

  // The ways of collectives, and what they have learned on it. All ranks must come here in the same
  // call: with Tags::agreed in one that may wait for the others. Throws MpiError.
  [[nodiscard]] const std::shared_ptr<Communicator>& communicator(const Participants& participants,
                                                                  Tags tags);
  // Of all ranks.
  [[nodiscard]] const std::shared_ptr<Communicator>& made_communicator() const {
    return all_.communicator;
  }
  [[nodiscard]] Communicator* known_communicator() const { return made_communicator().get(); }

  // Whether nothing is looked at of a short collective that waits, which is counted. Of one group;
  // alike on all its ranks.
  [[nodiscard]] bool leaves_short_call_alone() {
    if (short_calls_left_ == 0) return false;
    --short_calls_left_;
    return true;
  }
  void leave_short_calls_alone(std::size_t calls) { short_calls_left_ = calls; }

  // The program frees its communicator: requests keep the route, and started collectives more.
  void release();

 private:
  CommunicatorSettings settings_;
  std::mutex mutex_;
  std::shared_ptr<Route> route_;
  std::atomic<Route*> made_route_{nullptr};
  Membership membership_;
  std::atomic<bool> has_membership_{false};
  std::optional<std::shared_ptr<Neighbours>> neighbours_;
  std::size_t short_calls_left_ = policy::ShortCalls::first_left_alone;
  struct Ways {
    std::unique_ptr<Learned> learned;
    std::shared_ptr<Communicator> communicator;
  };
  Ways all_;                      // of all ranks
  std::map<int, Ways> of_roots_;  // of an intercommunicator, in Bcast
};

// Made at the first look. Thread safe. Throws MpiError.
[[nodiscard]] CommunicatorState& state_of(MPI_Comm comm);
// nullptr where there has been no look at it yet. Throws MpiError.
[[nodiscard]] CommunicatorState* find_state(MPI_Comm comm);

// Gives back what the never-freed MPI_COMM_WORLD holds. Before MPI_Finalize.
void release_world();

}  // namespace tightwire::mpi
