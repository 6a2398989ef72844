// Memory of the program that pending receives write frames to, in which they are then decoded.
//
// A program may not give the same memory to two pending receives (MPI 4.0, 3.7.2), but some drain
// their network into one scratch buffer, and no MPI minds: only the contents are anyone's guess.
// A frame must be whole when it is looked at, so the second receive gets memory of ours.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>

#include "mpi/operation.h"

namespace tightwire::p2p {

// Thread safe.
class PostedBuffers {
 public:
  // A buffer from the post of its receive until the message is in its place.
  class Posted {
   public:
    Posted() = default;
    Posted(const Posted&) = delete;
    Posted& operator=(const Posted&) = delete;
    ~Posted() { remove(); }
    void remove();
    // Another receive has written there meanwhile.
    [[nodiscard]] bool overwritten() const { return overwritten_; }

   private:
    friend class PostedBuffers;
    const std::byte* begin_ = nullptr;
    bool overwritten_ = false;
  };

  // Costs one relaxed load.
  [[nodiscard]] bool any() const { return any_.load(std::memory_order_relaxed); }
  // The same where nothing is posted.
  [[nodiscard]] bool overlaps(std::span<const std::byte> buffer) const;
  // What overlaps none that is posted. `receive` moves on what writes there.
  void add(std::span<const std::byte> buffer, mpi::Operation& receive, Posted& posted);
  // Before another receive writes there: what has come for those that are posted is taken care of,
  // if this thread may do that, and they are told.
  void prepare_to_overwrite(std::span<const std::byte> buffer, bool may_progress);

 private:
  struct Entry {
    std::size_t size;
    mpi::Operation* receive;
    Posted* posted;
  };
  using Entries = std::map<const std::byte*, Entry>;  // by address; none overlaps another
  // The first that overlaps, or end().
  [[nodiscard]] Entries::const_iterator find(const std::byte* begin, std::size_t size) const;

  mutable std::mutex mutex_;
  std::atomic<bool> any_{false};
  Entries entries_;
};

[[nodiscard]] PostedBuffers& posted_buffers();

}  // namespace tightwire::p2p
