#include <algorithm>

#include "device/cuda/codec.h"
#include "device/cuda/lanes.cuh"
#include "device/cuda/stream.cuh"

namespace tightwire::device {

// What is the same for all chunks of a message.
struct CudaCodec::State {
  std::uint32_t next;  // chunk that no block has taken yet
  std::uint32_t reserved;
  ChunkEnd ends[1];  // one for each chunk
};

namespace {

static_assert(Extent<float>::blocks <= 2 * CudaLanes::threads, "for sum_before()");

template <class T>
__global__ void __launch_bounds__(threads, blocks_at_once)
    encode_chunks(const TIGHTWIRE_PARAMETER Message<T> message, const T* values, Written out) {
  CudaLanes lanes;
  for (std::uint32_t chunk = next_chunk(*out.next); chunk < message.chunks;
       chunk = next_chunk(*out.next)) {
    PlaceInStream<T> place(message, out, chunk);
    encode_chunk(lanes, values + message.first_of(chunk), message.count_of(chunk), message.grid,
                 message.header_of(chunk), chunk_memory<T>(), place);
  }
}

template <class T>
__global__ void __launch_bounds__(threads, blocks_at_once)
    decode_chunks(const TIGHTWIRE_PARAMETER Message<T> message, Read encoded, T* values,
                  std::uint32_t* bad) {
  CudaLanes lanes;
  // No chunk waits for another, so each block knows early what comes next.
  EncodedChunk in = encoded.at(message, blockIdx.x);
  EncodedChunk next = encoded.at(message, blockIdx.x + gridDim.x);
  for (std::uint32_t chunk = blockIdx.x; chunk < message.chunks; chunk += gridDim.x) {
    const unsigned count = message.count_of(chunk);
    ask_for(next);
    const EncodedChunk after = encoded.at(message, chunk + 2 * gridDim.x);
    T* const to = values + message.first_of(chunk);
    if (in.size == count * sizeof(T)) {
      auto* const bytes = reinterpret_cast<std::uint8_t*>(to);
      lanes.each(in.size, [&](unsigned i) { bytes[i] = in.bytes[i]; });
    } else if (!decode_chunk(lanes, in.bytes, in.size, count, message.grid,
                             message.header_of(chunk), chunk_memory<T>(), to)) {
      atomicOr(bad, 1U);
      __syncthreads();
    }
    in = next;
    next = after;
  }
}

// A chunk of a sum that cannot be had. Those behind it wait to know where it ends.
template <class Place>
__device__ void leave_out(Place& place, std::uint32_t* bad) {
  atomicOr(bad, 1U);
  place.offer(0);
  place.take();
  __syncthreads();
}

// Each block has its part of `kept`, for the exceptions of the chunk that it works on.
template <class T>
__global__ void __launch_bounds__(threads, blocks_at_once)
    merge_chunks(const TIGHTWIRE_PARAMETER Message<T> message, Read incoming, const T* own, T* kept,
                 Written out, std::uint32_t* bad) {
  CudaLanes lanes;
  T* const kept_here = kept + std::size_t{blockIdx.x} * Extent<T>::values;
  for (std::uint32_t chunk = next_chunk(*out.next); chunk < message.chunks;
       chunk = next_chunk(*out.next)) {
    const EncodedChunk in = incoming.at(message, chunk);
    PlaceInStream<T> place(message, out, chunk);
    if (!merge_chunk(lanes, in.bytes, in.size, own + message.first_of(chunk),
                     message.count_of(chunk), message.grid, message.header_of(chunk),
                     chunk_memory<T>(), kept_here, place)) {
      leave_out(place, bad);
    }
  }
}

// Each block has its parts of `aside` and `kept`.
template <class T>
__global__ void __launch_bounds__(threads, blocks_at_once)
    combine_chunks(const TIGHTWIRE_PARAMETER Message<T> message, Read first, Read second,
                   Aside<T>* aside, T* kept, Written out, std::uint32_t* bad) {
  CudaLanes lanes;
  T* const kept_here = kept + std::size_t{blockIdx.x} * Extent<T>::values;
  for (std::uint32_t chunk = next_chunk(*out.next); chunk < message.chunks;
       chunk = next_chunk(*out.next)) {
    PlaceInStream<T> place(message, out, chunk);
    if (!combine_chunk(lanes, first.at(message, chunk), second.at(message, chunk),
                       message.count_of(chunk), message.grid, message.header_of(chunk),
                       chunk_memory<T>(), aside[blockIdx.x], kept_here, place)) {
      leave_out(place, bad);
    }
  }
}

__global__ void write_stream_header(codec::chunked::Header header, std::uint8_t* out,
                                    std::uint64_t* size) {
  // As codec::chunked::write_header() does.
  const std::uint64_t fields[2] = {header.cut.count, header.cut.values_per_chunk};
  out[0] = 'T';
  out[1] = 'W';
  out[2] = 'C';
  out[3] = codec::chunked::format_version;
  out[4] = static_cast<std::uint8_t>(header.codec);
  out[5] = static_cast<std::uint8_t>(header.type);
  out[6] = out[7] = 0;
  for (unsigned i = 0; i < 16; ++i) {
    out[8 + i] = static_cast<std::uint8_t>(fields[i / 8] >> 8 * (i % 8));
  }
  *size = codec::chunked::header_size;
}

template <class Kernel>
cudaError_t allow_shared(Kernel kernel, std::size_t bytes) {
#ifdef __HIPCC__
  return hipFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
#else
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes));
#endif
}

}  // namespace

CudaCodec::CudaCodec(std::uint32_t most_chunks) : most_chunks_(most_chunks) {
  int device = 0;
  cudaDeviceProp properties{};
  error_ = cudaGetDevice(&device);
  if (error_ == cudaSuccess) error_ = cudaGetDeviceProperties(&properties, device);
  if (error_ != cudaSuccess) return;
  const std::size_t memory = std::max(sizeof(ChunkMemory<float>), sizeof(ChunkMemory<double>));
  const auto at_once =
      static_cast<unsigned>(properties.sharedMemPerMultiprocessor / (memory + 1024));
  blocks_ = std::max(1U, at_once) * static_cast<unsigned>(properties.multiProcessorCount);
  for (const cudaError_t error :
       {allow_shared(encode_chunks<float>, sizeof(ChunkMemory<float>)),
        allow_shared(encode_chunks<double>, sizeof(ChunkMemory<double>)),
        allow_shared(decode_chunks<float>, sizeof(ChunkMemory<float>)),
        allow_shared(decode_chunks<double>, sizeof(ChunkMemory<double>)),
        allow_shared(merge_chunks<float>, sizeof(ChunkMemory<float>)),
        allow_shared(merge_chunks<double>, sizeof(ChunkMemory<double>)),
        allow_shared(combine_chunks<float>, sizeof(ChunkMemory<float>)),
        allow_shared(combine_chunks<double>, sizeof(ChunkMemory<double>)),
        cudaMalloc(&d_kept_, std::size_t{blocks_} * chunk_bytes),
        cudaMalloc(&d_state_, sizeof(State) + most_chunks * sizeof(ChunkEnd))}) {
    if (error_ == cudaSuccess) error_ = error;
  }
}

CudaCodec::~CudaCodec() {
  static_cast<void>(cudaFree(d_kept_));
  static_cast<void>(cudaFree(d_aside_));
  static_cast<void>(cudaFree(d_state_));
}

namespace {

template <class T>
unsigned blocks_for(const Message<T>& message, unsigned most) {
  return std::min(message.chunks, most);
}

// The first error; all are made.
cudaError_t first_of(std::initializer_list<cudaError_t> errors) {
  for (const cudaError_t error : errors) {
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

template <class T>
cudaError_t CudaCodec::begin_stream(const codec::bounded::Header& header, std::uint64_t count,
                                    std::uint32_t chunks, std::uint8_t* out, std::uint64_t* d_size,
                                    cudaStream_t stream) {
  if (chunks > most_chunks_) return cudaErrorInvalidValue;
  write_stream_header<<<1, 1, 0, stream>>>(
      {codec::Id::bounded, header.type, {count, Extent<T>::values}}, out, d_size);
  return first_of(
      {cudaGetLastError(),
       cudaMemsetAsync(d_state_, 0, sizeof(State) + chunks * sizeof(ChunkEnd), stream)});
}

cudaError_t CudaCodec::encode(const codec::bounded::Header& header, const void* d_values,
                              std::uint64_t count, void* d_out, std::uint64_t* d_size,
                              cudaStream_t stream) {
  auto* const out = static_cast<std::uint8_t*>(d_out);
  const auto run = [&]<class T>(const T* values) {
    const auto message = message_of(header, count, codec::bounded::grid_to_encode<T>(header));
    const cudaError_t begun = begin_stream<T>(header, count, message.chunks, out, d_size, stream);
    if (begun != cudaSuccess || message.chunks == 0) return begun;
    encode_chunks<T><<<blocks_for(message, blocks_), threads, sizeof(ChunkMemory<T>), stream>>>(
        message, values, Written{out, d_size, &d_state_->next, d_state_->ends});
    return cudaGetLastError();
  };
  if (header.type == codec::ElementType::float32) return run(static_cast<const float*>(d_values));
  return run(static_cast<const double*>(d_values));
}

cudaError_t CudaCodec::decode(const codec::bounded::Header& header, const void* d_encoded,
                              std::uint64_t count, void* d_values, std::uint32_t* d_bad,
                              cudaStream_t stream) {
  const auto run = [&]<class T>(T* values) {
    const auto message = message_of(header, count, codec::bounded::grid_of<T>(header));
    const cudaError_t begun = cudaMemsetAsync(d_bad, 0, sizeof *d_bad, stream);
    if (begun != cudaSuccess || message.chunks == 0) return begun;
    decode_chunks<T><<<blocks_for(message, blocks_), threads, sizeof(ChunkMemory<T>), stream>>>(
        message, Read{static_cast<const std::uint8_t*>(d_encoded)}, values, d_bad);
    return cudaGetLastError();
  };
  if (header.type == codec::ElementType::float32) return run(static_cast<float*>(d_values));
  return run(static_cast<double*>(d_values));
}

cudaError_t CudaCodec::merge(const codec::bounded::Header& header, const void* d_incoming,
                             const void* d_own, std::uint64_t count, void* d_out,
                             std::uint64_t* d_size, std::uint32_t* d_bad, cudaStream_t stream) {
  auto* const out = static_cast<std::uint8_t*>(d_out);
  const auto run = [&]<class T>(const T* own) {
    const auto message = message_of(header, count, codec::bounded::grid_to_encode<T>(header));
    const cudaError_t begun =
        first_of({cudaMemsetAsync(d_bad, 0, sizeof *d_bad, stream),
                  begin_stream<T>(header, count, message.chunks, out, d_size, stream)});
    if (begun != cudaSuccess || message.chunks == 0) return begun;
    merge_chunks<T><<<blocks_for(message, blocks_), threads, sizeof(ChunkMemory<T>), stream>>>(
        message, Read{static_cast<const std::uint8_t*>(d_incoming)}, own, static_cast<T*>(d_kept_),
        Written{out, d_size, &d_state_->next, d_state_->ends}, d_bad);
    return cudaGetLastError();
  };
  if (header.type == codec::ElementType::float32) return run(static_cast<const float*>(d_own));
  return run(static_cast<const double*>(d_own));
}

cudaError_t CudaCodec::combine(const codec::bounded::Header& header, const void* d_first,
                               const void* d_second, std::uint64_t count, void* d_out,
                               std::uint64_t* d_size, std::uint32_t* d_bad, cudaStream_t stream) {
  constexpr std::size_t aside = std::max(sizeof(Aside<float>), sizeof(Aside<double>));
  if (d_aside_ == nullptr) {
    const cudaError_t error = cudaMalloc(&d_aside_, blocks_ * aside);
    if (error != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // not to be taken for that of a launch
      return error;
    }
  }
  auto* const out = static_cast<std::uint8_t*>(d_out);
  const auto run = [&]<class T>(T* kept) {
    const auto message = message_of(header, count, codec::bounded::grid_to_encode<T>(header));
    const cudaError_t begun =
        first_of({cudaMemsetAsync(d_bad, 0, sizeof *d_bad, stream),
                  begin_stream<T>(header, count, message.chunks, out, d_size, stream)});
    if (begun != cudaSuccess || message.chunks == 0) return begun;
    combine_chunks<T><<<blocks_for(message, blocks_), threads, sizeof(ChunkMemory<T>), stream>>>(
        message, Read{static_cast<const std::uint8_t*>(d_first)},
        Read{static_cast<const std::uint8_t*>(d_second)}, static_cast<Aside<T>*>(d_aside_), kept,
        Written{out, d_size, &d_state_->next, d_state_->ends}, d_bad);
    return cudaGetLastError();
  };
  if (header.type == codec::ElementType::float32) return run(static_cast<float*>(d_kept_));
  return run(static_cast<double*>(d_kept_));
}

}  // namespace tightwire::device
