// bench_codec_threads: chunked coding by 1 to N threads, in alternation; ../codec_threads.py shows
// the CSV. `raw` only copies, so its rows are the memory's own scaling.
#include <memory>
#include <stdexcept>

#include "calibrate/measure/timing.h"
#include "codec/chunked/chunked.h"
#include "os/thread_pool.h"
#include "support/codec_benchmark.h"
#include "support/formatted.h"
#include "support/measure.h"

namespace tightwire::bench {
namespace {

struct Options : CodecOptions {
  double bound = 1e-3;
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
      pools_.push_back(std::make_unique<os::ThreadPool>(threads));
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
  std::vector<std::unique_ptr<os::ThreadPool>> pools_;
  std::vector<Times> times_;
  std::size_t size_ = 0;
};

constexpr const char* header =
    "field,type,codec,error_bound_rel,threads,encode_GBps,decode_GBps,encode_speedup,"
    "decode_speedup,ratio\n";

std::string rows_of(const fields::Field& field, const codec::Codec& codec, double relative_bound,
                    const Contest& contest) {
  const auto size = static_cast<double>(field.bytes.size());
  const double encode_alone = median(contest.times().front().encode);
  const double decode_alone = median(contest.times().front().decode);
  std::string rows;
  for (std::size_t i = 0; i < contest.times().size(); ++i) {
    const double encode = median(contest.times()[i].encode);
    const double decode = median(contest.times()[i].decode);
    rows += formatted("%s,%s,%s,%g,%zu,%.4g,%.4g,%.3f,%.3f,%.6g\n", field.name.c_str(),
                      fields::type_name(field), std::string(codec.name()).c_str(),
                      codec.lossy() ? relative_bound : 0.0, i + 1, size / encode / 1e9,
                      size / decode / 1e9, encode_alone / encode, decode_alone / decode,
                      contest.ratio());
  }
  return rows;
}

void run(const Options& options) {
  const unsigned most = os::ThreadPool().available();
  std::string csv = header;
  for (const Subject& subject : subjects) {
    const codec::Codec* const codec = codec::find(subject.codec);
    if (codec == nullptr) continue;
    const fields::Field field = options.field(subject.field);
    Contest contest(field, *codec, options.bound * fields::value_range(field), most);
    for (int round = 0; round < options.rounds; ++round) contest.round();
    csv += rows_of(field, *codec, options.bound, contest);
  }
  write_file(options.output, csv);
}

int benchmark(int argc, char** argv) {
  Options options;
  options.output = "results/codec_threads.csv";
  options.rounds = 15;
  CLI::App app("Measures chunked coding by several threads.", "bench_codec_threads");
  add_options(app, options);
  app.add_option("--bound", options.bound, "error bound, as part of the value range")
      ->check(CLI::Range(1e-12, 1.0))
      ->capture_default_str();
  if (const auto code = help_or_complain(app, argc, argv)) return *code;
  run(options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  return tightwire::bench::guarded("bench_codec_threads", tightwire::bench::benchmark, argc, argv);
}
