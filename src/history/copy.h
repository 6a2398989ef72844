// A message as it is kept, to predict later ones from; and the memory that all of these may take.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tightwire::history {

// Thread safe.
class Budget {
 public:
  explicit Budget(std::size_t limit = 0) : limit_(limit) {}

  // False where so much is not left.
  [[nodiscard]] bool take(std::size_t bytes);
  void give_back(std::size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  [[nodiscard]] std::size_t limit() const { return limit_; }
  [[nodiscard]] std::size_t held() const { return held_.load(std::memory_order_relaxed); }

 private:
  std::size_t limit_;
  std::atomic<std::size_t> held_{0};
};

// Does not change while anybody but its channel has it.
class Copy {
 public:
  // nullptr where there is no memory for it. `spare` is one that is not needed any more, whose
  // memory is used if it may be: fresh memory costs a page fault for every 4 KiB.
  [[nodiscard]] static std::shared_ptr<Copy> of(std::span<const std::byte> message, Budget& budget,
                                                std::shared_ptr<Copy> spare = {});
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() { budget_->give_back(size_); }

  [[nodiscard]] std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  Copy(std::unique_ptr<std::byte[]> memory, std::size_t size, Budget& budget)
      : memory_(std::move(memory)), size_(size), budget_(&budget) {}
  // Of a budget that has been taken from; nullptr if the machine has no memory.
  [[nodiscard]] static std::shared_ptr<Copy> uninitialised(std::size_t size, Budget& budget);

  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_;
  std::uint64_t hash_ = 0;
  Budget* budget_;
};

using SharedCopy = std::shared_ptr<const Copy>;

}  // namespace tightwire::history
