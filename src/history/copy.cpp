#include "history/copy.h"

#include <algorithm>
#include <new>

#include "wire/history.h"

namespace tightwire::history {

bool Budget::take(std::size_t bytes) {
  std::size_t held = held_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ || held > limit_ - bytes) return false;
  } while (!held_.compare_exchange_weak(held, held + bytes, std::memory_order_relaxed));
  return true;
}

std::shared_ptr<Copy> Copy::uninitialised(std::size_t size, Budget& budget) {
  std::unique_ptr<std::byte[]> memory(new (std::nothrow) std::byte[size]);
  std::unique_ptr<Copy> copy(memory ? new (std::nothrow) Copy(std::move(memory), size, budget)
                                    : nullptr);
  if (!copy) budget.give_back(size);
  return copy;
}

std::shared_ptr<Copy> Copy::of(std::span<const std::byte> message, Budget& budget,
                               std::shared_ptr<Copy> spare) {
  const bool reusable = spare && spare.use_count() == 1 && spare->size_ == message.size();
  if (!reusable) {
    if (!budget.take(message.size())) return nullptr;
    spare = uninitialised(message.size(), budget);
    if (!spare) return nullptr;
  }
  std::copy(message.begin(), message.end(), spare->memory_.get());
  // Of what is kept: some programs write to a buffer that is being sent.
  spare->hash_ = wire::content_hash(spare->bytes());
  return spare;
}

}  // namespace tightwire::history
