// In place of libtightwire_cuda.so: the same kernels, run by the processor, on the memory of
// preload/fake_cuda.c. FAKE_CODER, or else FAKE_CUDA, says what goes wrong: "no-coder-memory",
// "too-old", "coder-fails". FAKE_CUDA_LOG=1: says on standard error what it does. FAKE_CUDA_PAUSE:
// how many seconds all takes.
#include <dlfcn.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <thread>

#include "device/host_codec.h"
#include "device/kernels/sample.h"
#include "device/plugin/interface.h"

namespace tightwire::device {
namespace {

using codec::ElementType;

const char* text = "";

// The memory for the processor.
std::byte* reached(void* device) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  static const auto alias = reinterpret_cast<void* (*)(void*)>(dlsym(driver, "fake_alias"));
  return static_cast<std::byte*>(alias(device));
}

bool is_told(const char* what) {
  const char* own = std::getenv("FAKE_CODER");
  const char* const told = own != nullptr ? own : std::getenv("FAKE_CUDA");
  return told != nullptr && std::strcmp(told, what) == 0;
}

TightwirePluginCode answer(TightwirePluginCode code, const char* why) {
  text = why;
  return code;
}

ElementType type_of(const TightwirePluginValues& values) {
  return values.is_double != 0 ? ElementType::float64 : ElementType::float32;
}

// What stands in for a device that cannot. A real one loses its context by a misaligned address.
TightwirePluginCode begin(const TightwirePluginPlace* place, const TightwirePluginValues& values,
                          const char* doing) {
  const std::size_t size = codec::element_size(type_of(values));
  if (reinterpret_cast<std::uintptr_t>(values.values) % size != 0) {
    std::fprintf(stderr, "device: %s: misaligned address\n", doing);
    std::abort();
  }
  if (std::getenv("FAKE_CUDA_LOG") != nullptr) std::fprintf(stderr, "device: %s\n", doing);
  if (const char* const seconds = std::getenv("FAKE_CUDA_PAUSE")) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
  }
  if (place->stream == nullptr) return answer(TIGHTWIRE_PLUGIN_FAILED, "no stream");
  if (is_told("no-coder-memory")) return answer(TIGHTWIRE_PLUGIN_NO_MEMORY, "out of memory");
  if (is_told("too-old")) return answer(TIGHTWIRE_PLUGIN_TOO_OLD, "driver is insufficient");
  if (is_told("coder-fails")) return answer(TIGHTWIRE_PLUGIN_FAILED, "launch failure");
  return TIGHTWIRE_PLUGIN_DONE;
}

std::span<std::byte> bytes_of(const TightwirePluginValues& values) {
  return {reached(values.values), values.count * codec::element_size(type_of(values))};
}

template <class T>
OrderedRange range_of(std::span<const std::byte> bytes, const OrderedRange& outer) {
  HostLanes lanes;
  RangeMemory memory;
  OrderedRange range;
  const auto* const values = reinterpret_cast<const T*>(bytes.data());
  add_range(lanes, values, static_cast<unsigned>(bytes.size() / sizeof(T)), outer, memory, range);
  return range;
}

// The first of several ranges, each inside of the one before.
void find_ranges(const TightwirePluginValues& values, std::span<TightwirePluginRange> ranges) {
  const auto bytes = bytes_of(values);
  OrderedRange range{OrderedRange::lowest, OrderedRange::highest};
  for (TightwirePluginRange& told : ranges) {
    range = values.is_double != 0 ? range_of<double>(bytes, range) : range_of<float>(bytes, range);
    const Ends ends = ends_of(type_of(values), range);
    told = {ends.smallest, ends.largest};
  }
}

const char* last_error() {
  return text;
}

std::uint64_t max_size(std::uint64_t count, std::int32_t is_double) {
  return max_encoded_size(is_double != 0 ? ElementType::float64 : ElementType::float32, count);
}

void take_sample(const TightwirePluginValues& values, const Pieces& pieces, void* sample) {
  const std::size_t size = codec::element_size(type_of(values));
  for (std::uint32_t piece = 0; piece < pieces.pieces; ++piece) {
    std::memcpy(static_cast<std::byte*>(sample) + std::size_t{piece} * pieces.length * size,
                bytes_of(values).data() + pieces.first_of(piece) * size, pieces.length * size);
  }
}

TightwirePluginCode look(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                         TightwirePluginRange* range, std::uint32_t pieces, std::uint32_t length,
                         void* sample) {
  if (const auto code = begin(place, *values, "look"); code != TIGHTWIRE_PLUGIN_DONE) return code;
  find_ranges(*values, std::span(range, 1));
  if (sample != nullptr) take_sample(*values, {values->count, pieces, length}, sample);
  return TIGHTWIRE_PLUGIN_DONE;
}

TightwirePluginCode find_ends(const TightwirePluginPlace* place,
                              const TightwirePluginValues* values, TightwirePluginRange* ranges) {
  if (const auto code = begin(place, *values, "find ends"); code != TIGHTWIRE_PLUGIN_DONE)
    return code;
  find_ranges(*values, std::span(ranges, TIGHTWIRE_PLUGIN_ENDS));
  return TIGHTWIRE_PLUGIN_DONE;
}

TightwirePluginCode encode(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                           double error_bound, const TightwirePluginRange* range, void* stream,
                           std::uint64_t* stream_size) {
  if (const auto code = begin(place, *values, "encode"); code != TIGHTWIRE_PLUGIN_DONE) return code;
  const bool any = range->smallest <= range->largest;
  const auto header = header_for(type_of(*values), error_bound, any ? range->smallest : 0,
                                 any ? range->largest : 0);
  if (header.grid == codec::bounded::GridKind::none) {
    return answer(TIGHTWIRE_PLUGIN_TOO_FINE, "no grid is fine enough");
  }
  const std::span out(static_cast<std::byte*>(stream), max_size(values->count, values->is_double));
  const codec::Result result = device::encode({}, header, bytes_of(*values), out);
  if (!result.ok()) return answer(TIGHTWIRE_PLUGIN_FAILED, "encode");
  *stream_size = result.size;
  return TIGHTWIRE_PLUGIN_DONE;
}

TightwirePluginCode decode(const TightwirePluginPlace* place, const void* stream,
                           std::uint64_t stream_size, const TightwirePluginValues* values) {
  if (const auto code = begin(place, *values, "decode"); code != TIGHTWIRE_PLUGIN_DONE) return code;
  const std::span in(static_cast<const std::byte*>(stream), stream_size);
  const codec::Result result = device::decode({}, type_of(*values), in, bytes_of(*values));
  return result.ok() ? TIGHTWIRE_PLUGIN_DONE
                     : answer(TIGHTWIRE_PLUGIN_OTHER_STREAM, "none of the profile");
}

TightwirePluginCode encode_term(const TightwirePluginPlace* place,
                                const TightwirePluginValues* values, const TightwirePluginSum* sum,
                                void* stream, std::uint64_t* stream_size) {
  if (const auto code = begin(place, *values, "encode a term"); code != TIGHTWIRE_PLUGIN_DONE)
    return code;
  const std::span out(static_cast<std::byte*>(stream), max_size(values->count, values->is_double));
  const codec::Result result = device::encode(
      {}, header_for_sums(type_of(*values), sum->error_bound, sum->terms), bytes_of(*values), out);
  if (!result.ok()) return answer(TIGHTWIRE_PLUGIN_FAILED, "encode a term");
  *stream_size = result.size;
  return TIGHTWIRE_PLUGIN_DONE;
}

TightwirePluginCode add_term(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                             const TightwirePluginSum* sum, const void* incoming,
                             std::uint64_t incoming_size, void* stream,
                             std::uint64_t* stream_size) {
  if (const auto code = begin(place, *values, "add a term"); code != TIGHTWIRE_PLUGIN_DONE)
    return code;
  const std::span in(static_cast<const std::byte*>(incoming), incoming_size);
  const std::span out(static_cast<std::byte*>(stream), max_size(values->count, values->is_double));
  const codec::Result result =
      device::merge({}, header_for_sums(type_of(*values), sum->error_bound, sum->terms), in,
                    bytes_of(*values), out);
  if (!result.ok()) return answer(TIGHTWIRE_PLUGIN_OTHER_STREAM, "none of the profile");
  *stream_size = result.size;
  return TIGHTWIRE_PLUGIN_DONE;
}

TightwirePluginCode add_sums(const TightwirePluginPlace* place, const TightwirePluginValues* values,
                             const TightwirePluginSum* sum, const TightwirePluginStream* first,
                             const TightwirePluginStream* second, void* stream,
                             std::uint64_t* stream_size) {
  if (const auto code = begin(place, *values, "add sums"); code != TIGHTWIRE_PLUGIN_DONE)
    return code;
  const auto bytes = [](const TightwirePluginStream& of) {
    return std::span(static_cast<const std::byte*>(of.stream), of.size);
  };
  const std::span out(static_cast<std::byte*>(stream), max_size(values->count, values->is_double));
  const codec::Result result =
      device::combine({}, header_for_sums(type_of(*values), sum->error_bound, sum->terms),
                      values->count, bytes(*first), bytes(*second), out);
  if (!result.ok()) return answer(TIGHTWIRE_PLUGIN_OTHER_STREAM, "none of the profile");
  *stream_size = result.size;
  return TIGHTWIRE_PLUGIN_DONE;
}

constexpr TightwirePlugin functions{plugin_version, last_error, max_size,    look,     find_ends,
                                    encode,         decode,     encode_term, add_term, add_sums};
constexpr TightwirePlugin other{plugin_version + 1, last_error, max_size, look,
                                find_ends,          encode,     decode,   encode_term,
                                add_term,           add_sums};

}  // namespace
}  // namespace tightwire::device

extern "C" [[gnu::visibility("default")]] const tightwire::device::TightwirePlugin*
tightwire_plugin() {
  return tightwire::device::is_told("other-version") ? &tightwire::device::other
                                                     : &tightwire::device::functions;
}
