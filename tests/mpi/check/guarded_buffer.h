// A buffer that ends where readable memory ends, with bytes before it that must stay as they are:
// reading or writing past its end kills the process, writing before its start is noticed.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <utility>

namespace check {

class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t size) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t usable = (size + least_front + page - 1) / page * page;
    mapped_ = usable + page;
    void* start =
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) {
      std::abort();
    }
    start_ = static_cast<std::byte*>(start);
    mprotect(start_ + usable, page, PROT_NONE);
    data_ = start_ + usable - size;
    std::fill(start_, data_, canary);
  }
  GuardedBuffer(std::size_t size, std::byte fill) : GuardedBuffer(size) {
    std::fill_n(data_, size_, fill);
  }
  explicit GuardedBuffer(std::span<const std::byte> contents) : GuardedBuffer(contents.size()) {
    std::copy(contents.begin(), contents.end(), data_);
  }
  GuardedBuffer(GuardedBuffer&& other) noexcept
      : start_(std::exchange(other.start_, nullptr)),
        data_(other.data_),
        size_(other.size_),
        mapped_(other.mapped_) {}
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;
  ~GuardedBuffer() {
    if (start_ != nullptr) {
      munmap(start_, mapped_);
    }
  }

  [[nodiscard]] void* data() { return data_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  template <class T>
  [[nodiscard]] std::span<T> as() {
    return {reinterpret_cast<T*>(data_), size_ / sizeof(T)};
  }
  [[nodiscard]] bool front_intact() const {
    return std::all_of(start_, data_, [](std::byte b) { return b == canary; });
  }
  [[nodiscard]] bool holds(std::span<const std::byte> contents) const {
    return std::equal(data_, data_ + size_, contents.begin(), contents.end());
  }
  [[nodiscard]] bool all(std::byte value) const {
    return std::all_of(data_, data_ + size_, [&](std::byte b) { return b == value; });
  }

 private:
  static constexpr std::size_t least_front = 64;
  static constexpr std::byte canary{0xC5};
  std::byte* start_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;
};

}  // namespace check
