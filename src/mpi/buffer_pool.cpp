#include "mpi/buffer_pool.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace tightwire::mpi {
namespace {

// Four sizes to an octave: reuse without much waste.
std::size_t rounded(std::size_t size) {
  constexpr std::size_t smallest = 4096;
  if (size <= smallest) return smallest;
  const std::size_t step = std::max(std::bit_floor(size - 1) / 4, smallest / 4);
  return (size + step - 1) / step * step;
}

}  // namespace

BufferPool::Lease::Lease(Lease&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)),
      memory_(std::move(other.memory_)),
      capacity_(other.capacity_),
      size_(std::exchange(other.size_, 0)) {}

BufferPool::Lease& BufferPool::Lease::operator=(Lease&& other) noexcept {
  if (this != &other) {
    if (owner_ != nullptr) owner_->take_back(*this);
    owner_ = std::exchange(other.owner_, nullptr);
    memory_ = std::move(other.memory_);
    capacity_ = other.capacity_;
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

BufferPool::Lease::~Lease() {
  if (owner_ != nullptr) owner_->take_back(*this);
}

void BufferPool::limit(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  limit_ = bytes;
}

bool BufferPool::has_room(std::size_t size) {
  const std::scoped_lock lock(mutex_);
  return lent_ <= limit_ && size <= limit_ - lent_;
}

BufferPool::Lease BufferPool::borrow(std::size_t size) {
  return lend(size, false);
}

BufferPool::Lease BufferPool::insist(std::size_t size) {
  Lease lease = lend(size, true);
  if (!lease) throw std::bad_alloc();
  return lease;
}

BufferPool::Lease BufferPool::lend(std::size_t size, bool regardless) {
  const std::size_t capacity = rounded(size);
  Lease lease;
  const std::scoped_lock lock(mutex_);
  // A kept block may be up to twice as large as needed.
  const auto found = kept_.lower_bound(capacity);
  if (found != kept_.end() && found->first <= 2 * capacity) {
    lease.capacity_ = found->first;
    lease.memory_ = std::move(found->second);
    kept_.erase(found);
  } else {
    while (held_ + capacity > limit_ && !kept_.empty()) {
      held_ -= kept_.begin()->first;
      kept_.erase(kept_.begin());
    }
    if (held_ + capacity > limit_ && !regardless) return lease;
    lease.memory_.reset(new (std::nothrow) std::byte[capacity]);
    if (lease.memory_ == nullptr) return lease;
    lease.capacity_ = capacity;
    held_ += capacity;
  }
  lent_ += lease.capacity_;
  lease.owner_ = this;
  lease.size_ = size;
  return lease;
}

void BufferPool::take_back(Lease& lease) noexcept {
  const std::scoped_lock lock(mutex_);
  lent_ -= lease.capacity_;
  lease.owner_ = nullptr;
  if (held_ <= limit_ && keep(lease)) return;
  held_ -= lease.capacity_;
  lease.memory_.reset();
}

bool BufferPool::keep(Lease& lease) noexcept {
  try {
    kept_.emplace(lease.capacity_, nullptr)->second = std::move(lease.memory_);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace tightwire::mpi
