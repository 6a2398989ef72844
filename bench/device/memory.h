// Memory of a device, and time as the device has it.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace tightwire::bench {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// The device's own, or the host's that it can address.
class Memory {
 public:
  enum class Where { device, host };

  explicit Memory(std::size_t bytes, Where where = Where::device) : where_(where) {
    if (where == Where::device) {
      check(cudaMalloc(&pointer_, bytes), "memory of the device");
    } else {
      check(cudaHostAlloc(&pointer_, bytes, cudaHostAllocMapped), "pinned memory of the host");
    }
  }
  ~Memory() {
    if (where_ == Where::device) {
      cudaFree(pointer_);
    } else {
      cudaFreeHost(pointer_);
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  template <class T = void>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(pointer_);
  }
  void fill(std::span<const std::byte> from) const {
    check(cudaMemcpy(pointer_, from.data(), from.size(), cudaMemcpyDefault), "copying there");
  }
  [[nodiscard]] std::vector<std::byte> bytes(std::size_t size) const {
    std::vector<std::byte> bytes(size);
    check(cudaMemcpy(bytes.data(), pointer_, size, cudaMemcpyDefault), "copying back");
    return bytes;
  }
  template <class T>
  [[nodiscard]] T value() const {
    T value;
    check(cudaMemcpy(&value, pointer_, sizeof value, cudaMemcpyDefault), "copying back");
    return value;
  }

 private:
  Where where_;
  void* pointer_ = nullptr;
};

// The median of what `rounds` runs of some work take, in seconds of the device.
template <class Work>
double median_seconds(int rounds, Work work) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int round = 0; round <= rounds; ++round) {
    check(cudaEventRecord(begin), "cudaEventRecord");
    work();
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the device");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    if (round > 0) times.push_back(milliseconds);  // the first one warms up
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return double{times[static_cast<std::size_t>(rounds) / 2]} / 1000;
}

}  // namespace tightwire::bench
