#include "collective/communicator.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "collective/failure.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

int delete_communicator(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<Communicator> communicator(static_cast<Communicator*>(attribute));
  return communicator->usable() ? PMPI_Comm_free(&communicator->comm) : MPI_SUCCESS;
}

int key() {
  // Attributes are not copied to duplicates: each communicator gets its own private one.
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_communicator, &created, nullptr));
    return created;
  }();
  return key;
}

// Intercommunicators, and ranks that share a host or are not all known, are left to MPI.
bool worth_a_private_one(MPI_Comm user) {
  int inter = 0;
  check(PMPI_Comm_test_inter(user, &inter));
  if (inter != 0) return false;
  const runtime::Runtime& runtime = runtime::current();
  const std::vector<int> nodes = runtime.nodes.nodes_of(user);
  if (nodes.size() < 2) return false;
  if (runtime.settings.same_host == settings::SameHost::compress) return true;
  return std::any_of(nodes.begin(), nodes.end(), [&](int node) { return node != nodes.front(); });
}

// A split rather than a duplicate: a duplicate would run the program's attribute copy functions.
MPI_Comm private_copy(MPI_Comm user, int rank) {
  MPI_Comm copy = MPI_COMM_NULL;
  check(PMPI_Comm_split(user, 0, rank, &copy));
  check(PMPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
  return copy;
}

}  // namespace

Communicator& communicator_of(MPI_Comm user) {
  void* attribute = nullptr;
  int found = 0;
  check(PMPI_Comm_get_attr(user, key(), static_cast<void*>(&attribute), &found));
  if (found != 0) return *static_cast<Communicator*>(attribute);

  auto made = std::make_unique<Communicator>();
  check(PMPI_Comm_rank(user, &made->rank));
  check(PMPI_Comm_size(user, &made->size));
  if (worth_a_private_one(user)) made->comm = private_copy(user, made->rank);
  check(PMPI_Comm_set_attr(user, key(), made.get()));
  return *made.release();
}

void release_world() {
  void* attribute = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, key(), static_cast<void*>(&attribute), &found);
  if (found != 0) PMPI_Comm_delete_attr(MPI_COMM_WORLD, key());
}

}  // namespace tightwire::collective
