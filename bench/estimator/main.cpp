// bench_estimator: what the estimator predicts, and what then comes; ../estimator.py shows it.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "calibrate/measure/timing.h"
#include "codec/estimate/estimate.h"
#include "support/codec_benchmark.h"
#include "support/formatted.h"
#include "support/measure.h"

namespace tightwire::bench {
namespace {

using codec::Id;

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

constexpr const char* header =
    "field,type,codec,error_bound_rel,predicted_ratio,actual_ratio,predicted_encode_GBps,"
    "actual_encode_GBps,estimate_us,predicted_decode_GBps,actual_decode_GBps,row_length,"
    "rows_of_field,ratio_with_rows_of_field,values_read\n";

std::string row(const fields::Field& field, double relative, const codec::Estimate& estimate,
                double estimate_seconds, const codec::Prediction& predicted, const Actual& actual,
                double ratio_with_rows) {
  const auto gigabytes = static_cast<double>(field.bytes.size()) / 1e9;
  return formatted(
      "%s,%s,%s,%g,%.6g,%.6g,%.4g,%.4g,%.1f,%.4g,%.4g,%u,%zu,%.6g,%zu\n", field.name.c_str(),
      fields::type_name(field), std::string(codec::find(predicted.codec)->name()).c_str(), relative,
      predicted.ratio, actual.ratio, gigabytes / predicted.encode_seconds,
      gigabytes / actual.encode_seconds, estimate_seconds * 1e6,
      gigabytes / predicted.decode_seconds, gigabytes / actual.decode_seconds, estimate.row_length,
      field.shape.size() > 1 ? field.shape.back() : 0, ratio_with_rows, estimate.values_read);
}

// One estimate for the codecs, timed, then each codec for comparison.
std::string compare(const fields::Field& field, double relative, double range,
                    std::span<const Id> codecs, int rounds) {
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
  std::string rows;
  for (const codec::Prediction& predicted : estimate.all()) {
    if (predicted.codec == Id::raw && relative > 0) continue;
    const codec::Codec& codec = *codec::find(predicted.codec);
    parameters.row_length = estimate.row_length;
    parameters.plane_length = estimate.plane_length;
    parameters.components = estimate.components;
    const Actual actual = codings.time(codec, parameters, rounds);
    parameters.components = 1;
    parameters.plane_length = 0;
    parameters.row_length =
        field.shape.size() > 1 ? static_cast<std::uint32_t>(field.shape.back()) : 0;
    const double ratio_with_rows = codings.time(codec, parameters, 0).ratio;
    rows += row(field, relative, estimate, median(seconds), predicted, actual, ratio_with_rows);
  }
  return rows;
}

void run(const CodecOptions& options) {
  std::string csv = header;
  for (const fields::Kind& kind : fields::kinds()) {
    std::fprintf(stderr, "%s\n", std::string(kind.name).c_str());
    const fields::Field field = options.field(kind.name);
    const double range = fields::value_range(field);
    csv += compare(field, 0, range, codec::predictable_exact, options.rounds);
    for (const double relative : {1e-2, 1e-3, 1e-4}) {
      csv += compare(field, relative, range, std::array{Id::bounded}, options.rounds);
    }
  }
  write_file(options.output, csv);
}

int benchmark(int argc, char** argv) {
  CodecOptions options;
  options.output = "results/estimator.csv";
  options.rounds = 5;
  CLI::App app("Compares the estimator's predictions with what comes.", "bench_estimator");
  add_options(app, options);
  if (const auto code = help_or_complain(app, argc, argv)) return *code;
  run(options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  return tightwire::bench::guarded("bench_estimator", tightwire::bench::benchmark, argc, argv);
}
