// bench_codec: measures every codec on every field and writes the CSV; ../codec.py shows it.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "measure.h"
#include "support/codec_benchmark.h"
#include "support/formatted.h"

namespace tightwire::bench {
namespace {

struct Options : CodecOptions {
  std::vector<std::string> fields;
  std::vector<std::string> codecs;
  std::vector<double> bounds{1e-1, 1e-3, 1e-4, 1e-5};
  std::filesystem::path files;  // a folder of fields beside the simulated ones
  std::string histogram;        // a CSV of errors to write, if any
};

constexpr const char* header =
    "field,type,codec,error_bound_rel,compress_GBps,expand_GBps,ratio,max_error_over_bound,"
    "memcpy_GBps,psnr_db,nrmse,constant_blocks\n";
constexpr const char* histogram_header =
    "field,type,codec,error_bound_rel,error_low,error_high,count\n";

// The error as parts of the value range, and the share of constant blocks; empty of what is exact
// or has no blocks.
std::string quality_of(const Measurement& measurement, double range) {
  if (!measurement.candidate->lossy()) return ",,";
  const double part = measurement.errors.root_of_mean_squares / range;
  std::string text = formatted("%.2f,%.3e,", -20 * std::log10(part), part);
  if (measurement.constant_blocks) text += formatted("%.4f", *measurement.constant_blocks);
  return text;
}

std::string rows_of(const fields::Field& field, double range, double relative_bound,
                    const std::vector<Measurement>& measurements) {
  const auto size = static_cast<double>(field.bytes.size());
  const Measurement& memcpy = measurements.front();
  const double copy = 2 * size / (memcpy.compress_seconds + memcpy.expand_seconds) / 1e9;
  std::string rows;
  for (const Measurement& each : measurements) {
    if (each.candidate->lossy() != (relative_bound > 0)) continue;
    rows += formatted("%s,%s,%s,%g,%.4g,%.4g,%.6g,%.17g,%.4g,", field.name.c_str(),
                      fields::type_name(field), each.candidate->name().c_str(), relative_bound,
                      size / each.compress_seconds / 1e9, size / each.expand_seconds / 1e9,
                      size / static_cast<double>(each.encoded_size), each.errors.largest_over_bound,
                      copy) +
            quality_of(each, range) + "\n";
  }
  return rows;
}

std::string histograms_of(const fields::Field& field, double relative_bound,
                          const std::vector<Measurement>& measurements) {
  std::string rows;
  for (const Measurement& each : measurements) {
    if (!each.candidate->lossy()) continue;
    for (std::size_t bin = 0; bin < error_bins; ++bin) {
      rows += formatted("%s,%s,%s,%g,%.3f,%.3f,%zu\n", field.name.c_str(), fields::type_name(field),
                        each.candidate->name().c_str(), relative_bound, begin_of_error_bin(bin),
                        begin_of_error_bin(bin + 1), each.errors.histogram[bin]);
    }
  }
  return rows;
}

// memcpy goes along in both, so that every row has one of its own time.
std::vector<const Candidate*> chosen(const std::vector<std::unique_ptr<Candidate>>& all, bool lossy,
                                     const std::vector<std::string>& names) {
  std::vector<const Candidate*> result{all.front().get()};
  for (const auto& candidate : all) {
    const bool named = names.empty() || std::ranges::find(names, candidate->name()) != names.end();
    if (candidate->lossy() == lossy && named && candidate != all.front()) {
      result.push_back(candidate.get());
    }
  }
  return result;
}

// On a terminal each line replaces the last; elsewhere only the first round of each is worth one.
void show_progress(const std::string& what, int round, int rounds) {
  static const bool terminal = isatty(fileno(stderr)) != 0;
  if (terminal) {
    std::fprintf(stderr, "\r\033[K%s, round %d of %d", what.c_str(), round + 1, rounds);
  } else if (round == 0) {
    std::fprintf(stderr, "%s\n", what.c_str());
  }
}

// By name; none if there is no folder.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (folder.empty()) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void run(const Options& options) {
  const auto all = candidates();
  const auto lossless = chosen(all, false, options.codecs);
  const auto lossy = chosen(all, true, options.codecs);
  Effort effort;
  effort.rounds = options.rounds;
  std::string csv = header;
  std::string histograms = histogram_header;
  const auto measure_all = [&](const fields::Field& field) {
    const std::string& name = field.name;
    const double range = fields::value_range(field);
    const auto go = [&](double relative, const std::vector<const Candidate*>& candidates) {
      const std::string what = name + ": bound " + formatted("%g", relative);
      const auto measured = measure(candidates, field, relative * range, effort,
                                    [&](int round) { show_progress(what, round, effort.rounds); });
      csv += rows_of(field, range, relative, measured);
      histograms += histograms_of(field, relative, measured);
    };
    go(0, lossless);
    if (!codec::is_floating_point(field.type)) return;
    for (const double bound : options.bounds) go(bound, lossy);
  };
  for (const std::string& name : options.fields) {
    show_progress(name + ": the field itself", 0, 1);
    measure_all(options.field(name));
  }
  for (const auto& file : files_of(options.files)) measure_all(fields::read_file(file));
  write_file(options.output, csv);
  if (!options.histogram.empty()) write_file(options.histogram, histograms);
  std::fprintf(stderr, "\n");
}

void add_all_options(CLI::App& app, Options& options) {
  std::vector<std::string> all_codecs;
  for (const auto& candidate : candidates()) all_codecs.push_back(candidate->name());
  add_options(app, options);
  app.add_option("--fields", options.fields, "of the simulated fields only these")
      ->check(CLI::IsMember(options.fields))
      ->delimiter(',');
  app.add_option("--files", options.files, "a folder of further fields, named NAME.SHAPE.TYPE")
      ->check(CLI::ExistingDirectory);
  app.add_option("--codecs", options.codecs, "only these, and memcpy")
      ->check(CLI::IsMember(all_codecs))
      ->delimiter(',');
  app.add_option("--bounds", options.bounds, "error bounds, as parts of the value range")
      ->check(CLI::Range(1e-12, 1.0))
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--histogram", options.histogram, "a CSV of the errors over the bound to write");
}

int benchmark(int argc, char** argv) {
  Options options;
  options.output = "results/codec.csv";
  options.rounds = Effort{}.rounds;
  for (const auto& list : {fields::kinds(), fields::hard_kinds()}) {
    for (const fields::Kind& kind : list) options.fields.emplace_back(kind.name);
  }
  CLI::App app("Measures every codec on simulated fields, and on those in files.", "bench_codec");
  bool quick = false;
  app.add_flag("--quick", quick, "2 MiB and 3 rounds, to see that all works");
  add_all_options(app, options);
  if (const auto code = help_or_complain(app, argc, argv)) return *code;
  if (quick) {
    options.mebibytes = 2;
    options.rounds = 3;
  }
  run(options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  return tightwire::bench::guarded("bench_codec", tightwire::bench::benchmark, argc, argv);
}
