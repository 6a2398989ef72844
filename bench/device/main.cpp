// The device profile on a CUDA device: whether its bytes are the processor's, and how fast it is.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "codec/chunked/chunked.h"
#include "codec/codec.h"
#include "device/cuda/codec.h"
#include "device/host_codec.h"
#include "device/profile.h"
#include "support/codec_benchmark.h"
#include "support/formatted.h"

namespace tightwire::bench {
namespace {

constexpr const char* header =
    "field,type,bound_of_range,mebibytes,same_bytes,within_bound,ratio,cpu_ratio,encode_gbps,"
    "decode_gbps,copy_gbps\n";

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// Memory of the device.
class Memory {
 public:
  explicit Memory(std::size_t bytes) { check(cudaMalloc(&pointer_, bytes), "cudaMalloc"); }
  ~Memory() { cudaFree(pointer_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  template <class T = void>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(pointer_);
  }

 private:
  void* pointer_ = nullptr;
};

// The median of what `rounds` runs of some work take, in seconds of the device.
template <class Work>
double median_seconds(int rounds, Work work) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int round = 0; round <= rounds; ++round) {
    check(cudaEventRecord(begin), "cudaEventRecord");
    work();
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the device");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    if (round > 0) times.push_back(milliseconds);  // the first one warms up
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return double{times[static_cast<std::size_t>(rounds) / 2]} / 1000;
}

template <class T>
std::pair<double, double> ends_of(std::span<const T> values) {
  double smallest = 0;
  double largest = 0;
  bool any = false;
  for (const T value : values) {
    if (!std::isfinite(value)) continue;
    smallest = any ? std::min(smallest, double{value}) : double{value};
    largest = any ? std::max(largest, double{value}) : double{value};
    any = true;
  }
  return {smallest, largest};
}

template <class T>
bool is_within(std::span<const T> values, const std::vector<std::byte>& decoded, double bound) {
  const auto* const got = reinterpret_cast<const T*>(decoded.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::memcmp(&got[i], &values[i], sizeof(T)) == 0) continue;
    if (!(std::abs(static_cast<long double>(got[i]) - values[i]) <= bound)) return false;
  }
  return true;
}

class Measurement {
 public:
  Measurement(const fields::Field& field, double relative)
      : field_(field), relative_(relative), bound_(relative * fields::value_range(field)) {
    const auto [smallest, largest] =
        is_single() ? ends_of(field.values<float>()) : ends_of(field.values<double>());
    header_ = device::header_for(field.type, bound_, smallest, largest);
  }

  std::string row(int rounds) {
    if (header_.grid != codec::bounded::GridKind::given) return "";
    const auto chunks = static_cast<std::uint32_t>(field_.bytes.size() / device::chunk_bytes + 1);
    device::CudaCodec coder(chunks);
    check(coder.error(), "the coder's memory");
    const Memory values(field_.bytes.size());
    const Memory copy(field_.bytes.size());
    const Memory encoded(room());
    const Memory size(sizeof(std::uint64_t));
    const Memory bad(sizeof(std::uint32_t));
    check(cudaMemcpy(values.as(), field_.bytes.data(), field_.bytes.size(), cudaMemcpyDefault),
          "the copy to the device");
    const double encoding = median_seconds(rounds, [&] {
      check(coder.encode(header_, values.as(), count(), encoded.as(), size.as<std::uint64_t>(), {}),
            "encode");
    });
    const double decoding = median_seconds(rounds, [&] {
      check(coder.decode(header_, encoded.as(), count(), copy.as(), bad.as<std::uint32_t>(), {}),
            "decode");
    });
    const double copying = median_seconds(rounds, [&] {
      check(cudaMemcpyAsync(copy.as(), values.as(), field_.bytes.size(), cudaMemcpyDefault, {}),
            "the copy on the device");
    });
    // The copy overwrote what was decoded.
    check(coder.decode(header_, encoded.as(), count(), copy.as(), bad.as<std::uint32_t>(), {}),
          "decode");
    const std::vector<std::byte> stream = encoded_bytes(encoded, size);
    return text(stream, decoded_bytes(copy, bad), encoding, decoding, copying);
  }

 private:
  [[nodiscard]] bool is_single() const { return field_.type == codec::ElementType::float32; }
  [[nodiscard]] std::size_t count() const {
    return field_.bytes.size() / codec::element_size(field_.type);
  }
  [[nodiscard]] std::size_t room() const { return device::max_encoded_size(field_.type, count()); }

  [[nodiscard]] std::vector<std::byte> encoded_bytes(const Memory& encoded,
                                                     const Memory& size) const {
    std::uint64_t length = 0;
    check(cudaMemcpy(&length, size.as(), sizeof length, cudaMemcpyDefault), "the size");
    std::vector<std::byte> bytes(std::min<std::size_t>(length, room()));
    check(cudaMemcpy(bytes.data(), encoded.as(), bytes.size(), cudaMemcpyDefault), "the encoding");
    return bytes;
  }

  [[nodiscard]] std::vector<std::byte> decoded_bytes(const Memory& copy, const Memory& bad) const {
    std::uint32_t damaged = 0;
    check(cudaMemcpy(&damaged, bad.as(), sizeof damaged, cudaMemcpyDefault), "the answer");
    if (damaged != 0) throw std::runtime_error("the device cannot read what it has written");
    std::vector<std::byte> bytes(field_.bytes.size());
    check(cudaMemcpy(bytes.data(), copy.as(), bytes.size(), cudaMemcpyDefault), "the values");
    return bytes;
  }

  // What the processor makes of it by the same rules.
  [[nodiscard]] std::vector<std::byte> expected() const {
    std::vector<std::byte> bytes(room());
    bytes.resize(device::encode(device::HostLanes(), header_, field_.bytes, bytes).size);
    return bytes;
  }

  // What `bounded` makes of it where it is free to choose.
  [[nodiscard]] double cpu_ratio() const {
    const codec::Codec& bounded = *codec::find(codec::Id::bounded);
    std::vector<std::byte> out(codec::chunked::max_encoded_size(bounded, field_.type, count()));
    codec::Parameters parameters;
    parameters.error_bound = bound_;
    parameters.alone = true;
    const auto result =
        codec::chunked::encode(bounded, field_.type, field_.bytes, parameters, {}, out);
    return static_cast<double>(field_.bytes.size()) / static_cast<double>(result.size);
  }

  [[nodiscard]] std::string text(const std::vector<std::byte>& stream,
                                 const std::vector<std::byte>& decoded, double encoding,
                                 double decoding, double copying) const {
    const auto bytes = static_cast<double>(field_.bytes.size());
    const bool within = is_single() ? is_within(field_.values<float>(), decoded, bound_)
                                    : is_within(field_.values<double>(), decoded, bound_);
    return formatted("%s,%s,%g,%zu,%s,%s,%.2f,%.2f,%.0f,%.0f,%.0f\n", field_.name.c_str(),
                     fields::type_name(field_), relative_, field_.bytes.size() >> 20,
                     stream == expected() ? "yes" : "no", within ? "yes" : "no",
                     bytes / static_cast<double>(stream.size()), cpu_ratio(),
                     bytes / encoding / 1e9, bytes / decoding / 1e9, bytes / copying / 1e9);
  }

  const fields::Field& field_;
  double relative_;
  double bound_;
  codec::bounded::Header header_;
};

// False where there is none that runs this; says so.
bool has_device() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) return true;
  std::fprintf(stderr, "bench_device: no CUDA device: %s\n", cudaGetErrorString(error));
  return false;
}

void run(const CodecOptions& options) {
  std::string csv = header;
  for (const auto kinds : {fields::kinds(), fields::hard_kinds()}) {
    for (const fields::Kind& kind : kinds) {
      const fields::Field field = options.field(kind.name);
      if (!codec::is_floating_point(field.type)) continue;
      for (const double relative : {1e-2, 1e-3, 1e-4}) {
        const std::string row = Measurement(field, relative).row(options.rounds);
        std::fputs(row.c_str(), stderr);
        csv += row;
      }
    }
  }
  write_file(options.output, csv);
}

int benchmark(int argc, char** argv) {
  CodecOptions options;
  options.output = "results/device.csv";
  options.rounds = 21;
  options.mebibytes = 256;
  CLI::App app("Measures the device profile on a CUDA device.", "bench_device");
  add_options(app, options);
  if (const auto code = help_or_complain(app, argc, argv)) return *code;
  if (!has_device()) return 3;
  run(options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  return tightwire::bench::guarded("bench_device", tightwire::bench::benchmark, argc, argv);
}
