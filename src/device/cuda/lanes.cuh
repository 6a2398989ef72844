// What the kernels' vocabulary (device/kernels/vocabulary.h) means on a CUDA device: the lanes are
// the threads of a block.
#pragma once

#include <cstdint>

#include "device/cuda/runtime.h"

namespace tightwire::device {

struct CudaLanes {
  template <class Does>
  __device__ void each(unsigned count, Does does) const {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) does(i);
    __syncthreads();
  }

  __device__ static void set_bits(std::uint32_t& word, std::uint32_t bits) {
    atomicOr(&word, bits);
  }
  __device__ static void add(std::uint32_t& word, std::uint32_t more) { atomicAdd(&word, more); }
  __device__ static void lower(std::uint64_t& word, std::uint64_t to) {
    atomicMin(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(to));
  }
  __device__ static void raise(std::uint64_t& word, std::uint64_t to) {
    atomicMax(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(to));
  }
};

}  // namespace tightwire::device
