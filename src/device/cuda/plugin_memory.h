// Memory of a device, and of the host for its answers, that grows and is kept.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tightwire::device {

template <cudaError_t (*allocate)(void**, std::size_t), cudaError_t (*release)(void*)>
class Growing {
 public:
  Growing() = default;
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;
  ~Growing() { static_cast<void>(release(memory_)); }

  // At least so many bytes; what was there is lost.
  cudaError_t grow(std::size_t bytes) {
    if (bytes <= size_) return cudaSuccess;
    static_cast<void>(release(memory_));
    memory_ = nullptr;
    size_ = 0;
    const std::size_t wanted = bytes + bytes / 4;
    const cudaError_t error = allocate(&memory_, wanted);
    if (error == cudaSuccess) size_ = wanted;
    return error;
  }
  [[nodiscard]] void* memory() const { return memory_; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

inline cudaError_t allocate_on_device(void** memory, std::size_t bytes) {
  return cudaMalloc(memory, bytes);
}
inline cudaError_t allocate_pinned(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}

using DeviceMemory = Growing<allocate_on_device, cudaFree>;
using PinnedMemory = Growing<allocate_pinned, cudaFreeHost>;

}  // namespace tightwire::device
