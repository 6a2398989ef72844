// bench-device-messages: what two ranks have in the memory of a GPU, sent to the other's: copied by
// hand to pinned memory and given to plain MPI, and given to Tightwire as it is, in alternation;
// ../device_messages.py starts it over hosts of the lab, under tightwire with the bound that it is
// told.
//
// Prints lines "row,PATTERN,FIELD,BYTES,US,BY_HAND_US,SPEEDUP,WIRE_BYTES,BY_HAND_WIRE_BYTES" of a
// message, or a sum. Fails where one is outside the bound.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "calibrate/measure/alternate.h"
#include "calibrate/measure/mode.h"
#include "calibrate/measure/program.h"
#include "device_messages/way.h"
#include "support/shared_field.h"

namespace tightwire::device_messages_bench {
namespace {

constexpr bench::Program program{"bench-device-messages"};
// Sums in floats round, with and without a bound.
constexpr double rounding = 1.01;
// Before samples count: whether calls are compressed is settled by then.
constexpr int rounds_to_learn = 24;
constexpr int fewest_samples = 5;
constexpr int most_samples = 200;

struct Options {
  std::string driver;
  std::vector<std::string> patterns;
  std::vector<std::string> fields;
  std::vector<std::size_t> bytes;
  double bound = 0;
  double seconds = 1;
  std::string cache;
};

class Bench {
 public:
  Bench(const Options& options, const devices::Driver& driver)
      : options_(options), driver_(driver) {}

  void run() const {
    const std::size_t most = *std::ranges::max_element(options_.bytes);
    const Memory all_own(driver_, most);
    std::vector<Memory> all_come;
    for (int i = 0; i < messages_of_window; ++i) all_come.emplace_back(driver_, most);
    for (const std::size_t bytes : options_.bytes) {
      const Memory own = all_own.first(bytes);
      std::vector<Memory> come;
      for (const Memory& memory : all_come) come.push_back(memory.first(bytes));
      for (const std::string& name : options_.fields) {
        const fields::Field field = bench::shared_field(name, bytes, options_.cache);
        std::ranges::copy(field.values<float>(), own.values().begin());
        own.to_device();
        for (const std::string& pattern : options_.patterns) measure(pattern, field, own, come);
      }
    }
  }

 private:
  void measure(const std::string& pattern, const fields::Field& field, const Memory& own,
               const std::vector<Memory>& come) const {
    const std::array ways{Way(true, own, come), Way(false, own, come)};
    std::vector<bench::Contender> contenders;
    for (const Way& way : ways) {
      check(way, pattern, field, come[0]);
      contenders.push_back({[] {}, [&] { way.perform(pattern); }});
    }
    const auto measured =
        bench::alternate(contenders, field.bytes.size(),
                         {options_.seconds, fewest_samples, most_samples, rounds_to_learn});
    if (bench::world_rank() == 0) print(pattern, field, measured);
  }

  static void print(const std::string& pattern, const fields::Field& field,
                    const std::vector<bench::Measurement>& measured) {
    const double parts = is_collective(pattern) ? 1 : 2 * messages_of(pattern);
    const auto us = [&](int way) { return 1e6 * measured[way].seconds / parts; };
    const auto wire = [&](int way) {
      return static_cast<double>(measured[way].wire_bytes) / parts;
    };
    std::printf("row,%s,%s,%zu,%.1f,%.1f,%.3f,%.0f,%.0f\n", pattern.c_str(), field.name.c_str(),
                field.bytes.size(), us(1), us(0), us(0) / us(1), wire(1), wire(0));
    std::fflush(stdout);
  }

  void check(const Way& way, const std::string& pattern, const fields::Field& field,
             const Memory& come) const {
    std::ranges::fill(come.values(), std::numeric_limits<float>::max());
    come.to_device();
    way.perform(pattern);
    come.to_host();
    const double times = pattern == "allreduce" ? bench::world_size() : 1;
    const double allowed = rounding * times * options_.bound * fields::value_range(field);
    const auto values = field.values<float>();
    for (std::size_t i = 0; i < way.come(pattern); ++i) {
      const double expected = times * values[way.source_of(pattern, i)];
      if (std::fabs(come.values()[i] - expected) <= allowed) continue;
      throw std::runtime_error(pattern + " of " + field.name + ": " +
                               std::to_string(come.values()[i]) + " has come for " +
                               std::to_string(expected));
    }
  }

  const Options& options_;
  const devices::Driver& driver_;
};

std::variant<Options, bench::Notice> parse_options(int argc, const char* const* argv) {
  CLI::App app("Measures messages and sums of what GPUs have, staged by hand and by Tightwire.");
  Options options;
  std::vector<std::string> fields;
  for (const fields::Kind& kind : fields::kinds()) fields.emplace_back(kind.name);
  const std::vector<std::string> all(patterns().begin(), patterns().end());
  app.add_option("--driver", options.driver, "CUDA's: libcuda.so.1, or what stands in for it")
      ->required();
  app.add_option("--patterns", options.patterns, "what to measure")
      ->delimiter(',')
      ->required()
      ->check(CLI::IsMember(all));
  app.add_option("--fields", options.fields, "of float32 values")
      ->delimiter(',')
      ->required()
      ->check(CLI::IsMember(fields));
  app.add_option("--bytes", options.bytes, "of a message, powers of two from 65536 on")
      ->delimiter(',')
      ->required()
      ->check(CLI::Range(std::size_t{1} << 16, std::size_t{1} << 30));
  app.add_option("--bound", options.bound, "that tightwire was told, as a part of the range")
      ->required();
  app.add_option("--cache", options.cache, "folder of fields that were made before")->required();
  app.add_option("--seconds", options.seconds, "to spend on each point")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  if (auto notice = bench::parse(app, argc, argv)) return *std::move(notice);
  return options;
}

int run(const Options& options) {
  const bool only_collectives = std::ranges::all_of(options.patterns, is_collective);
  if (bench::world_size() != 2 && !only_collectives) {
    return program.refuse("two ranks are wanted for messages", bench::failed);
  }
  const devices::Driver driver(options.driver.c_str());
  Bench(options, driver).run();
  return 0;
}

}  // namespace
}  // namespace tightwire::device_messages_bench

int main(int argc, char** argv) {
  using namespace tightwire::device_messages_bench;
  return program.run(argc, argv, parse_options, run);
}
