#include "calibrate/options.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include "settings/text.h"

namespace tightwire::calibrate {
namespace {

constexpr std::uint64_t smallest_size = sizeof(float);
constexpr std::uint64_t largest_size = std::uint64_t{1} << 32;

// How the command line is written: everything as the user gave it.
struct Texts {
  std::string from = "1K";
  std::string to = "32M";
  std::vector<std::string> collectives{"allreduce", "reduce", "bcast"};
  std::vector<std::string> data{"smooth", "noisy"};
  std::string threads = "auto";
};

std::optional<Data> data_named(std::string_view name) {
  for (const Data data : {Data::smooth, Data::noisy}) {
    if (name == name_of(data)) return data;
  }
  return std::nullopt;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  result += text;
  return result += "\"";
}

std::string check_size(const std::string& text) {
  settings::Bytes size;
  if (const auto fault = settings::parse(text, size)) {
    return quoted(text) + " " + fault->reason + "; " + fault->advice;
  }
  const bool usable = size.value >= smallest_size && size.value <= largest_size;
  if (usable && std::has_single_bit(size.value)) return {};
  return quoted(text) + " is not a power of two from 4 bytes to 4G; write 1K, 64K, 32M";
}

std::string check_collective(const std::string& text) {
  return collective_named(text) ? "" : quoted(text) + " is not allreduce, reduce or bcast";
}

std::string check_data(const std::string& text) {
  return data_named(text) ? "" : quoted(text) + " is not smooth or noisy";
}

std::string check_bound(const std::string& text) {
  settings::ErrorBound bound;
  if (const auto fault = settings::parse(text, bound)) {
    return quoted(text) + " " + fault->reason + "; " + fault->advice;
  }
  return bound.given() ? "" : quoted(text) + " leaves nothing to measure; give a number";
}

std::string check_seconds(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && std::isfinite(seconds) && seconds > 0) return {};
  return quoted(text) + " is no time; give a number of seconds above 0, such as 60";
}

std::string check_threads(const std::string& text) {
  settings::Count threads;
  const auto fault = settings::parse(text, threads);
  return fault ? quoted(text) + " " + fault->reason + "; " + fault->advice : "";
}

void declare(CLI::App& app, CalibrateOptions& options, Texts& texts) {
  app.add_option("--from", texts.from, "smallest message, a power of two")
      ->check(check_size)
      ->capture_default_str();
  app.add_option("--to", texts.to, "largest message, a power of two")
      ->check(check_size)
      ->capture_default_str();
  app.add_option("--collectives", texts.collectives, "some of allreduce, reduce, bcast")
      ->delimiter(',')
      ->check(check_collective)
      ->default_str("all");
  app.add_option("--data", texts.data, "smooth, noisy or both")
      ->delimiter(',')
      ->check(check_data)
      ->default_str("both");
  app.add_option("--error-bound", options.error_bound, "bound to measure with; it is not written")
      ->check(check_bound)
      ->capture_default_str();
  app.add_option("--seconds", options.seconds,
                 "time for everything, about; slow networks take more")
      ->check(check_seconds)
      ->capture_default_str();
  app.add_option("--threads", texts.threads,
                 "threads of a rank to measure coding with, up to so many; auto: as many as it has "
                 "cores")
      ->check(check_threads)
      ->capture_default_str();
  app.add_option("--output", options.settings_file, "settings file to write")
      ->capture_default_str();
  app.add_option("--csv", options.measurements_file, "file for the measurements")
      ->capture_default_str();
  app.add_flag("--force", options.force, "replace a settings file that is there");
}

}  // namespace

std::vector<std::uint64_t> CalibrateOptions::sizes() const {
  std::vector<std::uint64_t> result;
  for (std::uint64_t size = smallest; size <= largest; size *= 2) result.push_back(size);
  return result;
}

std::variant<CalibrateOptions, Notice> parse_calibrate_options(int argc, const char* const* argv) {
  CLI::App app(
      "Measures raw, exact, bounded and pipelined collectives on this job's network and writes "
      "the thresholds between them to a settings file.",
      "mpirun -n RANKS tightwire calibrate");
  CalibrateOptions options;
  options.error_bound = "rel:1e-4";
  options.seconds = 60;
  options.settings_file = "tightwire.toml";
  options.measurements_file = "calibration.csv";
  Texts texts;
  declare(app, options, texts);
  if (auto notice = parse(app, argc, argv, "tightwire calibrate --help")) {
    return *std::move(notice);
  }
  settings::Bytes size;
  static_cast<void>(settings::parse(texts.from, size));
  options.smallest = size.value;
  static_cast<void>(settings::parse(texts.to, size));
  options.largest = size.value;
  settings::Count threads;
  static_cast<void>(settings::parse(texts.threads, threads));
  options.threads = threads.value;
  if (options.smallest > options.largest) {
    return Notice{"--from " + texts.from + " is larger than --to " + texts.to, bad_usage};
  }
  for (const std::string& name : texts.collectives) {
    options.collectives.push_back(collective_named(name).value_or(Collective::allreduce));
  }
  for (const std::string& name : texts.data) {
    options.data.push_back(data_named(name).value_or(Data::smooth));
  }
  return options;
}

}  // namespace tightwire::calibrate
