// bench_codec_isa: our codecs by the kernels of every instruction set that runs here, and how soon
// `exact` gives up on noise; all in alternation with memcpy. ../codec_isa.py shows the CSV.
#include <cstring>
#include <stdexcept>

#include "calibrate/measure/timing.h"
#include "codec/estimate/estimate.h"
#include "codec/simd/kernels.h"
#include "support/codec_benchmark.h"
#include "support/formatted.h"
#include "support/measure.h"

namespace tightwire::bench {
namespace {

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

constexpr const char* header =
    "what,isa,field,codec,error_bound_rel,MiB,compress_GBps,expand_GBps,memcpy_GBps\n";

std::string row(const char* what, std::string_view isa, const Subject& subject, std::size_t bytes,
                double compress, double expand, double copy) {
  const auto rate = [&](double seconds) {
    return seconds == 0 ? 0 : static_cast<double>(bytes) / seconds / 1e9;
  };
  return formatted("%s,%s,%s,%s,%g,%zu,%.4g,%.4g,%.4g\n", what, std::string(isa).c_str(),
                   subject.field, std::string(codec::find(subject.codec)->name()).c_str(),
                   subject.bound, bytes >> 20, rate(compress), rate(expand), rate(copy));
}

void copy(const fields::Field& field, std::vector<std::byte>& to) {
  std::memcpy(to.data(), field.bytes.data(), to.size());
  asm volatile("" ::"r"(to.data()) : "memory");
}

struct Times {
  std::vector<double> encode;
  std::vector<double> decode;
};

std::string compare(const Subject& subject, const CodecOptions& options) {
  const fields::Field field = options.field(subject.field);
  const codec::Codec& codec = *codec::find(subject.codec);
  codec::Parameters parameters;
  parameters.error_bound = subject.bound * fields::value_range(field);
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
  std::string rows;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (times[k].encode.empty()) continue;
    rows += row("speed", kernels[k]->name, subject, field.bytes.size(), median(times[k].encode),
                median(times[k].decode), median(copies));
  }
  return rows;
}

// The time to find that noise will not pay, as a speed.
std::string give_up(std::size_t mebibytes, const CodecOptions& options) {
  const Subject noise{"white_noise", codec::Id::exact, 0};
  const fields::Field field = options.field(noise.field, mebibytes << 20);
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
  return row("give-up", codec::active_kernels().name, noise, field.bytes.size(), median(times), 0,
             median(copies));
}

void run(const CodecOptions& options) {
  const codec::Kernels& best = codec::active_kernels();
  std::string csv = header;
  for (const Subject& subject : subjects) csv += compare(subject, options);
  codec::use_kernels(best);
  for (const std::size_t mebibytes : {1, 4, 32}) csv += give_up(mebibytes, options);
  write_file(options.output, csv);
}

int benchmark(int argc, char** argv) {
  CodecOptions options;
  options.output = "results/codec_isa.csv";
  options.rounds = 21;
  CLI::App app("Measures our codecs by every instruction set that runs here.", "bench_codec_isa");
  add_options(app, options);
  if (const auto code = help_or_complain(app, argc, argv)) return *code;
  run(options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  return tightwire::bench::guarded("bench_codec_isa", tightwire::bench::benchmark, argc, argv);
}
