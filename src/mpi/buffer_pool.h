// Memory for messages on their way, reused, with a limit.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>

namespace tightwire::mpi {

// Thread safe; outlives its leases.
class BufferPool {
 public:
  // A buffer on loan; contents are whatever the last user left. Empty where none was to be had.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    [[nodiscard]] std::span<std::byte> bytes() const { return {memory_.get(), size_}; }
    explicit operator bool() const { return memory_ != nullptr; }

   private:
    friend class BufferPool;
    BufferPool* owner_ = nullptr;
    std::unique_ptr<std::byte[]> memory_;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
  };

  // What is lent and what is kept for reuse, together, stay within `bytes`.
  void limit(std::size_t bytes);

  // Whether borrow() would give so much.
  [[nodiscard]] bool has_room(std::size_t size);
  // Empty where the limit or the machine's memory does not allow it.
  [[nodiscard]] Lease borrow(std::size_t size);
  // Regardless of the limit, for what cannot be done without. Throws std::bad_alloc.
  [[nodiscard]] Lease insist(std::size_t size);

 private:
  Lease lend(std::size_t size, bool regardless);
  void take_back(Lease& lease) noexcept;
  // For reuse; false if there is no memory for that.
  bool keep(Lease& lease) noexcept;

  std::mutex mutex_;
  std::size_t limit_ = static_cast<std::size_t>(-1);
  std::size_t held_ = 0;  // lent and kept
  std::size_t lent_ = 0;
  std::multimap<std::size_t, std::unique_ptr<std::byte[]>> kept_;  // by capacity
};

}  // namespace tightwire::mpi
