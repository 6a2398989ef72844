// Around the work of one call that is compressed: it is measured, and its failures are raised.
#pragma once

#include <mpi.h>

#include <chrono>

#include "collective/transfer/slot.h"
#include "mpi/call.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// What the compressed form of a call leaves behind.
struct Work {
  policy::Plan plan;  // as planned; the body may correct it
  mpi::Health health;
  Traffic traffic;
  double largest_bound = 0;
};

// Runs `body(Work&)`, adds it to the statistics, and returns the code for the program.
template <class Body>
int measured(policy::Operation operation, const policy::Plan& plan, const mpi::CallName& name,
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
  return work.health.first() ? mpi::raise(*work.health.first(), name, comm) : MPI_SUCCESS;
}

}  // namespace tightwire::collective
