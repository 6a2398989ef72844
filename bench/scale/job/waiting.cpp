// Waits of simulated ranks sleep in simulated time only: all ranks take turns in one thread, so
// that real naps of one look to the others as if someone wanted their core, and they would all nap
// from then on, while simulated time stands still. This stands for
// os/waiting/spin_then_sleep.cpp, which is not linked.
#include <mpi.h>
#include <smpi/smpi_helpers_internal.h>

#include <algorithm>
#include <ctime>

#include "os/waiting/spin_then_sleep.h"

namespace tightwire::os {
namespace {

// Each look is a turn of every rank: long waits look less often, and take little longer.
constexpr double shortest_pause = 0.5e-6;
constexpr double longest_pause = 5e-6;
constexpr double share = 1.0 / 64;

}  // namespace

// MPI's own calls give the turn to the next rank, too.
void SpinThenSleep::pause() {
  const double now = PMPI_Wtime();
  if (looks_++ == 0) begin_ = now;
  const double pause = std::clamp(share * (now - begin_), shortest_pause, longest_pause);
  const std::timespec time{0, static_cast<long>(1e9 * pause)};
  smpi_nanosleep(&time, nullptr);
}

}  // namespace tightwire::os
