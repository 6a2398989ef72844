// bench_estimator: what the estimator predicts, and what then comes; ../estimator.py shows it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "codec/estimate.h"
#include "fields/fields.h"
#include "timing.h"

namespace tightwire::bench {
namespace {

using codec::Id;

struct Options {
  std::string output = "results/estimator.csv";
  std::string cache = "results/scratch/fields";
  std::size_t mebibytes = 32;
  int rounds = 5;
};

struct Actual {
  double ratio = 0;
  double encode_seconds = 0;
  double decode_seconds = 0;
};

class Codings {
 public:
  explicit Codings(const fields::Field& field) : field_(field), decoded_(field.bytes.size()) {}

  Actual time(const codec::Codec& codec, const codec::Parameters& parameters, int rounds) {
    const std::size_t count = field_.bytes.size() / codec::element_size(field_.type);
    encoded_.resize(std::max(encoded_.size(), codec.max_encoded_size(field_.type, count)));
    std::vector<double> encode;
    std::vector<double> decode;
    codec::Result result;
    for (int round = 0; round <= rounds; ++round) {
      const double encode_seconds = seconds_of(
          [&] { result = codec.encode(field_.type, field_.bytes, parameters, encoded_); });
      if (!result.ok()) throw std::runtime_error(std::string(codec::describe(result.error)));
      const std::span coded = std::span(encoded_).first(result.size);
      codec::Result back;
      const double decode_seconds =
          seconds_of([&] { back = codec.decode(field_.type, coded, decoded_); });
      if (!back.ok()) throw std::runtime_error(std::string(codec::describe(back.error)));
      if (round == 0) continue;  // touches the buffers
      encode.push_back(encode_seconds);
      decode.push_back(decode_seconds);
    }
    const auto size = static_cast<double>(field_.bytes.size());
    const double ratio = size / static_cast<double>(result.size);
    return rounds == 0 ? Actual{ratio, 0, 0} : Actual{ratio, median(encode), median(decode)};
  }

 private:
  const fields::Field& field_;
  std::vector<std::byte> encoded_;
  std::vector<std::byte> decoded_;
};

template <class T>
double value_range(const fields::Field& field) {
  const std::span values(reinterpret_cast<const T*>(field.bytes.data()),
                         field.bytes.size() / sizeof(T));
  const auto [low, high] = std::ranges::minmax(values);
  return low == high ? std::abs(static_cast<double>(low))
                     : static_cast<double>(high) - static_cast<double>(low);
}

double value_range(const fields::Field& field) {
  return field.type == codec::ElementType::float32 ? value_range<float>(field)
                                                   : value_range<double>(field);
}

class Report {
 public:
  explicit Report(const std::string& path)
      : path_(path), file_(std::fopen((path + ".partial").c_str(), "w"), std::fclose) {
    if (file_ == nullptr) throw std::runtime_error("cannot write " + path);
    std::fprintf(
        file_.get(),
        "field,type,codec,error_bound_rel,predicted_ratio,actual_ratio,"
        "predicted_encode_GBps,actual_encode_GBps,estimate_us,predicted_decode_GBps,"
        "actual_decode_GBps,row_length,rows_of_field,ratio_with_rows_of_field,values_read\n");
  }

  void add(const fields::Field& field, double relative, const codec::Estimate& estimate,
           double estimate_seconds, const codec::Prediction& predicted, const Actual& actual,
           double ratio_with_rows) {
    const auto gigabytes = static_cast<double>(field.bytes.size()) / 1e9;
    std::fprintf(
        file_.get(), "%s,%s,%s,%g,%.6g,%.6g,%.4g,%.4g,%.1f,%.4g,%.4g,%u,%zu,%.6g,%zu\n",
        field.name.c_str(), field.type == codec::ElementType::float32 ? "float32" : "float64",
        std::string(codec::find(predicted.codec)->name()).c_str(), relative, predicted.ratio,
        actual.ratio, gigabytes / predicted.encode_seconds, gigabytes / actual.encode_seconds,
        estimate_seconds * 1e6, gigabytes / predicted.decode_seconds,
        gigabytes / actual.decode_seconds, estimate.row_length,
        field.shape.size() > 1 ? field.shape.back() : 0, ratio_with_rows, estimate.values_read);
  }

  void finish() {
    if (std::fflush(file_.get()) != 0 ||
        std::rename((path_ + ".partial").c_str(), path_.c_str()) != 0) {
      throw std::runtime_error("cannot write " + path_);
    }
  }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

// One estimate for the codecs, timed, then each codec for comparison.
void compare(const fields::Field& field, double relative, double range, std::span<const Id> codecs,
             int rounds, Report& report) {
  codec::Parameters parameters;
  parameters.error_bound = relative * range;
  codec::Estimate estimate;
  std::vector<double> seconds;
  seconds.reserve(2 * static_cast<std::size_t>(rounds) + 1);
  for (int round = 0; round < 2 * rounds + 1; ++round) {
    seconds.push_back(seconds_of(
        [&] { estimate = codec::estimate(field.type, field.bytes, parameters, codecs); }));
  }
  Codings codings(field);
  for (const codec::Prediction& predicted : estimate.all()) {
    if (predicted.codec == Id::raw && relative > 0) continue;
    const codec::Codec& codec = *codec::find(predicted.codec);
    parameters.row_length = estimate.row_length;
    const Actual actual = codings.time(codec, parameters, rounds);
    parameters.row_length =
        field.shape.size() > 1 ? static_cast<std::uint32_t>(field.shape.back()) : 0;
    const double ratio_with_rows = codings.time(codec, parameters, 0).ratio;
    report.add(field, relative, estimate, median(seconds), predicted, actual, ratio_with_rows);
  }
}

void run(const Options& options) {
  Report report(options.output);
  for (const fields::Kind& kind : fields::kinds()) {
    std::fprintf(stderr, "%s\n", std::string(kind.name).c_str());
    const fields::Field field = fields::cached(kind, options.mebibytes << 20, options.cache);
    const double range = value_range(field);
    compare(field, 0, range, std::array{Id::exact, Id::zstd, Id::lz4}, options.rounds, report);
    for (const double relative : {1e-2, 1e-3, 1e-4}) {
      compare(field, relative, range, std::array{Id::bounded}, options.rounds, report);
    }
  }
  report.finish();
}

int run_command(int argc, char** argv) {
  Options options;
  CLI::App app("Compares the estimator's predictions with what comes.", "bench_estimator");
  app.add_option("--output", options.output, "the CSV to write")->capture_default_str();
  app.add_option("--cache", options.cache, "where the fields are kept")->capture_default_str();
  app.add_option("--size", options.mebibytes, "MiB of every field: a power of two")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128, 256}))
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
    std::fprintf(stderr, "bench_estimator: %s\n", error.what());
    return 1;
  }
}
