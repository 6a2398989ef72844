#include "mpi/device/pinned_pool.h"

#include <algorithm>
#include <bit>
#include <new>
#include <string>

#include "runtime/log.h"

namespace tightwire::mpi {
namespace {

constexpr std::size_t smallest = 4096;
// What is kept for reuse; pinned memory is taken from all processes of the host.
constexpr std::size_t most_kept = std::size_t{256} << 20U;

// Few sizes, so that a block serves many messages; an eighth at most is left over.
std::size_t capacity_for(std::size_t bytes) {
  if (bytes <= smallest) return smallest;
  const std::size_t step = std::bit_floor(bytes - 1) / 8;
  return (bytes + step - 1) / step * step;
}

}  // namespace

PinnedPool::Lease& PinnedPool::Lease::operator=(Lease&& other) noexcept {
  std::swap(owner_, other.owner_);
  std::swap(memory_, other.memory_);
  std::swap(capacity_, other.capacity_);
  std::swap(pinned_, other.pinned_);
  return *this;
}

PinnedPool::Lease::~Lease() {
  if (owner_ != nullptr) owner_->take_back(*this);
}

PinnedPool::Lease PinnedPool::borrow(const driver::Place& place, std::size_t bytes) {
  Lease lease;
  lease.owner_ = this;
  lease.capacity_ = capacity_for(bytes);
  lease.pinned_ = true;
  const std::scoped_lock lock(mutex_);
  if (const auto kept = kept_.find(lease.capacity_); kept != kept_.end()) {
    lease.memory_ = kept->second;
    held_ -= lease.capacity_;
    kept_.erase(kept);
    return lease;
  }
  lease.memory_ = static_cast<std::byte*>(driver::allocate_pinned(place, lease.capacity_));
  if (lease.memory_ != nullptr) return lease;
  if (!std::exchange(told_, true)) {
    runtime::log("CUDA's driver gives no " + std::to_string(lease.capacity_) +
                 " bytes of pinned memory: what lies on a GPU is copied by way of ordinary memory, "
                 "which takes longer");
  }
  lease.pinned_ = false;
  lease.memory_ = static_cast<std::byte*>(::operator new(lease.capacity_));
  return lease;
}

void PinnedPool::take_back(Lease& lease) noexcept {
  if (lease.memory_ == nullptr) return;
  if (!lease.pinned_) return ::operator delete(lease.memory_);
  const std::scoped_lock lock(mutex_);
  if (lease.capacity_ > most_kept) return driver::free_pinned(lease.memory_);
  // What is kept may be of sizes that nobody wants any more.
  while (held_ + lease.capacity_ > most_kept) {
    driver::free_pinned(kept_.begin()->second);
    held_ -= kept_.begin()->first;
    kept_.erase(kept_.begin());
  }
  try {
    kept_.emplace(lease.capacity_, lease.memory_);
    held_ += lease.capacity_;
  } catch (const std::bad_alloc&) {
    driver::free_pinned(lease.memory_);
  }
}

PinnedPool& pinned_pool() {
  // Never destroyed: the driver may be gone by then.
  static auto* const pool = new PinnedPool;
  return *pool;
}

}  // namespace tightwire::mpi
