// Measures reductions where hosts have several ranks each: plain MPI, tightwire's flat rings, and
// its lanes, in alternation. Under Tightwire's preload library, which must not leave the messages
// alone (mode adaptive decides by the network).
//
// Prints CSV lines "op,bytes,field,method,median_ms,raw_ms,speedup,ranks_identical" from rank 0.
#include <array>
#include <cstdio>
#include <stdexcept>

#include "calibrate/measure/alternate.h"
#include "calibrate/measure/mode.h"
#include "calibrate/measure/program.h"
#include "support/measure.h"
#include "support/same_bits.h"
#include "support/shared_field.h"

namespace tightwire::bench {
namespace {

constexpr Program program{"bench-lanes"};

struct Options {
  std::string field;
  std::size_t bytes = 0;
  double seconds = 1;  // on each operation
  std::string cache;
};

std::vector<Mode> all_modes() {
  return {{"raw", false, {{"mode", "raw"}, {"lanes", "off"}}},
          {"flat", false, {{"mode", "bounded"}, {"lanes", "off"}}},
          {"lanes", false, {{"mode", "bounded"}, {"lanes", "on"}}}};
}

struct Buffers {
  int rank = 0;
  int ranks = 0;
  std::vector<float> own;
  std::vector<float> result;

  [[nodiscard]] int count() const { return static_cast<int>(own.size()); }
  [[nodiscard]] int share() const { return count() / ranks; }
};

void allreduce(Buffers& b) {
  MPI_Allreduce(b.own.data(), b.result.data(), b.count(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
void reduce(Buffers& b) {
  MPI_Reduce(b.own.data(), b.result.data(), b.count(), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}
void reduce_scatter(Buffers& b) {
  MPI_Reduce_scatter_block(b.own.data(), b.result.data(), b.share(), MPI_FLOAT, MPI_SUM,
                           MPI_COMM_WORLD);
}
struct Operation {
  const char* name;
  void (*run)(Buffers&);
  bool same_everywhere;
};
constexpr std::array operations{Operation{"allreduce", allreduce, true},
                                Operation{"reduce", reduce, false},
                                Operation{"reduce_scatter", reduce_scatter, false}};

// One call, untimed: whether all ranks then hold the same bits.
bool identical(const Operation& operation, const Mode& mode, Buffers& buffers) {
  if (const auto refused = apply(mode)) throw std::runtime_error("tightwire refused " + *refused);
  operation.run(buffers);
  const auto result = std::as_bytes(std::span(buffers.result));
  return same_everywhere(hash_of(result), operation.same_everywhere);
}

void measure(const Operation& operation, Buffers& buffers, const Options& options) {
  const std::vector<Mode> modes = all_modes();
  std::vector<bool> same;
  std::vector<Contender> contenders;
  for (const Mode& mode : modes) {
    same.push_back(identical(operation, mode, buffers));
    contenders.push_back(
        {[&mode] { static_cast<void>(apply(mode)); }, [&] { operation.run(buffers); }});
  }
  const auto measured = alternate(contenders, options.bytes, {options.seconds, 5, 200, 1});
  if (buffers.rank != 0) return;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double raw = measured[0].seconds;
    const double own = measured[i].seconds;
    std::printf("%s,%zu,%s,%s,%.3f,%.3f,%.2f,%s\n", operation.name, options.bytes,
                options.field.c_str(), modes[i].name.c_str(), 1e3 * own, 1e3 * raw, raw / own,
                same[i] ? "yes" : "no");
  }
  std::fflush(stdout);
}

std::variant<Options, Notice> parse_options(int argc, const char* const* argv) {
  CLI::App app("Measures reductions by plain MPI, Tightwire's flat rings and its lanes.");
  Options options;
  std::vector<std::string> known;
  for (const fields::Kind& kind : fields::kinds()) known.emplace_back(kind.name);
  app.add_option("--field", options.field, "a field of float32 values")
      ->required()
      ->check(CLI::IsMember(known));
  app.add_option("--bytes", options.bytes, "of the field, a power of two from 65536 on")
      ->required()
      ->check(CLI::Range(std::size_t{1} << 16, std::size_t{1} << 32));
  app.add_option("--seconds", options.seconds, "to spend on each operation")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--cache", options.cache, "folder that keeps fields")->required();
  if (auto notice = parse(app, argc, argv)) return *std::move(notice);
  return options;
}

int run(const Options& options) {
  const fields::Field field = shared_field(options.field, options.bytes, options.cache);
  const auto values = field.values<float>();
  Buffers buffers{world_rank(), world_size(), {values.begin(), values.end()}, {}};
  buffers.result.resize(values.size());
  for (float& value : buffers.own) value *= 1 + 0.1F * static_cast<float>(buffers.rank);
  for (const Operation& operation : operations) measure(operation, buffers, options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  using namespace tightwire::bench;
  return program.run(argc, argv, parse_options, run);
}
