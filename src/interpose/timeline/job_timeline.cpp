#include "interpose/timeline/job_timeline.h"

#include <mpi.h>

#include <numeric>

#include "mpi/clock/alignment.h"
#include "mpi/clock/own_seconds.h"
#include "mpi/error.h"
#include "policy/tuning/common_clock.h"
#include "runtime/runtime.h"
#include "timeline/events.h"

namespace tightwire::job_timeline {
namespace {

// All ranks of the job, whether anything crosses a network or not.
class World {
 public:
  World() {
    const runtime::Runtime& runtime = runtime::current();
    mpi::check(PMPI_Comm_dup(MPI_COMM_WORLD, &all_.comm));
    all_.participants = {all_.comm};
    all_.rank = runtime.rank;
    all_.size = runtime.ranks;
    all_.addresses.resize(static_cast<std::size_t>(runtime.ranks));
    std::iota(all_.addresses.begin(), all_.addresses.end(), 0);
  }
  ~World() { PMPI_Comm_free(&all_.comm); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // What the first rank's clock is ahead, now on the own one.
  policy::ClockOffset look() {
    policy::CommonClock clock;
    static_cast<void>(mpi::align_clock(all_, clock));
    const double now = mpi::own_seconds();
    return {now, clock.at(now) - now, 0};
  }

  // As the first rank says it.
  [[nodiscard]] double agreed(double value) const {
    mpi::check(PMPI_Bcast(&value, 1, MPI_DOUBLE, 0, all_.comm));
    return value;
  }

 private:
  mpi::Communicator all_;
};

}  // namespace

void start() {
  runtime::Runtime& runtime = runtime::current();
  if (runtime.settings.timeline.value.empty()) return;
  World world;
  const policy::ClockOffset look = world.look();
  runtime.clock = {look.at, look.ahead, look.at, look.ahead, world.agreed(look.at)};
  timeline::start(runtime.settings.timeline_memory.value);
}

void finish() {
  if (!timeline::active()) return;
  World world;
  const policy::ClockOffset look = world.look();
  runtime::current().clock.last = look.at;
  runtime::current().clock.last_ahead = look.ahead;
}

}  // namespace tightwire::job_timeline
