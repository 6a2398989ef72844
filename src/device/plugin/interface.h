// What a library has that encodes and decodes messages where a GPU has them: libtightwire_cuda.so,
// which is loaded when it is first wanted (mpi/device/coder.h), and in tests one that stands in for
// it. C, so that it may be built by another compiler.
//
// Values are float32, or float64 where `is_double`, in memory of a device, aligned to their type.
// Streams are those of the device profile, in pinned memory of the host, aligned to 8. All is
// ordered by `stream`, a CUstream of the thread's current context, which `context` names, and is
// complete on return. Thread safety: any number of threads at once. Nothing is thrown.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tightwire::device {

extern "C" {

enum TightwirePluginCode : std::int32_t {
  TIGHTWIRE_PLUGIN_DONE = 0,
  TIGHTWIRE_PLUGIN_TOO_FINE = 1,      // no grid holds these values within the bound
  TIGHTWIRE_PLUGIN_OTHER_STREAM = 2,  // none of the profile, or damaged
  TIGHTWIRE_PLUGIN_NO_MEMORY = 3,
  TIGHTWIRE_PLUGIN_TOO_OLD = 4,  // the driver, or the device
  TIGHTWIRE_PLUGIN_FAILED = 5,   // as last_error() says
};

enum { TIGHTWIRE_PLUGIN_ENDS = 4 };

struct TightwirePluginPlace {
  void* context;
  void* stream;
};

struct TightwirePluginValues {
  void* values;
  std::uint64_t count;
  std::int32_t is_double;
};

// Of the finite values; smallest > largest where there is none.
struct TightwirePluginRange {
  double smallest;
  double largest;
};

// The grid of what is added up follows from these, the same for all terms.
struct TightwirePluginSum {
  double error_bound;  // of one term
  std::uint32_t terms;
};

// One that is read.
struct TightwirePluginStream {
  const void* stream;
  std::uint64_t size;
};

// Functions are never nullptr.
struct TightwirePlugin {
  std::uint32_t version;  // of this interface; what follows may be another in another version

  // What the calling thread's last code other than TIGHTWIRE_PLUGIN_DONE was about.
  const char* (*last_error)();

  // encode() writes no more.
  std::uint64_t (*max_encoded_size)(std::uint64_t count, std::int32_t is_double);

  // The range of all values, and some of them: `pieces` runs of `length` neighbours, from the first
  // to the last, one behind the other in pinned memory; none if that is nullptr. At most 2^16, no
  // more than there are.
  TightwirePluginCode (*look)(const TightwirePluginPlace*, const TightwirePluginValues*,
                              TightwirePluginRange*, std::uint32_t pieces, std::uint32_t length,
                              void* sample);

  // The range of all values, that of those between its ends, and so on: the largest and the
  // smallest of the different values.
  TightwirePluginCode (*find_ends)(const TightwirePluginPlace*, const TightwirePluginValues*,
                                   TightwirePluginRange ranges[TIGHTWIRE_PLUGIN_ENDS]);

  // A stream of values within the bound, of which all finite ones are in the range.
  TightwirePluginCode (*encode)(const TightwirePluginPlace*, const TightwirePluginValues*,
                                double error_bound, const TightwirePluginRange*, void* stream,
                                std::uint64_t* stream_size);

  // Any bytes may come. Unless it is TIGHTWIRE_PLUGIN_DONE, the values are unspecified.
  TightwirePluginCode (*decode)(const TightwirePluginPlace*, const void* stream,
                                std::uint64_t stream_size, const TightwirePluginValues*);

  // A stream that is one of the terms of a sum.
  TightwirePluginCode (*encode_term)(const TightwirePluginPlace*, const TightwirePluginValues*,
                                     const TightwirePluginSum*, void* stream,
                                     std::uint64_t* stream_size);

  // The stream of the sum of what `incoming` holds, a term or such a sum, and of the values; the
  // two streams do not overlap. Any bytes may come.
  TightwirePluginCode (*add_term)(const TightwirePluginPlace*, const TightwirePluginValues*,
                                  const TightwirePluginSum*, const void* incoming,
                                  std::uint64_t incoming_size, void* stream,
                                  std::uint64_t* stream_size);

  // The stream of the sum of what two such streams hold. Of the values only count and type are
  // looked at; no two of the streams overlap.
  TightwirePluginCode (*add_sums)(const TightwirePluginPlace*, const TightwirePluginValues*,
                                  const TightwirePluginSum*, const TightwirePluginStream* first,
                                  const TightwirePluginStream* second, void* stream,
                                  std::uint64_t* stream_size);
};

}  // extern "C"

inline constexpr std::uint32_t plugin_version = 4;

// The only symbol of the library, a function without arguments.
inline constexpr const char* plugin_symbol = "tightwire_plugin";
using PluginFunction = const TightwirePlugin* (*)();

}  // namespace tightwire::device
