#include "collectives/options.h"

#include <limits>

#include "settings/text.h"

namespace tightwire::bench {
namespace {

constexpr std::size_t largest_count = std::numeric_limits<int>::max();

std::string check_collective(const std::string& text) {
  return collective_named(text) ? "" : "\"" + text + "\" is not allreduce, reduce or bcast";
}

std::string check_bound(const std::string& text) {
  settings::ErrorBound bound;
  const auto fault = settings::parse(text, bound);
  return fault ? "\"" + text + "\" " + fault->reason + "; " + fault->advice : "";
}

}  // namespace

std::variant<Options, Notice> parse_options(int argc, const char* const* argv) {
  CLI::App app(
      "Measures collectives of float32 values in every mode of Tightwire, in alternation "
      "with plain MPI.");
  Options options;
  std::vector<std::string> collectives{"allreduce", "reduce", "bcast"};
  options.counts = {std::size_t{1} << 20};
  options.error_bound_text = "rel:1e-4";
  bool noisy = false;
  app.add_option("--counts", options.counts, "float32 values of a message, one or more")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{1}, largest_count));
  app.add_option("--collectives", collectives, "allreduce, reduce, bcast")
      ->delimiter(',')
      ->check(check_collective);
  app.add_flag("--noisy", noisy, "smooth data with noise of 1 % of its range");
  app.add_option("--error-bound", options.error_bound_text, "as Tightwire takes it")
      ->check(check_bound)
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "to spend on each collective and count")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--output", options.output, "CSV file to write")->required();
  if (auto notice = parse(app, argc, argv)) return *std::move(notice);
  static_cast<void>(settings::parse(options.error_bound_text, options.error_bound));
  options.data = noisy ? Data::noisy : Data::smooth;
  for (const std::string& name : collectives) {
    if (const auto collective = collective_named(name)) options.collectives.push_back(*collective);
  }
  return options;
}

}  // namespace tightwire::bench
