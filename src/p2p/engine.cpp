#include "p2p/engine.h"

#include <algorithm>

#include "mpi/communicator/private_copy.h"
#include "mpi/datatype/datatype_cache.h"
#include "mpi/error.h"
#include "mpi/network_probe.h"
#include "policy/frames.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

using mpi::check;

double link_speed(const settings::Settings& settings, MPI_Comm comm) {
  if (!settings::is_adaptive(settings.mode) || settings.same_host == settings::SameHost::compress)
    return 0;
  return settings.link.given() ? settings.link.bits_per_second / 8
                               : mpi::measured_network(comm).bandwidth;
}

std::uint32_t largest_tag() {
  void* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found);
  return found != 0 ? static_cast<std::uint32_t>(*static_cast<int*>(value)) : 32767;
}

}  // namespace

Engine& engine() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const engine = new Engine;
  return *engine;
}

std::size_t coding_places(std::size_t most) {
  const bool wanted = runtime::current().settings.helper_thread != settings::HelperThread::off;
  return wanted && engine().helper->promising() ? most : 1;
}

void code_together(const Helper::Items& items) {
  const bool forced = runtime::current().settings.helper_thread == settings::HelperThread::on;
  const std::size_t helped = engine().helper->run(items, forced);
  if (helped > 0) runtime::current().helped.fetch_add(helped, std::memory_order_relaxed);
}

void start() {
  const runtime::Runtime& runtime = runtime::current();
  const settings::Settings& settings = runtime.settings;
  const auto threshold = policy::frame_threshold(settings, runtime.rules);
  const bool across = runtime.ranks > 1 && (runtime.nodes.nodes() > 1 ||
                                            settings.same_host == settings::SameHost::compress);
  if (!threshold || !across) return;
  Engine& state = engine();
  state.threshold = *threshold;
  int level = MPI_THREAD_SINGLE;
  mpi::check(PMPI_Query_thread(&level));
  state.threads = level == MPI_THREAD_MULTIPLE;
  state.comm = mpi::private_copy(MPI_COMM_WORLD);
  mpi::open_self();
  state.numbers.set_size(static_cast<std::size_t>(runtime.ranks));
  state.tag_limit = largest_tag();
  state.link = link_speed(settings, state.comm);
  state.pool.limit(settings.memory_limit.value);
  state.helper = std::make_unique<Helper>();
  mpi::open_datatype_cache();
  detail::is_active.store(true, std::memory_order_release);
}

void finish() {
  if (!active()) return;
  Engine& state = engine();
  state.requests.drain();
  state.outbox.drain();
  detail::is_active.store(false, std::memory_order_release);
  state.helper.reset();
  mpi::close_datatype_cache();
  PMPI_Comm_free(&state.comm);
  mpi::close_self();
}

}  // namespace tightwire::p2p
