#include "p2p/state/frame_rules.h"

#include <mpi.h>

#include <algorithm>

#include "mpi/communicator/private/world.h"
#include "mpi/error.h"
#include "policy/frames.h"
#include "runtime/runtime.h"
#include "wire/lengths/frame_length.h"

namespace tightwire::p2p {
namespace {

// What shrinks more is padded to that. Looking for frames takes a quarter of a microsecond, little
// beside what 4 KiB take on a network.
constexpr std::size_t most_padded = 4096;

FrameRules::Link link_of(const settings::Settings& settings) {
  if (!settings::is_adaptive(settings.mode) || settings.same_host == settings::SameHost::compress)
    return FrameRules::Link::no_matter;
  const bool is_stated = settings.link.given() || runtime::is_deterministic();
  return is_stated ? FrameRules::Link::given : FrameRules::Link::watched;
}

}  // namespace

bool set_frame_rules() {
  const runtime::Runtime& runtime = runtime::current();
  const auto threshold = policy::frame_threshold(runtime.settings, runtime.rules);
  if (!threshold || mpi::private_world() == MPI_COMM_NULL) return false;
  int level = MPI_THREAD_SINGLE;
  mpi::check(PMPI_Query_thread(&level));
  const std::size_t shortest = wire::encoded_length_within(std::min(*threshold, most_padded));
  const FrameRules::Link link = link_of(runtime.settings);
  const bool is_given = link == FrameRules::Link::given;
  detail::frame_rules = {shortest, *threshold, link,
                         is_given ? runtime::stated_network().bandwidth : 0,
                         level == MPI_THREAD_MULTIPLE};
  return true;
}

}  // namespace tightwire::p2p
