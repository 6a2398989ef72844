// bench_codec_threads: chunked coding by 1 to N threads, in alternation; ../codec_threads.py shows
// the CSV. `raw` only copies, so its rows are the memory's own scaling.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "codec/chunked.h"
#include "codec/thread_pool.h"
#include "fields/fields.h"
#include "timing.h"

namespace tightwire::bench {
namespace {

struct Options {
  std::string output = "results/codec_threads.csv";
  std::string cache = "results/scratch/fields";
  std::size_t mebibytes = 32;
  double bound = 1e-3;
  int rounds = 15;
};

struct Subject {
  const char* field;
  codec::Id codec;
};
constexpr Subject subjects[] = {
    {"turbulence", codec::Id::raw},   {"turbulence", codec::Id::bounded},
    {"gradient", codec::Id::bounded}, {"quiet_wavefield", codec::Id::bounded},
    {"turbulence", codec::Id::zstd},  {"climate", codec::Id::exact},
};

struct Times {
  std::vector<double> encode;
  std::vector<double> decode;
};

double value_range(const fields::Field& field) {
  double low = 0;
  double high = 0;
  const auto take = [&]<class T>(const T* values) {
    for (std::size_t i = 0; i < field.bytes.size() / sizeof(T); ++i) {
      low = std::min(low, static_cast<double>(values[i]));
      high = std::max(high, static_cast<double>(values[i]));
    }
  };
  if (field.type == codec::ElementType::float32)
    take(reinterpret_cast<const float*>(field.bytes.data()));
  if (field.type == codec::ElementType::float64)
    take(reinterpret_cast<const double*>(field.bytes.data()));
  return high - low;
}

class Contest {
 public:
  Contest(const fields::Field& field, const codec::Codec& codec, double bound, unsigned most)
      : field_(field),
        codec_(codec),
        encoded_(codec::chunked::max_encoded_size(codec, field.type, count())),
        decoded_(field.bytes.size()),
        times_(most) {
    parameters_.error_bound = bound;
    if (field.shape.size() > 1) {
      parameters_.row_length = static_cast<std::uint32_t>(field.shape.back());
    }
    for (unsigned threads = 1; threads <= most; ++threads) {
      pools_.push_back(std::make_unique<codec::ThreadPool>(threads));
      time_once(threads);  // starts the threads and touches the buffers
      times_[threads - 1] = {};
    }
  }

  void round() {
    for (unsigned threads = 1; threads <= times_.size(); ++threads) time_once(threads);
  }

  [[nodiscard]] const std::vector<Times>& times() const { return times_; }
  [[nodiscard]] double ratio() const {
    return static_cast<double>(field_.bytes.size()) / static_cast<double>(size_);
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return field_.bytes.size() / codec::element_size(field_.type);
  }

  void time_once(unsigned threads) {
    codec::chunked::Options options;
    options.pool = pools_[threads - 1].get();
    codec::Result result;
    times_[threads - 1].encode.push_back(seconds_of([&] {
      result =
          codec::chunked::encode(codec_, field_.type, field_.bytes, parameters_, options, encoded_);
    }));
    if (!result.ok()) throw std::runtime_error(std::string(codec::describe(result.error)));
    size_ = result.size;
    const std::span stream = std::span(encoded_).first(size_);
    times_[threads - 1].decode.push_back(seconds_of(
        [&] { result = codec::chunked::decode(field_.type, stream, options, decoded_); }));
    if (!result.ok()) throw std::runtime_error(std::string(codec::describe(result.error)));
  }

  const fields::Field& field_;
  const codec::Codec& codec_;
  codec::Parameters parameters_;
  std::vector<std::byte> encoded_;
  std::vector<std::byte> decoded_;
  std::vector<std::unique_ptr<codec::ThreadPool>> pools_;
  std::vector<Times> times_;
  std::size_t size_ = 0;
};

void write_rows(std::FILE* file, const fields::Field& field, const codec::Codec& codec,
                double relative_bound, const Contest& contest) {
  const auto size = static_cast<double>(field.bytes.size());
  const double encode_alone = median(contest.times().front().encode);
  const double decode_alone = median(contest.times().front().decode);
  for (std::size_t i = 0; i < contest.times().size(); ++i) {
    const double encode = median(contest.times()[i].encode);
    const double decode = median(contest.times()[i].decode);
    std::fprintf(file, "%s,%s,%s,%g,%zu,%.4g,%.4g,%.3f,%.3f,%.6g\n", field.name.c_str(),
                 field.type == codec::ElementType::float32 ? "float32" : "float64",
                 std::string(codec.name()).c_str(), codec.lossy() ? relative_bound : 0.0, i + 1,
                 size / encode / 1e9, size / decode / 1e9, encode_alone / encode,
                 decode_alone / decode, contest.ratio());
  }
}

void run(const Options& options) {
  const unsigned most = codec::ThreadPool().available();
  const std::string partial = options.output + ".partial";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(partial.c_str(), "w"),
                                                             std::fclose);
  if (file == nullptr) throw std::runtime_error("cannot write " + partial);
  std::fprintf(file.get(),
               "field,type,codec,error_bound_rel,threads,encode_GBps,decode_GBps,encode_speedup,"
               "decode_speedup,ratio\n");
  for (const Subject& subject : subjects) {
    const codec::Codec* const codec = codec::find(subject.codec);
    if (codec == nullptr) continue;
    const fields::Field field =
        fields::cached(*fields::find(subject.field), options.mebibytes << 20, options.cache);
    Contest contest(field, *codec, options.bound * value_range(field), most);
    for (int round = 0; round < options.rounds; ++round) contest.round();
    write_rows(file.get(), field, *codec, options.bound, contest);
  }
  if (std::fflush(file.get()) != 0 || std::rename(partial.c_str(), options.output.c_str()) != 0) {
    throw std::runtime_error("cannot write " + options.output);
  }
}

int run_command(int argc, char** argv) {
  Options options;
  CLI::App app("Measures chunked coding by several threads.", "bench_codec_threads");
  app.add_option("--output", options.output, "the CSV to write")->capture_default_str();
  app.add_option("--cache", options.cache, "where the fields are kept")->capture_default_str();
  app.add_option("--size", options.mebibytes, "MiB of every field: a power of two")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128, 256}))
      ->capture_default_str();
  app.add_option("--bound", options.bound, "error bound, as part of the value range")
      ->check(CLI::Range(1e-12, 1.0))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "rounds of measurement")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  run(options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  try {
    return tightwire::bench::run_command(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_codec_threads: %s\n", error.what());
    return 1;
  }
}
