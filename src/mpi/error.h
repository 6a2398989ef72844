// What can go wrong inside a compressed collective, and how the program hears of it.
//
// Three kinds. An MPI function fails: MpiError is thrown and ends the call. A frame can't be used:
// the first such Failure is noted, but the rank goes on with the protocol and sends failure frames
// where data was due, so that no other rank waits for ever; at the end every rank that lacks data
// reports. And there is no memory: a rank that lacks it can neither do its part nor stay in step
// with the others, so the job ends, whatever the error handler.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>

#include "wire/pack.h"

namespace tightwire::mpi {

struct MpiError {
  int code;
  std::string what{};  // more than MPI says of it, if anything is known
};

// Throws MpiError unless `code` is MPI_SUCCESS.
void check(int code);

// Calls the program's error handler, which may call MPI, and may leave by longjmp().
void call_error_handler(MPI_Comm comm, int code);

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

// How a call is named in messages.
struct CallName {
  const char* function;   // "MPI_Recv"
  std::size_t bytes = 0;  // 0: not told of
  // Between two ranks.
  const char* direction = nullptr;  // "from", "to"
  int peer = 0;                     // or MPI_ANY_SOURCE
  std::size_t blocks = 1;           // of so many bytes each

  // What statistics count.
  [[nodiscard]] std::size_t counted() const { return blocks * bytes; }

  // "MPI_Recv of 4194304 bytes from rank 3"
  [[nodiscard]] std::string text() const;
};

// Writes what happened to standard error, raises it on `comm` through its error handler, and
// returns the code for the program. Throw std::bad_alloc.
int raise(const Failure& failure, const CallName& call, MPI_Comm comm);
int raise(const MpiError& error, const CallName& call, MPI_Comm comm);
// Where `what` says more than MPI does.
int raise(const MpiError& error, const std::string& what, const CallName& call, MPI_Comm comm);

// Says that there is no memory for the call, and ends the job. Needs none itself.
[[noreturn]] void end_without_memory(const CallName& call, MPI_Comm comm) noexcept;

// Runs `body`; without memory for it the job ends, before anything that stands outside of `body` is
// destroyed: MPI may be writing to it.
template <class Body>
decltype(auto) indispensable(const CallName& call, MPI_Comm comm, Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    end_without_memory(call, comm);
  }
}

}  // namespace tightwire::mpi
