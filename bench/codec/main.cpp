// bench_codec: measures every codec on every field and writes the CSV; ../codec.py shows it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "measure.h"

namespace tightwire::bench {
namespace {

struct Options {
  std::string output = "results/codec.csv";
  std::string cache = "results/scratch/fields";
  std::size_t mebibytes = 32;
  std::vector<std::string> fields;
  std::vector<std::string> codecs;
  std::vector<double> bounds{1e-2, 1e-3, 1e-4};
  Effort effort;
};

template <class T>
double value_range(const fields::Field& field) {
  const std::span values(reinterpret_cast<const T*>(field.bytes.data()),
                         field.bytes.size() / sizeof(T));
  const auto [low, high] = std::ranges::minmax(values);
  // A constant field has no range; its value stands in.
  return low == high ? std::abs(static_cast<double>(low))
                     : static_cast<double>(high) - static_cast<double>(low);
}

double value_range(const fields::Field& field) {
  return field.type == codec::ElementType::float32 ? value_range<float>(field)
                                                   : value_range<double>(field);
}

class Report {
 public:
  explicit Report(const std::string& path) : path_(path), file_(path + ".partial") {
    file_ << "field,type,codec,error_bound_rel,compress_GBps,expand_GBps,ratio,"
             "max_error_over_bound,memcpy_GBps\n";
  }

  void add(const fields::Field& field, double relative_bound,
           const std::vector<Measurement>& measurements) {
    const auto size = static_cast<double>(field.bytes.size());
    const Measurement& memcpy = measurements.front();
    const double copy = 2 * size / (memcpy.compress_seconds + memcpy.expand_seconds) / 1e9;
    for (const Measurement& each : measurements) {
      if (each.candidate->lossy() != (relative_bound > 0)) continue;
      char line[256];
      std::snprintf(line, sizeof line, "%s,%s,%s,%g,%.4g,%.4g,%.6g,%.17g,%.4g\n",
                    field.name.c_str(),
                    field.type == codec::ElementType::float32 ? "float32" : "float64",
                    each.candidate->name().c_str(), relative_bound,
                    size / each.compress_seconds / 1e9, size / each.expand_seconds / 1e9,
                    size / static_cast<double>(each.encoded_size), each.max_error_over_bound, copy);
      file_ << line;
    }
  }

  void finish() {
    file_.close();
    if (!file_ || std::rename((path_ + ".partial").c_str(), path_.c_str()) != 0) {
      throw std::runtime_error("cannot write " + path_);
    }
  }

 private:
  std::string path_;
  std::ofstream file_;
};

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

void run(const Options& options) {
  const auto all = candidates();
  const auto lossless = chosen(all, false, options.codecs);
  const auto lossy = chosen(all, true, options.codecs);
  Report report(options.output);
  for (const std::string& name : options.fields) {
    show_progress(name + ": the field itself", 0, 1);
    const fields::Field field =
        fields::cached(*fields::find(name), options.mebibytes << 20, options.cache);
    const double range = value_range(field);
    const auto go = [&](double relative, const std::vector<const Candidate*>& candidates) {
      report.add(field, relative,
                 measure(candidates, field, relative * range, options.effort, [&](int round) {
                   show_progress(name + ": bound " + CLI::detail::to_string(relative), round,
                                 options.effort.rounds);
                 }));
    };
    go(0, lossless);
    for (const double bound : options.bounds) go(bound, lossy);
  }
  report.finish();
  std::fprintf(stderr, "\n");
}

Options parse(CLI::App& app, int argc, char** argv) {
  Options options;
  std::vector<std::string> all_fields;
  for (const fields::Kind& kind : fields::kinds()) all_fields.emplace_back(kind.name);
  std::vector<std::string> all_codecs;
  for (const auto& candidate : candidates()) all_codecs.push_back(candidate->name());
  bool quick = false;
  app.add_option("--output", options.output, "the CSV to write")->capture_default_str();
  app.add_option("--cache", options.cache, "where the fields are kept")->capture_default_str();
  app.add_option("--size", options.mebibytes, "MiB of every field: a power of two")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
  app.add_option("--fields", options.fields, "only these")
      ->check(CLI::IsMember(all_fields))
      ->delimiter(',');
  app.add_option("--codecs", options.codecs, "only these, and memcpy")
      ->check(CLI::IsMember(all_codecs))
      ->delimiter(',');
  app.add_option("--bounds", options.bounds, "error bounds, as parts of the value range")
      ->check(CLI::Range(1e-12, 1.0))
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--rounds", options.effort.rounds, "rounds of measurement")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--quick", quick, "2 MiB and 3 rounds, to see that all works");
  app.parse(argc, argv);
  if (options.fields.empty()) options.fields = all_fields;
  if (quick) {
    options.mebibytes = 2;
    options.effort.rounds = 3;
  }
  return options;
}

int run_command(int argc, char** argv) {
  CLI::App app("Measures every codec on simulated fields.", "bench_codec");
  Options options;
  try {
    options = parse(app, argc, argv);
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
    std::fprintf(stderr, "\nbench_codec: %s\n", error.what());
    return 1;
  }
}
