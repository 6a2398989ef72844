#include "mpi/scratch.h"

#include <utility>

namespace tightwire::mpi {

Scratch::Lease::Lease(Scratch& owner, std::size_t index, std::size_t size)
    : owner_(&owner), index_(index), size_(size) {}

Scratch::Lease::Lease(Lease&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)), index_(other.index_), size_(other.size_) {}

Scratch::Lease& Scratch::Lease::operator=(Lease&& other) noexcept {
  if (this != &other) {
    give_back();
    owner_ = std::exchange(other.owner_, nullptr);
    index_ = other.index_;
    size_ = other.size_;
  }
  return *this;
}

Scratch::Lease::~Lease() {
  give_back();
}

void Scratch::Lease::give_back() {
  if (owner_ != nullptr) owner_->blocks_[index_].lent = false;
  owner_ = nullptr;
}

std::span<std::byte> Scratch::Lease::bytes() const {
  if (owner_ == nullptr) return {};
  return {owner_->blocks_[index_].memory.get(), size_};
}

Scratch::Lease Scratch::borrow(std::size_t size) {
  // The smallest free block that is large enough; else a free one is replaced by a larger.
  Block* best = nullptr;
  Block* spare = nullptr;
  for (Block& block : blocks_) {
    if (block.lent) continue;
    spare = &block;
    const bool fits = block.capacity >= size;
    if (fits && (best == nullptr || block.capacity < best->capacity)) best = &block;
  }
  if (best == nullptr) {
    best = spare != nullptr ? spare : &blocks_.emplace_back();
    best->memory.reset();
    best->capacity = 0;
    best->memory = std::make_unique_for_overwrite<std::byte[]>(size);
    best->capacity = size;
  }
  best->lent = true;
  return {*this, static_cast<std::size_t>(best - blocks_.data()), size};
}

}  // namespace tightwire::mpi
