#include "mpi/communicator/route.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "mpi/communicator/effective_settings.h"
#include "mpi/error.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

int delete_route(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<std::shared_ptr<Route>> route(
      static_cast<std::shared_ptr<Route>*>(attribute));
  (*route)->mark_freed();
  return MPI_SUCCESS;
}

int key() {
  // Not copied to duplicates: they make their own.
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_route, &created, nullptr));
    return created;
  }();
  return key;
}

Route* attached(MPI_Comm comm) {
  void* attribute = nullptr;
  int found = 0;
  check(PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&attribute), &found));
  return found != 0 ? static_cast<std::shared_ptr<Route>*>(attribute)->get() : nullptr;
}

Route* attach(MPI_Comm comm) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (Route* route = attached(comm)) return route;
  auto made = std::make_unique<std::shared_ptr<Route>>(std::make_shared<Route>(comm));
  check(PMPI_Comm_set_attr(comm, key(), made.get()));
  return made.release()->get();
}

std::vector<int> world_ranks_of(MPI_Comm comm) {
  int size = 0;
  check(PMPI_Comm_size(comm, &size));
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  check(PMPI_Comm_group(comm, &group));
  check(PMPI_Comm_group(MPI_COMM_WORLD, &world));
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> in_world(ranks.size());
  check(PMPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data()));
  check(PMPI_Group_free(&group));
  check(PMPI_Group_free(&world));
  return in_world;
}

}  // namespace

Route::Route(MPI_Comm comm) : comm_(comm), resolver_(&resolver_of(comm)) {
  int inter = 0;
  check(PMPI_Comm_test_inter(comm, &inter));
  if (inter != 0) return;
  const runtime::Runtime& runtime = runtime::current();
  const std::vector<int> nodes = runtime.nodes.nodes_of(comm);
  if (nodes.empty()) return;
  int rank = 0;
  check(PMPI_Comm_rank(comm, &rank));
  const bool same_host_too = runtime.settings.same_host == settings::SameHost::compress;
  across_.resize(nodes.size());
  other_host_.resize(nodes.size());
  for (std::size_t peer = 0; peer < nodes.size(); ++peer) {
    const bool other_host = nodes[peer] != nodes[static_cast<std::size_t>(rank)];
    const bool self = peer == static_cast<std::size_t>(rank);
    other_host_[peer] = static_cast<char>(other_host);
    across_[peer] = static_cast<char>(!self && (same_host_too || other_host));
  }
  const bool any = std::find(across_.begin(), across_.end(), 1) != across_.end();
  if (any) world_ranks_ = world_ranks_of(comm);
}

const policy::SettingsResolver& Route::resolver() const {
  if (!freed_) resolver_.store(&resolver_of(comm_), std::memory_order_relaxed);
  return *resolver_.load(std::memory_order_relaxed);
}

Route* route_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  Route* route = attached(comm);
  if (route == nullptr) route = attach(comm);
  return route->usable() ? route : nullptr;
}

}  // namespace tightwire::mpi
