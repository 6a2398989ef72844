// Around the work of one call: exceptions become MPI errors, compressed calls are measured.
#pragma once

#include <mpi.h>

#include <chrono>
#include <new>
#include <string>

#include "collective/failure.h"
#include "collective/mailbox.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// How a call is named in messages.
struct CallName {
  const char* function;  // "MPI_Allreduce"
  std::size_t bytes;
  [[nodiscard]] std::string text() const {
    return std::string(function) + " of " + std::to_string(bytes) + " bytes";
  }
};

// Runs `body`, which returns an MPI code; nothing escapes but such a code.
template <class Body>
int guarded(const CallName& name, MPI_Comm comm, Body&& body) {
  try {
    return body();
  } catch (const MpiError& error) {
    return raise(error, name.text(), comm);
  } catch (const std::bad_alloc&) {
    return raise(MpiError{MPI_ERR_NO_MEM}, name.text(), comm);
  }
}

// The same for a call in which other ranks wait for this one. Without memory it can neither do its
// part nor stay in step, so the job ends whatever the error handler.
template <class Body>
int guarded_collective(const CallName& name, MPI_Comm comm, Body&& body) {
  return guarded(name, comm, [&]() -> int {
    try {
      return body();
    } catch (const std::bad_alloc&) {
      return end_without_memory(name.text(), comm);
    }
  });
}

// Hands the call to MPI as it came: `body` does. Small messages go this way, so the clock is read
// only if somebody wants to know.
template <class Body>
int passed(policy::Operation operation, const CallName& name, Body&& body) {
  runtime::Runtime& runtime = runtime::current();
  if (!runtime.reporting()) {
    runtime.statistics.count_passed(operation, name.bytes, 0);
    return body();
  }
  const auto start = std::chrono::steady_clock::now();
  const int code = body();
  const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start;
  runtime.statistics.count_passed(operation, name.bytes,
                                  static_cast<std::uint64_t>(elapsed.count()));
  return code;
}

// What the compressed form of a call leaves behind.
struct Work {
  policy::Plan plan;  // as planned; the body may correct it
  Health health;
  Traffic traffic;
  double largest_bound = 0;
};

// Runs `body(Work&)`, adds it to the statistics, and returns the code for the program.
template <class Body>
int measured(policy::Operation operation, const policy::Plan& plan, const CallName& name,
             MPI_Comm comm, Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  Work work{plan, {}, {}, 0};
  body(work);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  runtime::Statistics& statistics = runtime::current().statistics;
  if (work.plan.tier == policy::Tier::raw) {
    statistics.count_passed(operation, name.bytes,
                            static_cast<std::uint64_t>(1e9 * elapsed.count()));
  } else {
    statistics.add({operation, work.plan, 1, name.bytes, work.traffic.bytes_before,
                    work.traffic.bytes_after, elapsed.count(), work.largest_bound});
  }
  return work.health.first() ? raise(*work.health.first(), name.text(), comm) : MPI_SUCCESS;
}

}  // namespace tightwire::collective
