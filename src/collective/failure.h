// What can go wrong inside a compressed collective, and how the program hears of it.
//
// Two kinds. An MPI function fails: MpiError is thrown and ends the call. A frame can't be used:
// the first such Failure is noted, but the rank goes on with the protocol and sends failure frames
// where data was due, so that no other rank waits for ever; at the end every rank that lacks data
// reports.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>

#include "wire/pack.h"

namespace tightwire::collective {

struct MpiError {
  int code;
};

// Throws MpiError unless `code` is MPI_SUCCESS.
void check(int code);

struct Failure {
  wire::Problem problem;
  int sender;              // rank whose frame it was
  std::uint32_t sequence;  // place of the frame in the message
  wire::Origin origin;     // Problem::peer_failed: what it began with
};

// The first failure of one collective call on this rank.
class Health {
 public:
  // True if there was nothing wrong.
  bool note(const wire::Unpacked& result, int sender, std::uint32_t sequence);
  void note(const Failure& failure);
  [[nodiscard]] bool failed() const { return first_.has_value(); }
  // What to name in the failure frames that this rank sends; only where failed().
  [[nodiscard]] wire::Origin origin(int own_rank) const;
  [[nodiscard]] const std::optional<Failure>& first() const { return first_; }

 private:
  std::optional<Failure> first_;
};

// Writes what happened to standard error, raises it on `comm` through its error handler, and
// returns the code for the program. `call` is "MPI_Allreduce of 4194304 bytes".
int raise(const Failure& failure, const std::string& call, MPI_Comm comm);
int raise(const MpiError& error, const std::string& call, MPI_Comm comm);

// Says that there is no memory for the call, and ends the job.
int end_without_memory(const std::string& call, MPI_Comm comm);

}  // namespace tightwire::collective
