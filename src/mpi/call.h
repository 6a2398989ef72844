// Around every call of the program: exceptions become MPI errors, what is passed to MPI is counted.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <limits>

#include "mpi/error.h"
#include "policy/call.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {

// Runs `body`, which returns an MPI code; nothing escapes but such a code. Without memory the job
// ends.
template <class Body>
int guarded(const CallName& name, MPI_Comm comm, Body&& body) {
  return indispensable(name, comm, [&]() -> int {
    try {
      return body();
    } catch (const MpiError& error) {
      return raise(error, name, comm);
    }
  });
}

// Refers to whatever calls MPI's own function with the program's own arguments.
class PassThrough {
 public:
  template <class Callable>
  PassThrough(const Callable& callable)
      : callable_(&callable),
        call_([](const void* made) { return (*static_cast<const Callable*>(made))(); }) {}
  int operator()() const { return call_(callable_); }

 private:
  const void* callable_;
  int (*call_)(const void*);
};

// Passes the call to MPI unmodified: `body` does. Small messages go this way, so the clock is read
// only if somebody wants to know.
template <class Body>
int passed(policy::Operation operation, const CallName& name, Body&& body,
           policy::Reason why = policy::Reason::small) {
  runtime::Runtime& runtime = runtime::current();
  if (!runtime.reporting()) {
    runtime.statistics.count_passed(operation, why, name.counted(), 0);
    return body();
  }
  const bool all_are = runtime.smallest_compressed == std::numeric_limits<std::size_t>::max();
  if (all_are && why == policy::Reason::small) why = policy::Reason::off;
  const auto start = std::chrono::steady_clock::now();
  const int code = body();
  const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start;
  runtime.statistics.count_passed(operation, why, name.counted(),
                                  static_cast<std::uint64_t>(elapsed.count()));
  return code;
}

}  // namespace tightwire::mpi
