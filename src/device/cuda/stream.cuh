// Streams as the blocks of a launch write and read them.
#pragma once

#include "device/cuda/message.cuh"
#include "device/kernels/combine.h"

namespace tightwire::device {

// A stream that is written: its index, its size when that is known, and where its chunks end.
struct Written {
  std::uint8_t* stream;
  std::uint64_t* size;
  std::uint32_t* next;
  ChunkEnd* ends;
};

// Where a chunk of a stream goes (PlaceAtOnce in kernels/encode.h says how it is asked). For all
// threads of a block.
template <class T>
class PlaceInStream {
 public:
  __device__ PlaceInStream(const Message<T>& message, const Written& written, std::uint32_t chunk)
      : message_(message), written_(written), chunk_(chunk) {}

  __device__ void offer(std::uint32_t size) {
    size_ = size;
    if (threadIdx.x == 0) publish_size(written_.ends, chunk_, size);
  }
  __device__ std::uint8_t* take() const {
    auto* const index =
        reinterpret_cast<std::uint64_t*>(written_.stream + codec::chunked::header_size);
    const std::uint64_t start = place_of_chunk(written_.ends, chunk_, size_);
    if (threadIdx.x == 0) {
      index[chunk_] = start + size_;
      if (chunk_ + 1 == message_.chunks) *written_.size = message_.payload + start + size_;
    }
    return written_.stream + message_.payload + start;
  }

 private:
  const Message<T>& message_;
  const Written& written_;
  std::uint32_t chunk_;
  std::uint32_t size_ = 0;
};

// One that is read; header and index have been checked.
struct Read {
  const std::uint8_t* stream;

  template <class T>
  __device__ EncodedChunk at(const Message<T>& message, std::uint32_t chunk) const {
    if (chunk >= message.chunks) return {stream, 0};
    const auto* const index =
        reinterpret_cast<const std::uint64_t*>(stream + codec::chunked::header_size);
    const std::uint64_t start = chunk == 0 ? 0 : index[chunk - 1];
    return {stream + message.payload + start, static_cast<std::uint32_t>(index[chunk] - start)};
  }
};

// So that its bytes are on the way while another chunk is worked on.
__device__ inline void ask_for(const EncodedChunk& chunk) {
#ifndef __HIPCC__
  constexpr unsigned line = 128;
  for (std::uint32_t at = threadIdx.x * line; at < chunk.size; at += blockDim.x * line) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(chunk.bytes + at));
  }
#endif
}

}  // namespace tightwire::device
