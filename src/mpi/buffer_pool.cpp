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
      block_(std::move(other.block_)),
      size_(std::exchange(other.size_, 0)) {}

BufferPool::Lease& BufferPool::Lease::operator=(Lease&& other) noexcept {
  if (this != &other) {
    if (owner_ != nullptr) owner_->take_back(*this);
    owner_ = std::exchange(other.owner_, nullptr);
    block_ = std::move(other.block_);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

BufferPool::Lease::~Lease() {
  if (owner_ != nullptr) owner_->take_back(*this);
}

void BufferPool::Lease::abandon() {
  if (owner_ == nullptr) return;
  const std::scoped_lock lock(owner_->mutex_);
  owner_->abandoned_.insert(std::move(block_));
  owner_ = nullptr;
}

void BufferPool::limit(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  limit_ = bytes;
}

bool BufferPool::has_room(std::size_t size) {
  const std::scoped_lock lock(mutex_);
  return lent_ <= limit_ && size <= limit_ - lent_;
}

BufferPool::Lease BufferPool::try_borrow(std::size_t size) {
  return lend(size, false);
}

BufferPool::Lease BufferPool::insist(std::size_t size) {
  Lease lease = lend(size, true);
  if (!lease) throw std::bad_alloc();
  return lease;
}

BufferPool::Lease BufferPool::lend(std::size_t size, bool regardless) {
  // Of its own size where any block that is large enough will do.
  const std::size_t capacity = fit_ == Fit::any ? std::max<std::size_t>(size, 1) : rounded(size);
  Lease lease;
  const std::scoped_lock lock(mutex_);
  lease.block_ = kept_block(capacity);
  if (!lease.block_) lease.block_ = new_block(capacity, regardless);
  if (!lease.block_) return lease;
  lent_ += lease.block_.key();
  lease.owner_ = this;
  lease.size_ = size;
  return lease;
}

BufferPool::Blocks::node_type BufferPool::kept_block(std::size_t capacity) {
  const auto found = kept_.lower_bound(capacity);
  if (found == kept_.end()) return {};
  if (fit_ == Fit::close && found->first > 2 * capacity) return {};
  return kept_.extract(found);
}

// No memory, for the block or for the book-keeping, gives nothing.
BufferPool::Blocks::node_type BufferPool::new_block(std::size_t capacity, bool regardless) {
  if (fit_ == Fit::any && !kept_.empty()) drop_kept();
  while (held_ + capacity > limit_ && !kept_.empty()) drop_kept();
  if (held_ + capacity > limit_ && !regardless) return {};
  std::unique_ptr<std::byte[]> memory(new (std::nothrow) std::byte[capacity]);
  if (memory == nullptr) return {};
  try {
    Blocks one;
    one.emplace(capacity, std::move(memory));
    held_ += capacity;
    return one.extract(one.begin());
  } catch (const std::bad_alloc&) {
    return {};
  }
}

// The smallest one.
void BufferPool::drop_kept() {
  held_ -= kept_.begin()->first;
  kept_.erase(kept_.begin());
}

void BufferPool::take_back(Lease& lease) noexcept {
  const std::scoped_lock lock(mutex_);
  lent_ -= lease.block_.key();
  lease.owner_ = nullptr;
  if (held_ <= limit_) {
    kept_.insert(std::move(lease.block_));
    return;
  }
  held_ -= lease.block_.key();
  lease.block_ = {};
}

}  // namespace tightwire::mpi
