// What the blocks of a launch know of their message, and how they share its chunks out.
#pragma once

#include "codec/bounded/header_grid.h"
#include "codec/chunked/layout.h"
#include "device/cuda/lanes.cuh"
#include "device/cuda/look_back.cuh"
#include "device/kernels/scalar.h"

namespace tightwire::device {

// Read where the launch has put it, not from a copy.
#ifdef __HIPCC__
#define TIGHTWIRE_PARAMETER
#else
#define TIGHTWIRE_PARAMETER __grid_constant__
#endif

inline constexpr unsigned threads = CudaLanes::threads;
// For all that shared memory has room for.
inline constexpr unsigned blocks_at_once = 2;

// Headers of a whole chunk and of the last one.
struct Headers {
  std::uint8_t whole[header_size];
  std::uint8_t last[header_size];
};

template <class T>
struct Message {
  std::uint64_t count;
  std::uint32_t chunks;
  std::uint64_t payload;  // offset of the first chunk
  Grid<T> grid;
  Headers headers;

  __device__ std::uint64_t first_of(std::uint32_t chunk) const {
    return std::uint64_t{chunk} * Extent<T>::values;
  }
  __device__ unsigned count_of(std::uint32_t chunk) const {
    const std::uint64_t left = count - first_of(chunk);
    return left < Extent<T>::values ? static_cast<unsigned>(left) : Extent<T>::values;
  }
  __device__ const std::uint8_t* header_of(std::uint32_t chunk) const {
    return count_of(chunk) == Extent<T>::values ? headers.whole : headers.last;
  }
};

template <class T>
Message<T> message_of(const codec::bounded::Header& header, std::uint64_t count, Grid<T> grid) {
  const codec::chunked::Cut cut{count, Extent<T>::values};
  Message<T> message{count,
                     static_cast<std::uint32_t>(cut.chunks()),
                     codec::chunked::payload_offset(cut),
                     grid,
                     {}};
  codec::bounded::Header of_chunk = header;
  of_chunk.count = Extent<T>::values;
  codec::bounded::write_header(of_chunk, reinterpret_cast<std::byte*>(message.headers.whole));
  of_chunk.count = count % Extent<T>::values;
  codec::bounded::write_header(of_chunk, reinterpret_cast<std::byte*>(message.headers.last));
  return message;
}

template <class T>
__device__ ChunkMemory<T>& chunk_memory() {
  extern __shared__ __align__(16) unsigned char shared[];
  return *reinterpret_cast<ChunkMemory<T>*>(shared);
}

// Blocks take chunks in order, so that a chunk never waits for one that no block works on.
__device__ inline std::uint32_t next_chunk(std::uint32_t& next) {
  __shared__ std::uint32_t taken;
  if (threadIdx.x == 0) taken = atomicAdd(&next, 1);
  __syncthreads();
  const std::uint32_t chunk = taken;
  __syncthreads();
  return chunk;
}

__device__ inline std::uint64_t place_of_chunk(ChunkEnd* ends, std::uint32_t chunk,
                                               std::uint32_t size) {
  __shared__ std::uint64_t start;
  if (threadIdx.x < 32) {
    const std::uint64_t before = look_back(ends, chunk, size);
    if (threadIdx.x == 0) start = before;
  }
  __syncthreads();
  return start;
}

}  // namespace tightwire::device
