// A CUDA driver, or what stands in for one: memory of a device, and how a test or a benchmark
// reaches it.
#pragma once

#include <cstddef>

namespace devices {

class Driver {
 public:
  Driver() = default;
  // By the name of a library: tests/mpi/preload/fake_cuda.c's, or a real driver, "libcuda.so.1".
  // Ends the program where there is none.
  explicit Driver(const char* library);

  // Memory of the host where there is no driver. Never freed.
  [[nodiscard]] int* allocate(std::size_t ints) const;
  // The same memory for the processor; with a real driver pinned memory for a copy, which the next
  // two bring up to date.
  [[nodiscard]] int* alias_of(int* device, std::size_t ints) const;
  void to_device(int* device, const int* alias, std::size_t ints) const;
  void from_device(int* alias, const int* device, std::size_t ints) const;

  // Only of what stands in for one.
  void free_all() const;
  void late_kernel(int* device, std::size_t bytes) const;

 private:
  [[nodiscard]] bool is_real() const { return library_ != nullptr && !stands_in_; }

  void* library_ = nullptr;
  bool stands_in_ = false;
};

}  // namespace devices
