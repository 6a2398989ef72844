// The communicators that schedules use, each with its ranks by their number in the world.
#pragma once

#include <mpi.h>

#include <vector>

namespace semantics {

struct Communicator {
  MPI_Comm handle = MPI_COMM_NULL;  // null on ranks outside
  std::vector<int> members;         // ranks of the world, in the order of their ranks here
  std::vector<int> side;            // of an intercommunicator: 0 or 1 for each member
  bool user_error_handler = false;  // else MPI_ERRORS_RETURN

  [[nodiscard]] bool between_groups() const { return !side.empty(); }
  [[nodiscard]] bool connects(int source, int destination) const;
  [[nodiscard]] bool has(int world_rank) const;
  // Within its own group for an intercommunicator.
  [[nodiscard]] int rank_of(int world_rank) const;
  // The inverse, as seen by `observer` in a status or an argument.
  [[nodiscard]] int world_rank(int rank, int observer) const;
};

class Communicators {
 public:
  // Collective over the world. Their number and membership are the same on all ranks.
  explicit Communicators(MPI_Comm world);
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;
  ~Communicators();

  [[nodiscard]] const std::vector<Communicator>& all() const { return all_; }
  [[nodiscard]] const Communicator& operator[](int i) const {
    return all_[static_cast<std::size_t>(i)];
  }
  // For tokens and what else must not meet the schedule's own messages.
  [[nodiscard]] MPI_Comm control() const { return control_; }

  // Replaces the last one, a duplicate, by a new duplicate. Collective.
  void renew();

 private:
  void add_split(MPI_Comm world, int color_of(int), int key_of(int));

  std::vector<Communicator> all_;
  MPI_Comm control_ = MPI_COMM_NULL;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

// How often a user's error handler was called on this thread since the last call of this, and the
// class of the last error.
struct HandlerCalls {
  int calls = 0;
  int error_class = MPI_SUCCESS;
};
[[nodiscard]] HandlerCalls take_handler_calls();

}  // namespace semantics
