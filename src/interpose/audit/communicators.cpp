#include "interpose/audit/communicators.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "mpi/communicator/host_map.h"
#include "mpi/error.h"
#include "runtime/runtime.h"

namespace tightwire::auditor {
namespace {

using mpi::check;

int forget(MPI_Comm, int, void* attribute, void*) {
  delete static_cast<CommunicatorFacts*>(attribute);
  return MPI_SUCCESS;
}

int key() {
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &forget, &created, nullptr));
    return created;
  }();
  return key;
}

std::unique_ptr<CommunicatorFacts> ask(MPI_Comm comm) {
  auto facts = std::make_unique<CommunicatorFacts>();
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  int inter = 0;
  check(PMPI_Comm_get_name(comm, name.data(), &length));
  check(PMPI_Comm_size(comm, &facts->size));
  check(PMPI_Comm_test_inter(comm, &inter));
  facts->name = length > 0 ? name.data() : "MPI communicator without a name";
  if (inter != 0) return facts;
  facts->world_ranks = mpi::world_ranks_of(comm);
  std::ranges::replace(facts->world_ranks, MPI_UNDEFINED, -1);
  const runtime::Runtime& runtime = runtime::current();
  const int own = runtime.nodes.node_of(runtime.rank);
  for (const int rank : facts->world_ranks) {
    facts->other_host.push_back(static_cast<char>(rank < 0 || runtime.nodes.node_of(rank) != own));
  }
  facts->spans_hosts = std::ranges::find(facts->other_host, 1) != facts->other_host.end();
  return facts;
}

CommunicatorFacts* known(MPI_Comm comm) {
  void* attribute = nullptr;
  int found = 0;
  check(PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&attribute), &found));
  return found != 0 ? static_cast<CommunicatorFacts*>(attribute) : nullptr;
}

}  // namespace

audit::Peer CommunicatorFacts::where(int peer) const {
  if (world_ranks.empty()) return audit::Peer::nobody;
  if (peer == recording::nobody) {
    return spans_hosts ? audit::Peer::other_host : audit::Peer::same_host;
  }
  if (peer < 0 || peer >= size) return audit::Peer::nobody;
  return other_host[static_cast<std::size_t>(peer)] != 0 ? audit::Peer::other_host
                                                         : audit::Peer::same_host;
}

int CommunicatorFacts::world_rank(int peer) const {
  const bool exists = peer >= 0 && static_cast<std::size_t>(peer) < world_ranks.size();
  return exists ? world_ranks[static_cast<std::size_t>(peer)] : -1;
}

const CommunicatorFacts& facts_of(MPI_Comm comm) {
  if (const CommunicatorFacts* facts = known(comm)) return *facts;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (const CommunicatorFacts* facts = known(comm)) return *facts;
  auto facts = ask(comm);
  check(PMPI_Comm_set_attr(comm, key(), facts.get()));
  return *facts.release();
}

}  // namespace tightwire::auditor
