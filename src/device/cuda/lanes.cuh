// What the kernels' vocabulary (device/kernels/vocabulary.h) means on a CUDA device: the lanes are
// the threads of a block.
#pragma once

#include <cstdint>

#include "device/cuda/warp.cuh"

namespace tightwire::device {

// What several lanes of a step may do to one word; all that add in a step add to the same.
struct CudaWords {
  __device__ static void set_bits(std::uint32_t& word, std::uint32_t bits) {
    atomicOr(&word, bits);
  }
  // One for all threads of a warp that come here together.
  __device__ static void add(std::uint32_t& word, std::uint32_t more) {
#ifdef __HIPCC__
    atomicAdd(&word, more);
#else
    const unsigned here = __activemask();
    const std::uint32_t all = __reduce_add_sync(here, more);
    if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(here))) - 1) {
      atomicAdd(&word, all);
    }
#endif
  }
  __device__ static void lower(std::uint64_t& word, std::uint64_t to) {
    atomicMin(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(to));
  }
  __device__ static void raise(std::uint64_t& word, std::uint64_t to) {
    atomicMax(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(to));
  }
};

// The threads of a warp.
class CudaWarp : public CudaWords {
 public:
  template <class Does>
  __device__ void each(unsigned count, Does does) const {
    for (unsigned i = threadIdx.x; i < count; i += 32) does(i);
    wait();
  }

  template <class Number>
  __device__ std::uint32_t sum(unsigned count, Number number) const {
    std::uint32_t part = 0;
    for (unsigned i = threadIdx.x; i < count; i += 32) part += number(i);
    wait();
#ifdef __HIPCC__
    return warp_sum(part);
#else
    return __reduce_add_sync(~0U, part);
#endif
  }

  template <class Number>
  __device__ std::uint32_t least(unsigned count, Number number) const {
    std::uint32_t least = ~0U;
    for (unsigned i = threadIdx.x; i < count; i += 32) least = min(least, number(i));
    wait();
#ifdef __HIPCC__
    return warp_least(least);
#else
    return __reduce_min_sync(~0U, least);
#endif
  }

  // Of up to two words a thread.
  template <class Word>
  __device__ void sum_before(Word* words, unsigned count) const {
    const unsigned first = 2 * threadIdx.x;
    const Word one = first < count ? words[first] : 0;
    const Word other = first + 1 < count ? words[first + 1] : 0;
    const Word before = warp_sum_up(static_cast<Word>(one + other)) - one - other;
    if (first < count) words[first] = before;
    if (first + 1 < count) words[first + 1] = before + one;
    wait();
  }

 private:
  __device__ static void wait() {
#ifdef __HIPCC__
    __builtin_amdgcn_wave_barrier();
    __threadfence_block();
#else
    __syncwarp();
#endif
  }
};

struct CudaLanes : CudaWords {
  // Of a block whose lanes keep something, or sum up. Other blocks may have any number.
  static constexpr unsigned threads = 512;

  template <class Each, unsigned most>
  struct Kept {
    static constexpr unsigned of_thread = (most + threads - 1) / threads;
    Each each[of_thread];
  };

  template <class Does>
  __device__ void each(unsigned count, Does does) const {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) does(i);
    __syncthreads();
  }

  template <class Each, unsigned most, class Does>
  __device__ void each(Kept<Each, most>& kept, unsigned count, Does does) const {
#pragma unroll
    for (unsigned k = 0; k < kept.of_thread; ++k) {
      const unsigned i = threadIdx.x + k * threads;
      if (i < count) does(i, kept.each[k]);
    }
    __syncthreads();
  }

  // Nothing waits until all is on its way.
  template <class From, class To, class Does>
  __device__ void copy(unsigned count, From from, To to, unsigned others, Does does) const {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
#ifdef __HIPCC__
      *to(i) = *from(i);
#else
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       static_cast<unsigned>(__cvta_generic_to_shared(to(i)))),
                   "l"(__cvta_generic_to_global(from(i)))
                   : "memory");
#endif
    }
    for (unsigned i = threadIdx.x; i < others; i += blockDim.x) does(i);
#ifndef __HIPCC__
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncthreads();
  }

  // The first warp.
  template <class Does>
  __device__ void few(Does does) const {
    CudaWarp warp;
    if (threadIdx.x < 32) does(warp);
    __syncthreads();
  }

  // Of up to two words a thread.
  template <class Word>
  __device__ void sum_before(Word* words, unsigned count) const {
    __shared__ Word of_warps[threads / 32];
    const unsigned first = 2 * threadIdx.x;
    const Word one = first < count ? words[first] : 0;
    const Word other = first + 1 < count ? words[first + 1] : 0;
    const Word sum = warp_sum_up(static_cast<Word>(one + other));
    const unsigned warp = threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    const Word before = warp_sum(lane < warp ? of_warps[lane] : Word{0}) + sum - one - other;
    if (first < count) words[first] = before;
    if (first + 1 < count) words[first + 1] = before + one;
    __syncthreads();
  }
};

}  // namespace tightwire::device
