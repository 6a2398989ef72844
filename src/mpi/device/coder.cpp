#include "mpi/device/coder.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/plugin/interface.h"

namespace tightwire::mpi::coder {
namespace {

using device::TightwirePlugin;
using device::TightwirePluginCode;

constexpr const char* library = "libtightwire_cuda.so";
// A run of neighbours in a sample. What moves through a field at rest takes little of it: many
// short ones find it.
constexpr std::uint32_t run = 8;
// Of the runs that there is room for: a field's rows are often as long as a power of two, and these
// runs do not stand below each other.
constexpr double taken = 0.618;

struct Found {
  const TightwirePlugin* plugin = nullptr;
  std::string why;  // not
};

// Beside the library that this is part of.
std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) {
    return "";
  }
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

// Never closed.
Found find_plugin() {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) handle = dlopen((own_folder() + library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return {nullptr, std::string("no ") + library + " here (" + dlerror() +
                         "). It is built where CUDA's compiler is, with -DTIGHTWIRE_CUDA=ON, and "
                         "looked for by the loader and beside Tightwire's library"};
  }
  const auto function =
      reinterpret_cast<device::PluginFunction>(dlsym(handle, device::plugin_symbol));
  const TightwirePlugin* const plugin = function != nullptr ? function() : nullptr;
  if (plugin == nullptr || plugin->version != device::plugin_version) {
    return {nullptr, std::string(library) + " is of another version of Tightwire"};
  }
  return {plugin, ""};
}

const Found& found() {
  static const auto* const found = new Found(find_plugin());
  return *found;
}

Problem problem_of(TightwirePluginCode code) {
  switch (code) {
    case device::TIGHTWIRE_PLUGIN_TOO_FINE:
      return Problem::too_fine;
    case device::TIGHTWIRE_PLUGIN_OTHER_STREAM:
      return Problem::other_stream;
    case device::TIGHTWIRE_PLUGIN_NO_MEMORY:
      return Problem::no_memory;
    case device::TIGHTWIRE_PLUGIN_TOO_OLD:
      return Problem::too_old;
    default:
      return Problem::failed;
  }
}

// `work` gets the plugin, a place and the values, in a stream behind the default one.
template <class Work>
void run_on(const Values& values, Work work) {
  try {
    const driver::Copies stream(values.place);
    const device::TightwirePluginPlace place{stream.context(), stream.handle()};
    const device::TightwirePluginValues given{values.address,
                                              values.bytes / codec::element_size(values.type),
                                              values.type == codec::ElementType::float64 ? 1 : 0};
    const TightwirePlugin& plugin = *found().plugin;
    const TightwirePluginCode code = work(plugin, &place, &given);
    if (code != device::TIGHTWIRE_PLUGIN_DONE) throw Error{problem_of(code), plugin.last_error()};
  } catch (const driver::Error& error) {
    throw Error{Problem::failed, error.text};
  }
}

codec::ValueRange range_of(const device::TightwirePluginRange& told) {
  if (!(told.smallest <= told.largest)) return {};
  return {told.smallest, told.largest, true};
}

// Of what is encoded.
void check_room(const Values& values, std::span<std::byte> pinned) {
  if (pinned.size() <
      max_encoded_size(values.type, values.bytes / codec::element_size(values.type))) {
    throw Error{Problem::no_memory, "no room for an encoding"};
  }
}

}  // namespace

bool is_here() {
  return found().plugin != nullptr;
}

const std::string& why_missing() {
  return found().why;
}

Look look_at(const Values& values, std::span<std::byte> sample) {
  const std::size_t size = codec::element_size(values.type);
  const std::size_t count = std::min(sample.size(), values.bytes) / size;
  const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(run, count));
  const std::size_t runs = length == 0 ? 0 : count / length;
  const auto pieces = static_cast<std::uint32_t>(std::ceil(taken * static_cast<double>(runs)));
  device::TightwirePluginRange range{1, 0};
  run_on(values, [&](const auto& plugin, const auto* place, const auto* given) {
    return plugin.look(place, given, &range, pieces, length, pieces == 0 ? nullptr : sample.data());
  });
  Look look{{}, sample.first(std::size_t{pieces} * length * size)};
  look.range = range_of(range);
  return look;
}

Ends find_ends(const Values& values) {
  std::array<device::TightwirePluginRange, device::TIGHTWIRE_PLUGIN_ENDS> ranges{};
  static_assert(ranges.size() == Ends().size());
  run_on(values, [&](const auto& plugin, const auto* place, const auto* given) {
    return plugin.find_ends(place, given, ranges.data());
  });
  Ends ends;
  std::ranges::transform(ranges, ends.begin(), range_of);
  return ends;
}

std::size_t encode(const Values& values, double error_bound, const codec::ValueRange& range,
                   std::span<std::byte> pinned) {
  check_room(values, pinned);
  device::TightwirePluginRange ends{1, 0};
  if (range.any) ends = {range.smallest, range.largest};
  std::uint64_t size = 0;
  run_on(values, [&](const auto& plugin, const auto* place, const auto* given) {
    return plugin.encode(place, given, error_bound, &ends, pinned.data(), &size);
  });
  return size;
}

std::size_t encode_term(const Values& values, const Sum& sum, std::span<std::byte> pinned) {
  check_room(values, pinned);
  const device::TightwirePluginSum of{sum.error_bound, sum.terms};
  std::uint64_t size = 0;
  run_on(values, [&](const auto& plugin, const auto* place, const auto* given) {
    return plugin.encode_term(place, given, &of, pinned.data(), &size);
  });
  return size;
}

std::size_t add_term(std::span<const std::byte> incoming, const Values& values, const Sum& sum,
                     std::span<std::byte> pinned) {
  check_room(values, pinned);
  const device::TightwirePluginSum of{sum.error_bound, sum.terms};
  std::uint64_t size = 0;
  run_on(values, [&](const auto& plugin, const auto* place, const auto* given) {
    return plugin.add_term(place, given, &of, incoming.data(), incoming.size(), pinned.data(),
                           &size);
  });
  return size;
}

std::size_t add_sums(std::span<const std::byte> first, std::span<const std::byte> second,
                     const Values& like, const Sum& sum, std::span<std::byte> pinned) {
  check_room(like, pinned);
  const device::TightwirePluginSum of{sum.error_bound, sum.terms};
  const device::TightwirePluginStream one{first.data(), first.size()};
  const device::TightwirePluginStream other{second.data(), second.size()};
  std::uint64_t size = 0;
  run_on(like, [&](const auto& plugin, const auto* place, const auto* given) {
    return plugin.add_sums(place, given, &of, &one, &other, pinned.data(), &size);
  });
  return size;
}

std::size_t max_encoded_size(codec::ElementType type, std::size_t count) {
  return found().plugin->max_encoded_size(count, type == codec::ElementType::float64 ? 1 : 0);
}

void decode(std::span<const std::byte> pinned, const Values& values) {
  run_on(values, [&](const auto& plugin, const auto* place, const auto* given) {
    return plugin.decode(place, pinned.data(), pinned.size(), given);
  });
}

}  // namespace tightwire::mpi::coder
