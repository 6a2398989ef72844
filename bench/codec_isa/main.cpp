// bench_codec_isa: our codecs by the kernels of every instruction set that runs here, and how soon
// `exact` gives up on noise; all in alternation with memcpy. ../codec_isa.py shows the CSV.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "codec/estimate.h"
#include "codec/kernels.h"
#include "fields/fields.h"
#include "timing.h"

namespace tightwire::bench {
namespace {

using codec::ElementType;

struct Options {
  std::string output = "results/codec_isa.csv";
  std::string cache = "results/scratch/fields";
  std::size_t mebibytes = 32;
  int rounds = 21;
};

struct Subject {
  const char* field;
  codec::Id codec;
  double bound;  // of the range; 0: exact
};
constexpr Subject subjects[] = {
    {"turbulence", codec::Id::bounded, 1e-3},      {"turbulence", codec::Id::bounded, 1e-4},
    {"turbulence_3d", codec::Id::bounded, 1e-4},   {"gradient", codec::Id::bounded, 1e-3},
    {"quiet_wavefield", codec::Id::bounded, 1e-3}, {"climate", codec::Id::exact, 0},
};

class Report {
 public:
  explicit Report(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {
    if (!file_) throw std::runtime_error("cannot write " + path);
    std::fputs("what,isa,field,codec,error_bound_rel,MiB,compress_GBps,expand_GBps,memcpy_GBps\n",
               file_.get());
  }
  void add(const char* what, std::string_view isa, const Subject& subject, std::size_t bytes,
           double compress, double expand, double copy) {
    const auto rate = [&](double seconds) {
      return seconds == 0 ? 0 : static_cast<double>(bytes) / seconds / 1e9;
    };
    std::fprintf(file_.get(), "%s,%s,%s,%s,%g,%zu,%.4g,%.4g,%.4g\n", what, std::string(isa).c_str(),
                 subject.field, std::string(codec::find(subject.codec)->name()).c_str(),
                 subject.bound, bytes >> 20, rate(compress), rate(expand), rate(copy));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

fields::Field field_of(const char* name, const Options& options, std::size_t bytes) {
  return fields::cached(*fields::find(name), bytes, options.cache);
}

double value_range(const fields::Field& field) {
  if (field.type != ElementType::float32) return 0;
  const std::span values(reinterpret_cast<const float*>(field.bytes.data()),
                         field.bytes.size() / sizeof(float));
  const auto [low, high] = std::ranges::minmax(values);
  return static_cast<double>(high) - static_cast<double>(low);
}

void copy(const fields::Field& field, std::vector<std::byte>& to) {
  std::memcpy(to.data(), field.bytes.data(), to.size());
  asm volatile("" ::"r"(to.data()) : "memory");
}

struct Times {
  std::vector<double> encode;
  std::vector<double> decode;
};

void compare(const Subject& subject, const Options& options, Report& report) {
  const fields::Field field = field_of(subject.field, options, options.mebibytes << 20);
  const codec::Codec& codec = *codec::find(subject.codec);
  codec::Parameters parameters;
  parameters.error_bound = subject.bound * value_range(field);
  parameters.row_length =
      codec::estimate(field.type, field.bytes, parameters, std::span(&subject.codec, 1)).row_length;
  std::vector<std::byte> encoded(
      codec.max_encoded_size(field.type, field.bytes.size() / element_size(field.type)));
  std::vector<std::byte> decoded(field.bytes.size());
  const auto kernels = codec::all_kernels();
  std::vector<Times> times(kernels.size());
  std::vector<double> copies;
  for (int round = 0; round <= options.rounds; ++round) {
    if (round == 1) times.assign(kernels.size(), {});  // the first touches the buffers
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (!codec::runs_here(*kernels[k])) continue;
      codec::use_kernels(*kernels[k]);
      codec::Result result;
      times[k].encode.push_back(
          seconds_of([&] { result = codec.encode(field.type, field.bytes, parameters, encoded); }));
      times[k].decode.push_back(seconds_of([&] {
        if (!codec.decode(field.type, std::span(encoded).first(result.size), decoded).ok()) {
          throw std::runtime_error("what was encoded does not decode");
        }
      }));
    }
    copies.push_back(seconds_of([&] { copy(field, decoded); }));
  }
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (times[k].encode.empty()) continue;
    report.add("speed", kernels[k]->name, subject, field.bytes.size(), median(times[k].encode),
               median(times[k].decode), median(copies));
  }
}

// The time to find that noise will not pay, as a speed.
void give_up(std::size_t mebibytes, const Options& options, Report& report) {
  const Subject noise{"white_noise", codec::Id::exact, 0};
  const fields::Field field = field_of(noise.field, options, mebibytes << 20);
  const codec::Codec& exact = *codec::find(noise.codec);
  std::vector<std::byte> encoded(
      exact.max_encoded_size(field.type, field.bytes.size() / element_size(field.type)));
  std::vector<std::byte> copied(field.bytes.size());
  codec::Parameters parameters;
  parameters.least_ratio = 1.05;
  std::vector<double> times;
  std::vector<double> copies;
  for (int round = 0; round < 10 * options.rounds; ++round) {
    times.push_back(seconds_of([&] {
      if (exact.encode(field.type, field.bytes, parameters, encoded).error !=
          codec::Error::incompressible) {
        throw std::runtime_error("noise was compressed");
      }
    }));
    copies.push_back(seconds_of([&] { copy(field, copied); }));
  }
  report.add("give-up", codec::active_kernels().name, noise, field.bytes.size(), median(times), 0,
             median(copies));
}

void run(int argc, char** argv) {
  CLI::App app{"Measures our codecs by every instruction set that runs here."};
  Options options;
  app.add_option("--output", options.output, "the CSV to write")->capture_default_str();
  app.add_option("--cache", options.cache, "where the fields are kept")->capture_default_str();
  app.add_option("--size", options.mebibytes, "MiB of every field: a power of two")
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "rounds of measurement")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  const codec::Kernels& best = codec::active_kernels();
  Report report(options.output);
  for (const Subject& subject : subjects) compare(subject, options, report);
  codec::use_kernels(best);
  for (const std::size_t mebibytes : {1, 4, 32}) give_up(mebibytes, options, report);
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  try {
    tightwire::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_codec_isa: %s\n", error.what());
    return 1;
  }
}
