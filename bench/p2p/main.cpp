// bench-p2p: messages between two ranks and halo exchanges, by plain MPI and by Tightwire in
// alternation; ../p2p.py starts it over hosts of the lab, under tightwire with point-to-point = on.
//
//   bench-p2p --patterns=A,B --fields=A,B --methods=A,B --bytes=N,N --seconds=X
//
// Writes lines "row,BENCH,METHOD,BYTES,FIELD,VALUE,UNIT,RAW_VALUE,RATIO". Every method's messages
// are compared with what was sent first; the program fails where one is outside its bound.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "calibrate/measure/alternate.h"
#include "calibrate/measure/program.h"
#include "calibrate/measure/world.h"
#include "p2p/method.h"
#include "p2p/pattern.h"
#include "support/measure.h"

namespace tightwire::p2p_bench {
namespace {

constexpr bench::Program program{"bench-p2p"};
constexpr double bound = 1e-4;  // of the range
constexpr int fewest_samples = 5;
constexpr int most_samples = 100;

struct Options {
  std::vector<std::string> patterns;
  std::vector<std::string> fields;
  std::vector<std::string> methods;
  std::vector<std::size_t> bytes;
  double seconds = 1;
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "bench-p2p: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

std::vector<std::string> names_of(std::span<const Method> methods) {
  std::vector<std::string> names;
  for (const Method& method : methods) names.push_back(method.mode.name);
  return names;
}

template <std::size_t count>
std::vector<std::string> texts_of(const std::string_view (&names)[count]) {
  return {std::begin(names), std::end(names)};
}

std::variant<Options, bench::Notice> parse_options(int argc, const char* const* argv) {
  CLI::App app("Measures messages between two ranks and halo exchanges, in alternation.");
  Options options;
  const auto add = [&](const char* name, std::vector<std::string>& chosen,
                       const std::vector<std::string>& known, const char* about) {
    app.add_option(name, chosen, about)->delimiter(',')->required()->check(CLI::IsMember(known));
  };
  add("--patterns", options.patterns, texts_of(all_patterns), "what the ranks do");
  add("--fields", options.fields, texts_of(all_fields), "what the messages hold");
  add("--methods", options.methods, names_of(all_methods()), "beside raw");
  app.add_option("--bytes", options.bytes, "of a message, or of a halo's face: powers of two")
      ->delimiter(',')
      ->required();
  app.add_option("--seconds", options.seconds, "to spend on each point")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  if (auto notice = bench::parse(app, argc, argv)) return *std::move(notice);
  return options;
}

double greatest_of_all_ranks(double own) {
  bench::plain_mpi().allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return own;
}

double told(const Pattern& pattern, double seconds) {
  switch (pattern.unit()) {
    case Unit::microseconds:
      return 1e6 * seconds / pattern.amount();
    case Unit::megabytes_a_second:
      return 1e-6 * pattern.amount() / seconds;
    case Unit::messages_a_second:
      return pattern.amount() / seconds;
  }
  return 0;
}

const char* name_of(Unit unit) {
  constexpr const char* names[] = {"us", "MB/s", "1/s"};
  return names[static_cast<std::size_t>(unit)];
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {
    for (const Method& method : all_methods()) {
      const bool chosen = std::ranges::count(options.methods, method.mode.name) != 0;
      if (chosen || method.mode.plain) methods_.push_back(method);
    }
  }

  void run() {
    for (const std::string& field : options_.fields) {
      for (const std::size_t bytes : options_.bytes) {
        // The same on all ranks: what arrives can be told.
        const Values values = make_values(field, bytes, 0);
        for (const std::string& pattern : options_.patterns) measure(pattern, field, bytes, values);
      }
    }
  }

 private:
  void measure(const std::string& name, const std::string& field, std::size_t bytes,
               const Values& values) {
    const std::unique_ptr<Pattern> pattern = make_pattern(name, bytes, values);
    std::vector<bench::Contender> contenders;
    for (const Method& method : methods_) {
      try_out(*pattern, method, values, name);
      contenders.push_back({[&method] { static_cast<void>(apply(method.mode)); },
                            [&] { pattern->perform(functions_of(method.mode)); }});
    }
    const auto measured =
        bench::alternate(contenders, bytes, {options_.seconds, fewest_samples, most_samples, 1});
    if (bench::world_rank() == 0) print(name, field, bytes, *pattern, measured);
  }

  static void try_out(Pattern& pattern, const Method& method, const Values& values,
                      const std::string& name) {
    if (const auto refused = apply(method.mode)) fail("refused " + *refused);
    pattern.spoil();
    pattern.perform(functions_of(method.mode));
    const double error = greatest_of_all_ranks(pattern.largest_error());
    const double allowed = method.bounded ? bound * values.range : 0;
    if (!(error <= allowed)) {
      fail(name + ", " + method.mode.name + ": error " + std::to_string(error) + " where " +
           std::to_string(allowed) + " is allowed");
    }
  }

  void print(const std::string& bench, const std::string& field, std::size_t bytes,
             const Pattern& pattern, const std::vector<bench::Measurement>& measured) const {
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      const char* const method = methods_[m].mode.name.c_str();
      const double value = told(pattern, measured[m].seconds);
      const double raw = told(pattern, measured[0].seconds);
      std::printf("row,%s,%s,%zu,%s,%.6g,%s,%.6g,%.4f\n", bench.c_str(), method, bytes,
                  field.c_str(), value, name_of(pattern.unit()), raw, value / raw);
      const auto wire = static_cast<double>(measured[m].wire_bytes);
      const auto raw_wire = static_cast<double>(measured[0].wire_bytes);
      std::printf("row,%s-wire,%s,%zu,%s,%.0f,B,%.0f,%.4f\n", bench.c_str(), method, bytes,
                  field.c_str(), wire, raw_wire, wire / raw_wire);
    }
    std::fflush(stdout);
  }

  const Options& options_;
  std::vector<Method> methods_;
};

int run(const Options& options) {
  Bench(options).run();
  return 0;
}

}  // namespace
}  // namespace tightwire::p2p_bench

int main(int argc, char** argv) {
  using namespace tightwire::p2p_bench;
  return program.run(argc, argv, parse_options, run);
}
