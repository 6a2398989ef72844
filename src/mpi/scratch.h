// Reusable buffers. Fresh memory costs a page fault for every 4 KiB, more than the codec does.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tightwire::mpi {

// Hands out buffers and takes them back; memory is kept for the next call. Not thread safe: one per
// communicator, where only one collective runs at a time.
class Scratch {
 public:
  // A buffer on loan; goes back when the lease ends. DatatypeContents are whatever the last user
  // left.
  class Lease {
   public:
    Lease() = default;
    Lease(Scratch& owner, std::size_t index, std::size_t size);
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    [[nodiscard]] std::span<std::byte> bytes() const;

    // Never to be lent again: MPI may still write to it.
    void abandon() { owner_ = nullptr; }

   private:
    void give_back();

    Scratch* owner_ = nullptr;
    std::size_t index_ = 0;
    std::size_t size_ = 0;
  };

  // Throws std::bad_alloc.
  [[nodiscard]] Lease borrow(std::size_t size);

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t capacity = 0;
    bool lent = false;
  };

  std::vector<Block> blocks_;
};

}  // namespace tightwire::mpi
