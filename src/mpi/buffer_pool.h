// Memory for messages on their way, reused: fresh memory costs a page fault for every 4 KiB, more
// than the codec does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

namespace tightwire::mpi {

// Thread safe; outlives its leases.
class BufferPool {
  using Blocks = std::multimap<std::size_t, std::unique_ptr<std::byte[]>>;  // by capacity

 public:
  // Which of the blocks that are kept may be lent.
  enum class Fit : std::uint8_t {
    // At most twice as large as needed: for many buffers of any size at once, within a limit.
    close,
    // Any that is large enough, and one that is too small is replaced: there are never more than
    // were lent at once. For calls that need the same few buffers again and again.
    any,
  };
  BufferPool() = default;
  explicit BufferPool(Fit fit) : fit_(fit) {}

  // A buffer on loan; contents are whatever the last user left. Empty where none was to be had.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    [[nodiscard]] std::span<std::byte> bytes() const {
      return block_ ? std::span(block_.mapped().get(), size_) : std::span<std::byte>();
    }
    explicit operator bool() const { return !block_.empty(); }

    // Never to be lent again, while the pool lives: MPI may still write to it.
    void abandon();

   private:
    friend class BufferPool;
    BufferPool* owner_ = nullptr;
    Blocks::node_type block_;
    std::size_t size_ = 0;
  };

  // What is lent and what is kept for reuse, together, stay within `bytes`.
  void limit(std::size_t bytes);

  // Whether try_borrow() would give so much.
  [[nodiscard]] bool has_room(std::size_t size);
  // Empty where the limit or the machine's memory does not allow it.
  [[nodiscard]] Lease try_borrow(std::size_t size);
  // Regardless of the limit, for what cannot be done without. Throws std::bad_alloc.
  [[nodiscard]] Lease insist(std::size_t size);

 private:
  Lease lend(std::size_t size, bool regardless);
  Blocks::node_type kept_block(std::size_t capacity);
  Blocks::node_type new_block(std::size_t capacity, bool regardless);
  void drop_kept();
  void take_back(Lease& lease) noexcept;

  Fit fit_ = Fit::close;
  std::mutex mutex_;
  std::size_t limit_ = static_cast<std::size_t>(-1);
  std::size_t held_ = 0;  // lent and kept
  std::size_t lent_ = 0;
  Blocks kept_;
  Blocks abandoned_;
};

}  // namespace tightwire::mpi
