// What 32 threads do together, and words by which blocks tell each other; for hipcc in HIP's words.
#pragma once

#include <cstdint>

#include "device/cuda/runtime.h"
#ifndef __HIPCC__
#include <cuda/atomic>
#endif

namespace tightwire::device {

// A bit for each of the first 32 threads of a block, which all ask.
__device__ inline std::uint32_t ballot(bool it_is) {
#ifdef __HIPCC__
  return static_cast<std::uint32_t>(__ballot(it_is));
#else
  return __ballot_sync(~0U, it_is);
#endif
}

// The sum over the threads of a warp.
template <class Word>
__device__ inline Word warp_sum(Word part) {
  for (int distance = 16; distance > 0; distance /= 2) {
#ifdef __HIPCC__
    part += __shfl_xor(part, distance, 32);
#else
    part += __shfl_xor_sync(~0U, part, distance);
#endif
  }
  return part;
}

#ifdef __HIPCC__
__device__ inline std::uint32_t warp_least(std::uint32_t part) {
  for (int distance = 16; distance > 0; distance /= 2) {
    part = min(part, __shfl_xor(part, distance, 32));
  }
  return part;
}
#endif

// The sum over the threads of a warp up to this one.
template <class Word>
__device__ inline Word warp_sum_up(Word part) {
  for (unsigned distance = 1; distance < 32; distance *= 2) {
#ifdef __HIPCC__
    const Word before = __shfl_up(part, distance, 32);
#else
    const Word before = __shfl_up_sync(~0U, part, distance);
#endif
    if (threadIdx.x % 32 >= distance) part += before;
  }
  return part;
}

// Whoever sees the word sees all that was written before it.
__device__ inline void store_release(std::uint64_t& to, std::uint64_t word) {
#ifdef __HIPCC__
  __hip_atomic_store(&to, word, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
#else
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(to).store(word,
                                                                       cuda::memory_order_release);
#endif
}
__device__ inline std::uint64_t load_acquire(std::uint64_t& from) {
#ifdef __HIPCC__
  return __hip_atomic_load(&from, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
#else
  return cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(from).load(
      cuda::memory_order_acquire);
#endif
}

}  // namespace tightwire::device
