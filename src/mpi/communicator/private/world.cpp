#include "mpi/communicator/private/world.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "mpi/communicator/private/copy.h"
#include "mpi/error.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

// Enough for any program; fewer where MPI has fewer tags.
constexpr int most_blocks = 1 << 20;
// Each is for a communicator, and is spent with it; see tag_election.h.
constexpr int fewest_own_blocks = 64;

// Which blocks are taken on this rank. Block 0 is the job's. Thread safe.
class Blocks {
 public:
  void limit(int blocks) {
    const std::scoped_lock lock(mutex_);
    taken_.assign(1, true);
    limit_ = blocks;
  }
  // The first free one from `least` on; limit() if there is none.
  [[nodiscard]] int first_free(int least) const {
    const std::scoped_lock lock(mutex_);
    const auto begin = taken_.begin() + std::min<std::ptrdiff_t>(least, std::ssize(taken_));
    const auto found = std::find(begin, taken_.end(), false);
    return std::min(std::max(least, static_cast<int>(found - taken_.begin())), limit_);
  }
  [[nodiscard]] int limit() const { return limit_; }
  [[nodiscard]] bool take(int block) {
    const std::scoped_lock lock(mutex_);
    const auto at = static_cast<std::size_t>(block);
    if (at >= taken_.size()) taken_.resize(at + 1, false);
    const bool was_free = !taken_[at];
    taken_[at] = true;
    return was_free;
  }
  void give_back(int block) {
    const std::scoped_lock lock(mutex_);
    taken_[static_cast<std::size_t>(block)] = false;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<bool> taken_;
  int limit_ = 0;
};

// The blocks that this process alone gives away. Thread safe.
class OwnBlocks {
 public:
  void set(int first, int count) {
    const std::scoped_lock lock(mutex_);
    next_ = first;
    left_ = count;
  }
  [[nodiscard]] TagOffer offer() {
    const std::scoped_lock lock(mutex_);
    if (!kept_.empty()) {
      const int block = kept_.back();
      kept_.pop_back();
      return {left_ + static_cast<int>(kept_.size()) + 1, {block * tags_in_block}};
    }
    if (left_ == 0) return {};
    return {left_--, {next_++ * tags_in_block}};
  }
  void keep(int block) {
    const std::scoped_lock lock(mutex_);
    kept_.push_back(block);
  }

 private:
  std::mutex mutex_;
  int next_ = 0;
  int left_ = 0;
  std::vector<int> kept_;  // offered in vain
};

struct World {
  MPI_Comm comm = MPI_COMM_NULL;
  Blocks blocks;    // that ranks agree on
  OwnBlocks own;    // behind those
  int of_each = 0;  // process: own blocks
};

World& world() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const world = new World;
  return *world;
}

bool crosses_network(const runtime::Runtime& runtime) {
  return runtime.ranks > 1 &&
         (runtime.nodes.nodes() > 1 || runtime.settings.same_host == settings::SameHost::compress);
}

// The first half is for all ranks to agree on, the rest is divided among them.
void divide_tags(const runtime::Runtime& runtime) {
  const int blocks = largest_tag() / tags_in_block;
  const int shared = std::min(blocks / 2, most_blocks);
  world().blocks.limit(shared);
  world().of_each = (blocks - shared) / runtime.ranks;
  world().own.set(shared + runtime.rank * world().of_each, world().of_each);
}

int agreed(int own, MPI_Op op, const Participants& participants) {
  participants.agree(std::span(&own, 1), op);
  return own;
}

// What MPI cannot make is no error of the program's: its handlers hear nothing of it.
class ErrorsReturn {
 public:
  explicit ErrorsReturn(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm_, &handler_);
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturn() {
    PMPI_Comm_set_errhandler(comm_, handler_);
    PMPI_Errhandler_free(&handler_);
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

}  // namespace

int largest_tag() {
  void* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found);
  return found != 0 ? *static_cast<int*>(value) : 32767;
}

void open_private_world() {
  const runtime::Runtime& runtime = runtime::current();
  if (!crosses_network(runtime)) return;
  const ErrorsReturn world_returns(MPI_COMM_WORLD);
  const ErrorsReturn self_returns(MPI_COMM_SELF);
  world().comm = private_copy_if_possible(MPI_COMM_WORLD);
  self().comm = private_copy_if_possible(MPI_COMM_SELF);
  divide_tags(runtime);
  const bool both = world().comm != MPI_COMM_NULL && self().comm != MPI_COMM_NULL;
  if (agreed(both ? 1 : 0, MPI_MIN, {MPI_COMM_WORLD}) != 0) return;
  close_private_world();
  if (runtime.rank == 0) {
    runtime::log("MPI has no communicator left for tightwire: nothing is compressed");
  }
}

void close_private_world() {
  for (MPI_Comm* comm : {&world().comm, &self().comm}) {
    if (*comm != MPI_COMM_NULL) PMPI_Comm_free(comm);
  }
}

MPI_Comm private_world() {
  return world().comm;
}

// A block that is free here may be taken on another rank, or by another thread meanwhile: then they
// go on from there.
TagBlock agree_on_tags(const Participants& participants) {
  Blocks& blocks = world().blocks;
  for (int least = 1;; ++least) {
    least = agreed(blocks.first_free(least), MPI_MAX, participants);
    if (least >= blocks.limit()) return {};
    const bool mine = blocks.take(least);
    if (agreed(mine ? 1 : 0, MPI_MIN, participants) != 0) return {least * tags_in_block};
    if (mine) blocks.give_back(least);
  }
}

void give_back(TagBlock block) {
  const int number = block.first / tags_in_block;
  if (number < world().blocks.limit()) world().blocks.give_back(number);
}

bool may_offer_tags() {
  return world().of_each >= fewest_own_blocks;
}

TagOffer offer_tags() {
  return world().own.offer();
}

void keep_tags(const TagOffer& offer) {
  world().own.keep(offer.block.first / tags_in_block);
}

}  // namespace tightwire::mpi
