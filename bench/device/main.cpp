// The device profile on a CUDA device: whether its bytes are the processor's, and how fast it is.
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/measurement.h"
#include "os/whole_file.h"
#include "support/formatted.h"

namespace tightwire::bench {
namespace {

constexpr const char* usage =
    "usage: bench_device [--output FILE] [--sizes MIB,...] [--fields NAME,...] [--rounds N]\n"
    "                    [--seconds N] [--few]\n"
    "  --output FILE    the CSV (results/device.csv)\n"
    "  --sizes MIB,...  of each field, from 1 to 1024 (1,256,16)\n"
    "  --fields NAME,... only these\n"
    "  --rounds N       of each measurement (11)\n"
    "  --seconds N      no field is begun after so long (220)\n"
    "  --few            three fields and one bound, for compute-sanitizer\n";

constexpr int no_device = 3;

// A kernel that waits for ever cannot be ended from within.
constexpr unsigned longest_field = 60;  // seconds
void give_up(int) {
  constexpr char text[] = "bench_device: the device does not come to an end\n";
  static_cast<void>(!::write(STDERR_FILENO, text, sizeof text - 1));
  ::_exit(1);
}

struct Options {
  std::string output = "results/device.csv";
  std::vector<std::size_t> mebibytes = {1, 256, 16};  // what matters first
  std::vector<std::string> fields;                    // all, if empty
  int rounds = 11;
  int seconds = 220;
  bool few = false;
};

long number_in(const std::string& text, long least, long most) {
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || number < least || number > most) {
    throw std::invalid_argument(
        formatted("'%s' is no number from %ld to %ld", text.c_str(), least, most));
  }
  return number;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::vector<std::size_t> sizes_in(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (const std::string& word : words_in(text)) {
    sizes.push_back(static_cast<std::size_t>(number_in(word, 1, 1024)));
  }
  return sizes;
}

std::vector<fields::Kind> all_kinds() {
  std::vector<fields::Kind> kinds;
  for (const auto some : {fields::kinds(), fields::hard_kinds()}) {
    for (const fields::Kind& kind : some) {
      if (kind.name != "packed") kinds.push_back(kind);
    }
  }
  return kinds;
}

std::vector<std::string> fields_in(const std::string& text) {
  std::vector<std::string> names = words_in(text);
  const std::vector<fields::Kind> kinds = all_kinds();
  for (const std::string& name : names) {
    const auto is_it = [&](const fields::Kind& kind) { return kind.name == name; };
    if (std::none_of(kinds.begin(), kinds.end(), is_it)) {
      throw std::invalid_argument("no field '" + name + "'");
    }
  }
  return names;
}

Options options_in(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--few") {
      options.few = true;
      continue;
    }
    const bool known = name == "--output" || name == "--sizes" || name == "--fields" ||
                       name == "--rounds" || name == "--seconds";
    if (!known) throw std::invalid_argument("no option '" + name + "'");
    if (++i == argc) throw std::invalid_argument(name + " wants a value");
    const std::string value = argv[i];
    if (name == "--output") options.output = value;
    if (name == "--sizes") options.mebibytes = sizes_in(value);
    if (name == "--fields") options.fields = fields_in(value);
    if (name == "--rounds") options.rounds = static_cast<int>(number_in(value, 1, 1000));
    if (name == "--seconds") options.seconds = static_cast<int>(number_in(value, 1, 100000));
  }
  return options;
}

template <class To, class From>
fields::Field converted(const fields::Field& from, codec::ElementType type) {
  fields::Field field{from.name, type, from.shape, {}};
  const auto values = from.values<From>();
  field.bytes.resize(values.size() * sizeof(To));
  const auto to = field.mutable_values<To>();
  for (std::size_t i = 0; i < values.size(); ++i) to[i] = static_cast<To>(values[i]);
  return field;
}

// The field in both types; values beyond float become infinite.
std::vector<fields::Field> both_types(const fields::Field& field) {
  using codec::ElementType;
  if (field.type == ElementType::float32) {
    return {field, converted<double, float>(field, ElementType::float64)};
  }
  return {field, converted<float, double>(field, ElementType::float32)};
}

// The middle of it, where something is in every field, or it again and again.
fields::Field of_size(const fields::Field& from, std::size_t bytes) {
  fields::Field field{from.name, from.type, {bytes / codec::element_size(from.type)}, {}};
  field.bytes.resize(bytes);
  const std::size_t first = bytes < from.bytes.size() ? (from.bytes.size() - bytes) / 16 * 8 : 0;
  for (std::size_t at = 0; at < bytes; at += from.bytes.size()) {
    const std::size_t part = std::min(from.bytes.size() - first, bytes - at);
    std::memcpy(field.bytes.data() + at, from.bytes.data() + first, part);
  }
  return field;
}

class Run {
 public:
  Run(Options options, std::string device)
      : options_(std::move(options)),
        device_(std::move(device)),
        csv_(std::string("gpu,") + measurement_columns + "\n") {}

  // False if something was not as the processor has it.
  bool all() {
    for (const std::size_t mebibytes : options_.mebibytes) {
      for (const fields::Field& field : made_fields()) {
        for (const double relative : bounds_for(mebibytes)) {
          if (!time_is_left()) return right_;
          add(of_size(field, mebibytes << 20), relative);
        }
      }
    }
    return right_;
  }

 private:
  void add(const fields::Field& field, double relative) {
    const Outcome outcome = measure(field, relative, options_.rounds);
    if (outcome.row.empty()) return;
    right_ = right_ && outcome.right;
    const std::string row = device_ + "," + outcome.row + "\n";
    std::fputs((row + outcome.different).c_str(), stderr);
    csv_ += row;
    // What is there stays, whatever comes.
    if (const auto problem = os::write_whole_file(options_.output, csv_)) {
      throw std::runtime_error(*problem);
    }
  }

  [[nodiscard]] bool is_wanted(const fields::Kind& kind) const {
    const auto has = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), kind.name) != names.end();
    };
    if (options_.few) return has({"turbulence", "masked_nan", "white_noise"});
    return options_.fields.empty() || has(options_.fields);
  }

  // All at the same time: to make some takes seconds.
  const std::vector<fields::Field>& made_fields() {
    if (!fields_.empty()) return fields_;
    constexpr std::size_t bytes = std::size_t{16} << 20;
    std::vector<std::future<std::vector<fields::Field>>> made;
    for (const fields::Kind& kind : all_kinds()) {
      if (!is_wanted(kind)) continue;
      made.push_back(std::async(std::launch::async, [this, kind] {
        const fields::Field field = kind.make(options_.few ? bytes / 16 : bytes);
        if (!codec::is_floating_point(field.type)) return std::vector<fields::Field>();
        return both_types(field);
      }));
    }
    for (auto& some : made) {
      for (fields::Field& each : some.get()) fields_.push_back(std::move(each));
    }
    return fields_;
  }

  [[nodiscard]] std::vector<double> bounds_for(std::size_t mebibytes) const {
    if (options_.few || mebibytes > 64) return {1e-3};
    return {1e-2, 1e-3, 1e-4};
  }

  bool time_is_left() {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin_;
    if (gone.count() < options_.seconds) return true;
    std::fprintf(stderr, "bench_device: %d s are over: the rest is left out\n", options_.seconds);
    return false;
  }

  Options options_;
  std::string device_;
  std::string csv_;
  std::vector<fields::Field> fields_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool right_ = true;
};

// Empty where there is none that runs this; says so.
std::string device_name() {
  int devices = 0;
  cudaDeviceProp properties{};
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) error = cudaGetDeviceProperties(&properties, 0);
  if (error == cudaSuccess && devices > 0) {
    std::string name = properties.name;
    std::replace(name.begin(), name.end(), ',', ' ');
    return name;
  }
  std::fprintf(stderr, "bench_device: no CUDA device: %s\n",
               error == cudaSuccess ? "none is there" : cudaGetErrorString(error));
  return "";
}

int benchmark(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(usage, stdout);
    return 0;
  }
  const Options options = options_in(argc, argv);
  const std::string device = device_name();
  if (device.empty()) return no_device;
  std::signal(SIGALRM, give_up);
  ::alarm(static_cast<unsigned>(options.seconds) + longest_field);
  if (Run(options, device).all()) return 0;
  std::fprintf(stderr, "bench_device: what has \"no\" differs from the processor's\n");
  return 1;
}

int guarded(int argc, char** argv) {
  try {
    return benchmark(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "bench_device: %s\n%s", error.what(), usage);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_device: %s\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  return tightwire::bench::guarded(argc, argv);
}
