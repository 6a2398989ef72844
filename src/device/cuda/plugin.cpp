// libtightwire_cuda.so: the kernels behind the interface by which messages use them.
#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "codec/float_environment.h"
#include "device/cuda/codec.h"
#include "device/cuda/looks.h"
#include "device/cuda/plugin_memory.h"
#include "device/grids.h"
#include "device/host_codec.h"
#include "device/plugin/interface.h"
#include "device/profile.h"
#include "device/stream.h"

namespace tightwire::device {
namespace {

using codec::ElementType;

std::string& text_of_thread() {
  thread_local std::string text;
  return text;
}

const char* last_error() {
  return text_of_thread().c_str();
}

TightwirePluginCode failed(cudaError_t error) {
  text_of_thread() = std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
  switch (error) {
    case cudaErrorMemoryAllocation:
      return TIGHTWIRE_PLUGIN_NO_MEMORY;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return TIGHTWIRE_PLUGIN_TOO_OLD;
    default:
      return TIGHTWIRE_PLUGIN_FAILED;
  }
}

TightwirePluginCode refused(TightwirePluginCode code, const char* why) {
  text_of_thread() = why;
  return code;
}

ElementType type_of(const TightwirePluginValues& values) {
  return values.is_double != 0 ? ElementType::float64 : ElementType::float32;
}

cudaStream_t stream_of(const TightwirePluginPlace* place) {
  return static_cast<cudaStream_t>(place->stream);
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
Coder& coder_of(void* context) {
  static auto* const mutex = new std::mutex;
  static auto* const coders = new std::map<void*, std::unique_ptr<Coder>>;
  const std::scoped_lock lock(*mutex);
  std::unique_ptr<Coder>& coder = (*coders)[context];
  if (coder == nullptr || coder->error() != cudaSuccess) coder = std::make_unique<Coder>();
  return *coder;
}

// Runs `body` with the context's coder, by itself; what it throws is a lack of memory.
template <class Body>
TightwirePluginCode with_coder(const TightwirePluginPlace* place, Body body) try {
  Coder& coder = coder_of(place->context);
  if (coder.error() != cudaSuccess) return failed(coder.error());
  const std::scoped_lock lock(coder.mutex);
  const codec::FloatEnvironment environment;  // grids are reckoned here
  return body(coder);
} catch (const std::exception& error) {
  return refused(TIGHTWIRE_PLUGIN_NO_MEMORY, error.what());
}

cudaError_t first_of(std::initializer_list<cudaError_t> errors) {
  for (const cudaError_t error : errors) {
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

std::uint64_t max_size(std::uint64_t count, std::int32_t is_double) {
  return max_encoded_size(is_double != 0 ? ElementType::float64 : ElementType::float32, count);
}

TightwirePluginRange range_told(const Coder& coder, ElementType type, unsigned which) {
  const auto [smallest, largest] = ends_of(type, coder.answers().ranges[which]);
  return {smallest, largest};
}

TightwirePluginCode look(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                         TightwirePluginRange* range, std::uint32_t pieces, std::uint32_t length,
                         void* sample) {
  return with_coder(place, [&](Coder& coder) {
    const cudaStream_t stream = stream_of(place);
    const ElementType type = type_of(*values);
    cudaError_t error =
        find_ranges(type, values->values, values->count, coder.d_answers().ranges, 1, stream);
    if (error == cudaSuccess && sample != nullptr) {
      error = device::take_sample(type, values->values, {values->count, pieces, length}, sample,
                                  stream);
    }
    if (error == cudaSuccess) error = coder.bring_answers(stream);
    if (error != cudaSuccess) return failed(error);
    *range = range_told(coder, type, 0);
    return TIGHTWIRE_PLUGIN_DONE;
  });
}

TightwirePluginCode find_ends(const TightwirePluginPlace* place,
                              const TightwirePluginValues* values, TightwirePluginRange* ranges) {
  return with_coder(place, [&](Coder& coder) {
    const cudaStream_t stream = stream_of(place);
    const ElementType type = type_of(*values);
    const cudaError_t error =
        first_of({find_ranges(type, values->values, values->count, coder.d_answers().ranges,
                              TIGHTWIRE_PLUGIN_ENDS, stream),
                  coder.bring_answers(stream)});
    if (error != cudaSuccess) return failed(error);
    for (unsigned i = 0; i < TIGHTWIRE_PLUGIN_ENDS; ++i) ranges[i] = range_told(coder, type, i);
    return TIGHTWIRE_PLUGIN_DONE;
  });
}

TightwirePluginCode encode_by(Coder& coder, const codec::bounded::Header& header,
                              const TightwirePluginValues& values, void* encoded,
                              std::uint64_t* encoded_size, cudaStream_t stream) {
  if (header.grid == codec::bounded::GridKind::none) {
    return refused(TIGHTWIRE_PLUGIN_TOO_FINE, "no grid is fine enough");
  }
  if (const cudaError_t error = coder.prepare(values); error != cudaSuccess) return failed(error);
  const cudaError_t run = first_of({coder.codec().encode(header, values.values, values.count,
                                                         encoded, &coder.d_answers().size, stream),
                                    coder.bring_answers(stream)});
  if (run != cudaSuccess) return failed(run);
  *encoded_size = coder.answers().size;
  return TIGHTWIRE_PLUGIN_DONE;
}

TightwirePluginCode encode(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                           double error_bound, const TightwirePluginRange* range, void* encoded,
                           std::uint64_t* encoded_size) {
  return with_coder(place, [&](Coder& coder) {
    const bool any = range->smallest <= range->largest;
    const auto header = header_for(type_of(*values), error_bound, any ? range->smallest : 0,
                                   any ? range->largest : 0);
    return encode_by(coder, header, *values, encoded, encoded_size, stream_of(place));
  });
}

struct Incoming {
  const void* stream;
  std::uint64_t size;
};

TightwirePluginCode damaged() {
  return refused(TIGHTWIRE_PLUGIN_OTHER_STREAM, "a chunk is damaged, or none of the profile");
}

// Makes ready for a stream of so many values, whose header and index are checked.
TightwirePluginCode receive(Coder& coder, const Incoming& incoming,
                            const TightwirePluginValues& values, codec::bounded::Header& header) {
  const std::span stream(static_cast<const std::byte*>(incoming.stream), incoming.size);
  if (open_stream(stream, type_of(values), values.count, header) != codec::Error::none) {
    return refused(TIGHTWIRE_PLUGIN_OTHER_STREAM, "no stream of the device profile");
  }
  if (const cudaError_t error = coder.prepare(values); error != cudaSuccess) return failed(error);
  // Vectors are read up to their end.
  const cudaError_t error = coder.scratch.grow(incoming.size + 64);
  return error == cudaSuccess ? TIGHTWIRE_PLUGIN_DONE : failed(error);
}

// The stream is copied first: the kernel reads it in small pieces, here and there.
cudaError_t run_decode(Coder& coder, const codec::bounded::Header& header, const Incoming& incoming,
                       const TightwirePluginValues& values, cudaStream_t stream) {
  return first_of({cudaMemcpyAsync(coder.scratch.memory(), incoming.stream, incoming.size,
                                   cudaMemcpyDefault, stream),
                   coder.codec().decode(header, coder.scratch.memory(), values.count, values.values,
                                        &coder.d_answers().bad, stream),
                   coder.bring_answers(stream)});
}

TightwirePluginCode decode(const TightwirePluginPlace* place, const void* encoded,
                           std::uint64_t size, const TightwirePluginValues* values) {
  return with_coder(place, [&](Coder& coder) {
    codec::bounded::Header header;
    const auto code = receive(coder, {encoded, size}, *values, header);
    if (code != TIGHTWIRE_PLUGIN_DONE) return code;
    const cudaError_t error = run_decode(coder, header, {encoded, size}, *values, stream_of(place));
    if (error != cudaSuccess) return failed(error);
    return coder.answers().bad == 0 ? TIGHTWIRE_PLUGIN_DONE : damaged();
  });
}

TightwirePluginCode encode_term(const TightwirePluginPlace* place,
                                const TightwirePluginValues* values, const TightwirePluginSum* sum,
                                void* encoded, std::uint64_t* encoded_size) {
  return with_coder(place, [&](Coder& coder) {
    return encode_by(coder, header_for_sums(type_of(*values), sum->error_bound, sum->terms),
                     *values, encoded, encoded_size, stream_of(place));
  });
}

// As run_decode().
cudaError_t run_merge(Coder& coder, const codec::bounded::Header& header, const Incoming& incoming,
                      const TightwirePluginValues& own, void* encoded, cudaStream_t stream) {
  return first_of(
      {cudaMemcpyAsync(coder.scratch.memory(), incoming.stream, incoming.size, cudaMemcpyDefault,
                       stream),
       coder.codec().merge(header, coder.scratch.memory(), own.values, own.count, encoded,
                           &coder.d_answers().size, &coder.d_answers().bad, stream),
       coder.bring_answers(stream)});
}

TightwirePluginCode add_term(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                             const TightwirePluginSum* sum, const void* incoming,
                             std::uint64_t incoming_size, void* encoded,
                             std::uint64_t* encoded_size) {
  return with_coder(place, [&](Coder& coder) {
    codec::bounded::Header header;
    const auto code = receive(coder, {incoming, incoming_size}, *values, header);
    if (code != TIGHTWIRE_PLUGIN_DONE) return code;
    const cudaError_t error =
        run_merge(coder, header_for_sums(type_of(*values), sum->error_bound, sum->terms),
                  {incoming, incoming_size}, *values, encoded, stream_of(place));
    if (error != cudaSuccess) return failed(error);
    *encoded_size = coder.answers().size;
    return coder.answers().bad == 0 ? TIGHTWIRE_PLUGIN_DONE : damaged();
  });
}

constexpr TightwirePlugin functions{plugin_version, last_error, max_size,    look,    find_ends,
                                    encode,         decode,     encode_term, add_term};

}  // namespace
}  // namespace tightwire::device

extern "C" [[gnu::visibility("default")]] const tightwire::device::TightwirePlugin*
tightwire_plugin() {
  return &tightwire::device::functions;
}
