#include "interpose/wide_counts/narrow_counts.h"

#include <climits>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "mpi/error.h"
#include "mpi/neighbours.h"

namespace tightwire::interpose {
namespace {

std::shared_ptr<mpi::Neighbours> neighbours(MPI_Comm comm) noexcept {
  try {
    return comm == MPI_COMM_NULL ? nullptr : mpi::Neighbours::of(comm);
  } catch (const mpi::MpiError&) {
    return nullptr;
  }
}

bool has_two_groups(MPI_Comm comm) noexcept {
  int inter = 0;
  return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter != 0;
}

}  // namespace

int members(MPI_Comm comm) noexcept {
  int size = 0;
  return comm != MPI_COMM_NULL && PMPI_Comm_size(comm, &size) == MPI_SUCCESS ? size : 0;
}

int all_parts(MPI_Comm comm) noexcept {
  int size = 0;
  if (!has_two_groups(comm)) return members(comm);
  return PMPI_Comm_remote_size(comm, &size) == MPI_SUCCESS ? size : 0;
}

int sources(MPI_Comm comm) noexcept {
  const auto found = neighbours(comm);
  return found == nullptr ? 0 : static_cast<int>(found->sources().size());
}

int destinations(MPI_Comm comm) noexcept {
  const auto found = neighbours(comm);
  return found == nullptr ? 0 : static_cast<int>(found->destinations().size());
}

bool is_root(int root, MPI_Comm comm) noexcept {
  int own = -1;
  if (has_two_groups(comm)) return root == MPI_ROOT;
  return comm != MPI_COMM_NULL && PMPI_Comm_rank(comm, &own) == MPI_SUCCESS && own == root;
}

int NarrowCounts::one(MPI_Count count) {
  if (count >= INT_MIN && count <= INT_MAX) return static_cast<int>(count);
  too_large_ = count;
  return -1;
}

std::vector<int> NarrowCounts::narrowed(mpi::Counts counts, int number) {
  std::vector<int> made(static_cast<std::size_t>(number));
  for (int i = 0; i < number; ++i) made[static_cast<std::size_t>(i)] = one(counts[i]);
  return made;
}

const int* NarrowCounts::all(mpi::Counts counts, int number) {
  return counts.given() ? arrays_.emplace_back(narrowed(counts, number)).data() : nullptr;
}

const int* NarrowCounts::all_kept(mpi::Counts counts, int number) {
  static std::mutex mutex;
  static std::set<std::vector<int>> kept;
  if (!counts.given()) return nullptr;
  const std::scoped_lock lock(mutex);
  return kept.insert(narrowed(counts, number)).first->data();
}

int NarrowCounts::refuse() const {
  const std::string what =
      "a count or displacement of " + std::to_string(too_large_) +
      " is more than an int holds, and this program's MPI is older than MPI 4 and takes no more";
  return mpi::raise(mpi::MpiError{MPI_ERR_COUNT}, what, {function_}, comm_);
}

}  // namespace tightwire::interpose
