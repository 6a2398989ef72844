// Memory of its own mapping, for tests that watch, unmap and remap it.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <span>

#include "early/tracking/pages.h"

namespace tightwire::early {

class Mapped {
 public:
  explicit Mapped(std::size_t pages, int flags = MAP_PRIVATE | MAP_ANONYMOUS)
      : size_(pages * page_size()),
        memory_(mmap(nullptr, size_, PROT_READ | PROT_WRITE, flags, -1, 0)) {
    EXPECT_NE(memory_, MAP_FAILED);
    madvise(memory_, size_, MADV_NOHUGEPAGE);
    std::memset(memory_, 1, size_);
  }
  ~Mapped() { munmap(memory_, size_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(memory_), size_};
  }
  [[nodiscard]] std::span<std::byte> pages(std::size_t first, std::size_t count) const {
    return bytes().subspan(first * page_size(), count * page_size());
  }
  // As programs write: not to be left out by the compiler.
  void write(std::size_t at, int value) const {
    *const_cast<volatile std::byte*>(bytes().data() + at) = static_cast<std::byte>(value);
  }

 private:
  std::size_t size_;
  void* memory_;
};

}  // namespace tightwire::early
