// libtightwire_cuda.so: the kernels behind the interface by which messages use them.
#include <cuda_runtime_api.h>

#include <string>

#include "codec/float_environment.h"
#include "device/cuda/looks.h"
#include "device/cuda/plugin_coder.h"
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

cudaStream_t stream_of(const TightwirePluginPlace* place) {
  return static_cast<cudaStream_t>(place->stream);
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

using Incoming = TightwirePluginStream;

TightwirePluginCode damaged() {
  return refused(TIGHTWIRE_PLUGIN_OTHER_STREAM, "a chunk is damaged, or none of the profile");
}

// What a stream takes in the scratch memory: vectors are read up to their end, and the next one
// begins at a multiple of 64.
std::uint64_t room_for(const Incoming& incoming) {
  return incoming.size / 64 * 64 + 128;
}

// Makes ready for streams of so many values, whose headers and indices are checked; `header` is
// that of the last.
TightwirePluginCode receive(Coder& coder, std::initializer_list<Incoming> all,
                            const TightwirePluginValues& values, codec::bounded::Header& header) {
  std::uint64_t room = 0;
  for (const Incoming& incoming : all) {
    const std::span stream(static_cast<const std::byte*>(incoming.stream), incoming.size);
    if (open_stream(stream, type_of(values), values.count, header) != codec::Error::none) {
      return refused(TIGHTWIRE_PLUGIN_OTHER_STREAM, "no stream of the device profile");
    }
    room += room_for(incoming);
  }
  if (const cudaError_t error = coder.prepare(values); error != cudaSuccess) return failed(error);
  const cudaError_t error = coder.scratch.grow(room);
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
    const auto code = receive(coder, {{encoded, size}}, *values, header);
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

TightwirePluginCode sum_made(const Coder& coder, std::uint64_t* encoded_size) {
  *encoded_size = coder.answers().size;
  return coder.answers().bad == 0 ? TIGHTWIRE_PLUGIN_DONE : damaged();
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
    const auto code = receive(coder, {{incoming, incoming_size}}, *values, header);
    if (code != TIGHTWIRE_PLUGIN_DONE) return code;
    const cudaError_t error =
        run_merge(coder, header_for_sums(type_of(*values), sum->error_bound, sum->terms),
                  {incoming, incoming_size}, *values, encoded, stream_of(place));
    return error == cudaSuccess ? sum_made(coder, encoded_size) : failed(error);
  });
}

// As run_decode().
cudaError_t run_combine(Coder& coder, const codec::bounded::Header& header, const Incoming& first,
                        const Incoming& second, std::uint64_t count, void* encoded,
                        cudaStream_t stream) {
  auto* const one = static_cast<std::byte*>(coder.scratch.memory());
  std::byte* const other = one + room_for(first);
  return first_of({cudaMemcpyAsync(one, first.stream, first.size, cudaMemcpyDefault, stream),
                   cudaMemcpyAsync(other, second.stream, second.size, cudaMemcpyDefault, stream),
                   coder.codec().combine(header, one, other, count, encoded,
                                         &coder.d_answers().size, &coder.d_answers().bad, stream),
                   coder.bring_answers(stream)});
}

TightwirePluginCode add_sums(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                             const TightwirePluginSum* sum, const TightwirePluginStream* first,
                             const TightwirePluginStream* second, void* encoded,
                             std::uint64_t* encoded_size) {
  return with_coder(place, [&](Coder& coder) {
    codec::bounded::Header header;
    const auto code = receive(coder, {*first, *second}, *values, header);
    if (code != TIGHTWIRE_PLUGIN_DONE) return code;
    const cudaError_t error =
        run_combine(coder, header_for_sums(type_of(*values), sum->error_bound, sum->terms), *first,
                    *second, values->count, encoded, stream_of(place));
    return error == cudaSuccess ? sum_made(coder, encoded_size) : failed(error);
  });
}

constexpr TightwirePlugin functions{plugin_version, last_error, max_size,    look,     find_ends,
                                    encode,         decode,     encode_term, add_term, add_sums};

}  // namespace
}  // namespace tightwire::device

extern "C" [[gnu::visibility("default")]] const tightwire::device::TightwirePlugin*
tightwire_plugin() {
  return &tightwire::device::functions;
}
