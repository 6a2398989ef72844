#include "p2p/state/frame_rules.h"

#include <mpi.h>

#include <algorithm>

#include "mpi/communicator/private_world.h"
#include "mpi/error.h"
#include "mpi/network_probe.h"
#include "policy/frames.h"
#include "runtime/runtime.h"
#include "wire/frame_length.h"

namespace tightwire::p2p {
namespace {

// What shrinks more is padded to that. Looking for frames takes a quarter of a microsecond, little
// beside what 4 KiB take on a network.
constexpr std::size_t most_padded = 4096;

mpi::Ring ring_of_all() {
  constexpr int tag = 8;
  const runtime::Runtime& runtime = runtime::current();
  const int left = (runtime.rank + runtime.ranks - 1) % runtime.ranks;
  const int right = (runtime.rank + 1) % runtime.ranks;
  return {mpi::private_world(), mpi::private_world(), left, right, tag};
}

double link_speed(const settings::Settings& settings) {
  if (!settings::is_adaptive(settings.mode) || settings.same_host == settings::SameHost::compress)
    return 0;
  return settings.link.given() ? settings.link.bits_per_second / 8
                               : mpi::measured_network(ring_of_all()).bandwidth;
}

}  // namespace

bool set_frame_rules() {
  const runtime::Runtime& runtime = runtime::current();
  const auto threshold = policy::frame_threshold(runtime.settings, runtime.rules);
  if (!threshold || mpi::private_world() == MPI_COMM_NULL) return false;
  int level = MPI_THREAD_SINGLE;
  mpi::check(PMPI_Query_thread(&level));
  const std::size_t shortest = wire::encoded_length_within(std::min(*threshold, most_padded));
  detail::frame_rules = {shortest, *threshold, 0, level == MPI_THREAD_MULTIPLE};
  return true;
}

void measure_link_speed() {
  detail::frame_rules.link_speed = link_speed(runtime::current().settings);
}

}  // namespace tightwire::p2p
