// bench-p2p: messages between two ranks and halo exchanges, by plain MPI and by Tightwire in
// alternation; ../p2p.py starts it over hosts of the lab, under tightwire with point-to-point = on.
//
//   bench-p2p --patterns=A,B --fields=A,B --methods=A,B --bytes=N,N --seconds=X
//
// Writes lines "row,BENCH,METHOD,BYTES,FIELD,VALUE,UNIT,RAW_VALUE,RATIO". Every method's messages
// are compared with what was sent first; the program fails where one is outside its bound.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "collectives/counters.h"
#include "collectives/plain_mpi.h"
#include "p2p/method.h"
#include "p2p/pattern.h"
#include "support/timing.h"
#include "tightwire.h"

namespace tightwire::p2p_bench {
namespace {

constexpr double bound = 1e-4;  // of the range
constexpr int fewest_samples = 5;
constexpr int most_samples = 100;
constexpr std::size_t drained_from = std::size_t{16} << 10;
constexpr std::size_t burst = std::size_t{512} << 10;

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

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::vector<std::string> values = equals == std::string::npos
                                                ? std::vector<std::string>{}
                                                : split(argument.substr(equals + 1));
    if (key == "--patterns") options.patterns = values;
    if (key == "--fields") options.fields = values;
    if (key == "--methods") options.methods = values;
    if (key == "--seconds" && !values.empty()) options.seconds = std::atof(values[0].c_str());
    if (key == "--bytes") {
      for (const std::string& value : values) {
        options.bytes.push_back(std::strtoull(value.c_str(), nullptr, 10));
      }
    }
  }
  if (options.patterns.empty() || options.fields.empty() || options.methods.empty() ||
      options.bytes.empty()) {
    fail("give --patterns, --fields, --methods and --bytes; ./run bench p2p does");
  }
  return options;
}

double greatest_of_all_ranks(double own) {
  static const auto allreduce =
      reinterpret_cast<decltype(&MPI_Allreduce)>(bench::plain_function("PMPI_Allreduce"));
  double greatest = 0;
  allreduce(&own, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return greatest;
}

double sum_of_all_ranks(double own) {
  static const auto allreduce =
      reinterpret_cast<decltype(&MPI_Allreduce)>(bench::plain_function("PMPI_Allreduce"));
  double sum = 0;
  allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

struct Samples {
  std::vector<double> seconds;
  std::vector<double> wire_bytes;
};

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    for (const std::string& name : options.methods) {
      const auto all = all_methods();
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const Method& m) { return m.name == name; });
      if (found == all.end()) fail("there is no method '" + name + "'");
      methods_.push_back(*found);
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
    for (const Method& method : methods_) try_out(*pattern, method, values, name);
    std::vector<Samples> samples(methods_.size());
    std::vector<std::size_t> order(methods_.size());
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random;  // NOLINT(bugprone-random-generator-seed): the same on all ranks
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < most_samples; ++i) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t m : order) sample(*pattern, methods_[m], bytes, samples[m]);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      if (greatest_of_all_ranks(spent.count()) > options_.seconds && i + 1 >= fewest_samples) break;
    }
    if (rank_ == 0) print(name, field, bytes, *pattern, samples);
  }

  void try_out(Pattern& pattern, const Method& method, const Values& values,
               const std::string& name) {
    if (const auto refused = apply(method)) fail("refused " + *refused);
    pattern.spoil();
    pattern.perform(functions_of(method));
    const double error = greatest_of_all_ranks(pattern.largest_error());
    const double allowed = method.bounded ? bound * values.range : 0;
    if (!(error <= allowed)) {
      fail(name + ", " + method.name + ": error " + std::to_string(error) + " where " +
           std::to_string(allowed) + " is allowed");
    }
  }

  void sample(Pattern& pattern, const Method& method, std::size_t bytes, Samples& samples) {
    static_cast<void>(apply(method));
    if (bytes >= drained_from) drain_burst();
    const auto sent = static_cast<double>(bench::sent_bytes());
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    pattern.perform(functions_of(method));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    MPI_Barrier(MPI_COMM_WORLD);
    const double bytes_sent = static_cast<double>(bench::sent_bytes()) - sent;
    samples.seconds.push_back(greatest_of_all_ranks(spent.count()));
    samples.wire_bytes.push_back(sum_of_all_ranks(bytes_sent));
  }

  // A shaped link lets a burst through after a pause; large messages are to meet its steady rate.
  void drain_burst() const {
    static std::vector<char> out(burst);
    static std::vector<char> in(burst);
    static const auto sendrecv =
        reinterpret_cast<decltype(&MPI_Sendrecv)>(bench::plain_function("PMPI_Sendrecv"));
    sendrecv(out.data(), static_cast<int>(burst), MPI_BYTE, (rank_ + 1) % ranks_, 9, in.data(),
             static_cast<int>(burst), MPI_BYTE, (rank_ + ranks_ - 1) % ranks_, 9, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }

  static double told(const Pattern& pattern, double seconds) {
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

  static const char* name_of(Unit unit) {
    constexpr const char* names[] = {"us", "MB/s", "1/s"};
    return names[static_cast<std::size_t>(unit)];
  }

  void print(const std::string& bench, const std::string& field, std::size_t bytes,
             const Pattern& pattern, const std::vector<Samples>& samples) const {
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      const char* const method = methods_[m].name.c_str();
      const double value = told(pattern, bench::median(samples[m].seconds));
      const double raw = told(pattern, bench::median(samples[0].seconds));
      std::printf("row,%s,%s,%zu,%s,%.6g,%s,%.6g,%.4f\n", bench.c_str(), method, bytes,
                  field.c_str(), value, name_of(pattern.unit()), raw, value / raw);
      const double wire = bench::median(samples[m].wire_bytes);
      const double raw_wire = bench::median(samples[0].wire_bytes);
      std::printf("row,%s-wire,%s,%zu,%s,%.0f,B,%.0f,%.4f\n", bench.c_str(), method, bytes,
                  field.c_str(), wire, raw_wire, wire / raw_wire);
    }
    std::fflush(stdout);
  }

  Options options_;
  std::vector<Method> methods_;
  int rank_ = 0;
  int ranks_ = 1;
};

}  // namespace
}  // namespace tightwire::p2p_bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (tightwire_available() == 0) tightwire::p2p_bench::fail("run it under tightwire");
  tightwire::p2p_bench::Bench(tightwire::p2p_bench::parse(argc, argv)).run();
  MPI_Finalize();
  return 0;
}
