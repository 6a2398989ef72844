#include "device/cuda/codec.h"

#include <algorithm>

#include "codec/bounded/header_grid.h"
#include "device/cuda/lanes.cuh"
#include "device/cuda/look_back.cuh"
#include "device/kernels/decode.h"
#include "device/kernels/encode.h"

namespace tightwire::device {

// What is the same for all chunks of a message.
struct CudaCodec::State {
  std::uint32_t next;  // chunk that no block has taken yet
  std::uint32_t reserved;
  ChunkEnd ends[1];  // one for each chunk
};

namespace {

constexpr unsigned threads = 256;

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

  __device__ unsigned count_of(std::uint32_t chunk) const {
    const std::uint64_t left = count - std::uint64_t{chunk} * Extent<T>::values;
    return left < Extent<T>::values ? static_cast<unsigned>(left) : Extent<T>::values;
  }
  __device__ const std::uint8_t* header_of(std::uint32_t chunk) const {
    return count_of(chunk) == Extent<T>::values ? headers.whole : headers.last;
  }
};

template <class T>
Message<T> message_of(const codec::bounded::Header& header, std::uint64_t count, Grid<T> grid) {
  const codec::chunked::Cut cut{count, Extent<T>::values};
  Message<T> message{count, static_cast<std::uint32_t>(cut.chunks()),
                     codec::chunked::payload_offset(cut), grid, {}};
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
__device__ std::uint32_t next_chunk(std::uint32_t& next) {
  __shared__ std::uint32_t taken;
  if (threadIdx.x == 0) taken = atomicAdd(&next, 1);
  __syncthreads();
  const std::uint32_t chunk = taken;
  __syncthreads();
  return chunk;
}

__device__ std::uint64_t place_of_chunk(ChunkEnd* ends, std::uint32_t chunk, std::uint32_t size) {
  __shared__ std::uint64_t start;
  if (threadIdx.x < 32) {
    const std::uint64_t before = look_back(ends, chunk, size);
    if (threadIdx.x == 0) start = before;
  }
  __syncthreads();
  return start;
}

template <class T>
__global__ void __launch_bounds__(threads)
    encode_chunks(Message<T> message, const T* values, std::uint8_t* out, std::uint64_t* size,
                  std::uint32_t* next, ChunkEnd* ends) {
  CudaLanes lanes;
  auto* const index = reinterpret_cast<std::uint64_t*>(out + codec::chunked::header_size);
  for (std::uint32_t chunk = next_chunk(*next); chunk < message.chunks;
       chunk = next_chunk(*next)) {
    const unsigned count = message.count_of(chunk);
    encode_chunk(lanes, values + std::uint64_t{chunk} * Extent<T>::values, count, message.grid,
                 message.header_of(chunk), chunk_memory<T>(), [&](std::uint32_t bytes) {
                   const std::uint64_t start = place_of_chunk(ends, chunk, bytes);
                   if (threadIdx.x == 0) {
                     index[chunk] = start + bytes;
                     if (chunk + 1 == message.chunks) *size = message.payload + start + bytes;
                   }
                   return out + message.payload + start;
                 });
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    decode_chunks(Message<T> message, const std::uint8_t* encoded, T* values, std::uint32_t* bad,
                  std::uint32_t* next) {
  CudaLanes lanes;
  const auto* const index =
      reinterpret_cast<const std::uint64_t*>(encoded + codec::chunked::header_size);
  for (std::uint32_t chunk = next_chunk(*next); chunk < message.chunks;
       chunk = next_chunk(*next)) {
    const unsigned count = message.count_of(chunk);
    const std::uint64_t start = chunk == 0 ? 0 : index[chunk - 1];
    const auto size = static_cast<std::uint32_t>(index[chunk] - start);
    const std::uint8_t* const in = encoded + message.payload + start;
    T* const to = values + std::uint64_t{chunk} * Extent<T>::values;
    if (size == count * sizeof(T)) {
      auto* const bytes = reinterpret_cast<std::uint8_t*>(to);
      lanes.each(size, [&](unsigned i) { bytes[i] = in[i]; });
    } else if (!decode_chunk(lanes, in, size, count, message.grid, message.header_of(chunk),
                             chunk_memory<T>(), to)) {
      atomicOr(bad, 1U);
      __syncthreads();
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
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes));
}

}  // namespace

CudaCodec::CudaCodec(std::uint32_t most_chunks) : most_chunks_(most_chunks) {
  int device = 0;
  cudaDeviceProp properties{};
  error_ = cudaGetDevice(&device);
  if (error_ == cudaSuccess) error_ = cudaGetDeviceProperties(&properties, device);
  if (error_ != cudaSuccess) return;
  const std::size_t memory = std::max(sizeof(ChunkMemory<float>), sizeof(ChunkMemory<double>));
  const auto at_once = static_cast<unsigned>(properties.sharedMemPerMultiprocessor / (memory + 1024));
  blocks_ = std::max(1U, at_once) * static_cast<unsigned>(properties.multiProcessorCount);
  for (const cudaError_t error :
       {allow_shared(encode_chunks<float>, sizeof(ChunkMemory<float>)),
        allow_shared(encode_chunks<double>, sizeof(ChunkMemory<double>)),
        allow_shared(decode_chunks<float>, sizeof(ChunkMemory<float>)),
        allow_shared(decode_chunks<double>, sizeof(ChunkMemory<double>)),
        cudaMalloc(&d_state_, sizeof(State) + most_chunks * sizeof(ChunkEnd))}) {
    if (error_ == cudaSuccess) error_ = error;
  }
}

CudaCodec::~CudaCodec() {
  cudaFree(d_state_);
}

namespace {

template <class T>
unsigned blocks_for(const Message<T>& message, unsigned most) {
  return std::min(message.chunks, most);
}

}  // namespace

cudaError_t CudaCodec::encode(const codec::bounded::Header& header, const void* d_values,
                              std::uint64_t count, void* d_out, std::uint64_t* d_size,
                              cudaStream_t stream) {
  auto* const out = static_cast<std::uint8_t*>(d_out);
  const auto run = [&]<class T>(const T* values) {
    const auto message = message_of(header, count, codec::bounded::grid_to_encode<T>(header));
    if (message.chunks > most_chunks_) return cudaErrorInvalidValue;
    write_stream_header<<<1, 1, 0, stream>>>(
        {codec::Id::bounded, header.type, {count, Extent<T>::values}}, out, d_size);
    if (message.chunks == 0) return cudaGetLastError();
    const cudaError_t cleared = cudaMemsetAsync(
        d_state_, 0, sizeof(State) + message.chunks * sizeof(ChunkEnd), stream);
    if (cleared != cudaSuccess) return cleared;
    encode_chunks<T><<<blocks_for(message, blocks_), threads, sizeof(ChunkMemory<T>), stream>>>(
        message, values, out, d_size, &d_state_->next, d_state_->ends);
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
    for (const cudaError_t error : {cudaMemsetAsync(d_state_, 0, sizeof(State), stream),
                                    cudaMemsetAsync(d_bad, 0, sizeof *d_bad, stream)}) {
      if (error != cudaSuccess) return error;
    }
    if (message.chunks == 0) return cudaSuccess;
    decode_chunks<T><<<blocks_for(message, blocks_), threads, sizeof(ChunkMemory<T>), stream>>>(
        message, static_cast<const std::uint8_t*>(d_encoded), values, d_bad, &d_state_->next);
    return cudaGetLastError();
  };
  if (header.type == codec::ElementType::float32) return run(static_cast<float*>(d_values));
  return run(static_cast<double*>(d_values));
}

}  // namespace tightwire::device
