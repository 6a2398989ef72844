// What the plugin keeps of one context: the codec, memory for its answers and for streams.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "device/cuda/codec.h"
#include "device/cuda/looks.h"
#include "device/cuda/plugin_memory.h"
#include "device/plugin/interface.h"
#include "device/profile.h"

namespace tightwire::device {

inline codec::ElementType type_of(const TightwirePluginValues& values) {
  return values.is_double != 0 ? codec::ElementType::float64 : codec::ElementType::float32;
}

// What a device answers with.
struct Answers {
  OrderedRange ranges[TIGHTWIRE_PLUGIN_ENDS];
  std::uint64_t size;
  std::uint32_t bad;
};

// Of one context: one message at a time.
class Coder {
 public:
  Coder() {
    error_ = on_device_.grow(sizeof(Answers));
    if (error_ == cudaSuccess) error_ = here_.grow(sizeof(Answers));
  }
  [[nodiscard]] cudaError_t error() const { return error_; }

  // Where the device puts them, and once they have been brought here: all that is before in the
  // stream is then complete.
  [[nodiscard]] Answers& d_answers() const { return *static_cast<Answers*>(on_device_.memory()); }
  [[nodiscard]] const Answers& answers() const { return *static_cast<Answers*>(here_.memory()); }
  cudaError_t bring_answers(cudaStream_t stream) {
    const cudaError_t error = cudaMemcpyAsync(here_.memory(), on_device_.memory(), sizeof(Answers),
                                              cudaMemcpyDeviceToHost, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
  }

  // For messages of so many values.
  cudaError_t prepare(const TightwirePluginValues& values) {
    const std::uint64_t per_chunk = chunk_bytes / codec::element_size(type_of(values));
    const std::uint64_t chunks = values.count / per_chunk + 1;
    if (chunks > UINT32_MAX / 2) return cudaErrorInvalidValue;
    if (codec_ != nullptr && chunks <= most_chunks_) return cudaSuccess;
    most_chunks_ = 64;
    while (most_chunks_ < chunks) most_chunks_ *= 2;
    codec_.reset();
    auto made = std::make_unique<CudaCodec>(most_chunks_);
    if (made->error() != cudaSuccess) return made->error();
    codec_ = std::move(made);
    return cudaSuccess;
  }
  [[nodiscard]] CudaCodec& codec() const { return *codec_; }

  // Memory of the device for a stream.
  DeviceMemory scratch;
  std::mutex mutex;

 private:
  cudaError_t error_;
  DeviceMemory on_device_;
  PinnedMemory here_;
  std::unique_ptr<CudaCodec> codec_;
  std::uint32_t most_chunks_ = 0;
};

// Never destroyed: the driver may be gone by then.
inline Coder& coder_of(void* context) {
  static auto* const mutex = new std::mutex;
  static auto* const coders = new std::map<void*, std::unique_ptr<Coder>>;
  const std::scoped_lock lock(*mutex);
  std::unique_ptr<Coder>& coder = (*coders)[context];
  if (coder == nullptr || coder->error() != cudaSuccess) coder = std::make_unique<Coder>();
  return *coder;
}

}  // namespace tightwire::device
