// Around the work of one call: exceptions become MPI errors, compressed calls are measured.
#pragma once

#include <mpi.h>

#include <chrono>

#include "collective/failure.h"
#include "collective/mailbox.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

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
  return work.health.first() ? raise(*work.health.first(), name, comm) : MPI_SUCCESS;
}

}  // namespace tightwire::collective
