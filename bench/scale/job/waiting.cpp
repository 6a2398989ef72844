// Waits of simulated ranks never sleep: all ranks take turns in one thread, so that the naps of one
// look to the others as if someone wanted their core, and they would all nap from then on, while
// simulated time stands still. This stands for os/waiting/spin_then_sleep.cpp, which is not linked.
#include "os/waiting/spin_then_sleep.h"

namespace tightwire::os {

// MPI's own calls give the turn to the next rank.
void SpinThenSleep::pause() {}

}  // namespace tightwire::os
