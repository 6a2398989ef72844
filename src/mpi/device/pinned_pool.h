// Host memory that devices copy to and from quickly. To allocate it takes the driver milliseconds,
// so it is kept for reuse.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "mpi/device/driver.h"

namespace tightwire::mpi {

class PinnedPool {
 public:
  // Memory on loan; contents are whatever the last user left.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept { *this = std::move(other); }
    Lease& operator=(Lease&& other) noexcept;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    [[nodiscard]] std::byte* bytes() const { return memory_; }
    // Else ordinary memory, which a device does not write to by itself.
    [[nodiscard]] bool is_pinned() const { return pinned_; }

   private:
    friend class PinnedPool;
    PinnedPool* owner_ = nullptr;
    std::byte* memory_ = nullptr;
    std::size_t capacity_ = 0;
    bool pinned_ = false;
  };

  // For copies from and to `place`. Where the driver has no more, ordinary memory, from which it
  // copies more slowly; that is said once. Throws std::bad_alloc. Thread safe.
  [[nodiscard]] Lease borrow(const driver::Place& place, std::size_t bytes);

 private:
  void take_back(Lease& lease) noexcept;

  std::mutex mutex_;
  std::multimap<std::size_t, std::byte*> kept_;  // by capacity
  std::size_t held_ = 0;                         // of what is kept
  bool told_ = false;
};

[[nodiscard]] PinnedPool& pinned_pool();

}  // namespace tightwire::mpi
