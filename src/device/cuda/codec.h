// The device profile of `bounded` on a CUDA device.
//
// Buffers named d_… are memory that the device can address: its own, or mapped pinned memory, so
// that encodings may go straight to the host. Everything is ordered by the stream that is given and
// nothing waits. Errors are CUDA's, of the launch. Thread safety: one thread for each Codec.
#pragma once

#include <cstdint>
#include <span>

#include "codec/bounded/layout.h"
#include "codec/chunked/layout.h"
#include "device/cuda/runtime.h"

namespace tightwire::device {

class CudaCodec {
 public:
  // Memory for messages of up to `most_chunks` chunks is taken at once; error() tells whether it
  // could be had.
  explicit CudaCodec(std::uint32_t most_chunks);
  ~CudaCodec();
  CudaCodec(const CudaCodec&) = delete;
  CudaCodec& operator=(const CudaCodec&) = delete;

  [[nodiscard]] cudaError_t error() const { return error_; }

  // A stream of the profile at `d_out`, which has max_encoded_size() bytes (host_codec.h) and is
  // aligned to 8. `header` is that of header_for() or header_for_sums(). `d_size` gets the stream's
  // size when it is there.
  cudaError_t encode(const codec::bounded::Header& header, const void* d_values,
                     std::uint64_t count, void* d_out, std::uint64_t* d_size, cudaStream_t stream);

  // `header` is that of the first chunk that is not stored, or any if all are. The stream's header
  // and index have been checked by the caller (chunked::View::open()). `d_bad` gets 1 if a chunk
  // was damaged or none of the profile, else 0.
  cudaError_t decode(const codec::bounded::Header& header, const void* d_encoded,
                     std::uint64_t count, void* d_values, std::uint32_t* d_bad,
                     cudaStream_t stream);

  // The encoding of the sum of what `d_incoming` holds, a stream like that of decode(), and of
  // `d_own`. `header` is that of header_for_sums(). `d_out` and `d_size` are as for encode(), and
  // count where `d_bad` gets 0.
  cudaError_t merge(const codec::bounded::Header& header, const void* d_incoming, const void* d_own,
                    std::uint64_t count, void* d_out, std::uint64_t* d_size, std::uint32_t* d_bad,
                    cudaStream_t stream);

  // The same of what two such streams of `count` values hold. Takes more memory of the device the
  // first time: 130 KiB for each block that it holds at once.
  cudaError_t combine(const codec::bounded::Header& header, const void* d_first,
                      const void* d_second, std::uint64_t count, void* d_out, std::uint64_t* d_size,
                      std::uint32_t* d_bad, cudaStream_t stream);

 private:
  struct State;  // on the device

  template <class T>
  cudaError_t begin_stream(const codec::bounded::Header& header, std::uint64_t count,
                           std::uint32_t chunks, std::uint8_t* out, std::uint64_t* d_size,
                           cudaStream_t stream);

  std::uint32_t most_chunks_;
  unsigned blocks_ = 0;  // that the device holds at once
  State* d_state_ = nullptr;
  void* d_kept_ = nullptr;   // a chunk for each block
  void* d_aside_ = nullptr;  // an operand for each block
  cudaError_t error_ = cudaSuccess;
};

}  // namespace tightwire::device
