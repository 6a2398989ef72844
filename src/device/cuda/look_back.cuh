// Where each chunk's bytes go, in one pass: decoupled look-back (Merrill and Garland, "Single-pass
// parallel prefix scan with decoupled look-back", NVR-2016-002), a warp at a time, with acquire and
// release as PFPL has it.
#pragma once

#include "device/cuda/warp.cuh"

namespace tightwire::device {

// What a chunk has made known: nothing yet, its own size, or the end of all up to it.
class ChunkEnd {
 public:
  enum State : std::uint64_t { nothing = 0, own = 1, all = 2 };

  __device__ static std::uint64_t word(State state, std::uint64_t bytes) {
    return std::uint64_t{state} << 62 | bytes;
  }
  __device__ static State state(std::uint64_t word) { return static_cast<State>(word >> 62); }
  __device__ static std::uint64_t bytes(std::uint64_t word) { return word & ~(3ULL << 62); }

  __device__ void publish(std::uint64_t word) { store_release(word_, word); }
  // Waits until something is known. Blocks take chunks in order, so those before run already.
  __device__ std::uint64_t known() {
    std::uint64_t now = load_acquire(word_);
    while (state(now) == nothing) now = load_acquire(word_);
    return now;
  }

 private:
  std::uint64_t word_;  // 0 at the start
};

// By one thread: `chunk` is `size` long.
__device__ inline void publish_size(ChunkEnd* ends, std::uint32_t chunk, std::uint32_t size) {
  ends[chunk].publish(ChunkEnd::word(chunk == 0 ? ChunkEnd::all : ChunkEnd::own, size));
}

// The end of all chunks before `chunk`, which is `size` long itself, as has been published. For the
// first warp of a block, all 32 threads of it.
__device__ inline std::uint64_t look_back(ChunkEnd* ends, std::uint32_t chunk, std::uint32_t size) {
  const unsigned lane = threadIdx.x % 32;
  std::uint64_t before = 0;
  for (std::int64_t nearest = std::int64_t{chunk} - 1; nearest >= 0; nearest -= 32) {
    const std::int64_t mine = nearest - lane;
    const std::uint64_t word = mine < 0 ? ChunkEnd::word(ChunkEnd::all, 0) : ends[mine].known();
    const std::uint32_t final = ballot(ChunkEnd::state(word) == ChunkEnd::all);
    const unsigned last =
        final == 0 ? 31 : static_cast<unsigned>(__ffs(static_cast<int>(final))) - 1;
    before += warp_sum(lane <= last ? ChunkEnd::bytes(word) : std::uint64_t{0});
    if (final != 0) break;
  }
  if (lane == 0 && chunk != 0) {
    ends[chunk].publish(ChunkEnd::word(ChunkEnd::all, before + size));
  }
  return before;
}

}  // namespace tightwire::device
