#include "accuracy/algorithms.h"

#include <cmath>

#include "accuracy/settings.h"
#include "accuracy/trial.h"
#include "calibrate/measure/world.h"
#include "support/formatted.h"
#include "support/measure.h"

namespace tightwire::accuracy {
namespace {

constexpr const char* codecs[] = {"bounded", "sz3", "zfp-accuracy"};
constexpr const char* algorithms[] = {"ring", "recursive-doubling", "rabenseifner"};

std::string row_of(const std::string& field, const char* codec, const char* algorithm,
                   const Outcome& outcome, double error_bound, std::int64_t bits_of_ring) {
  const double part = outcome.errors.root_of_mean_squares() / outcome.range;
  return field + bench::formatted(",%s,%s,%d,%.17g,%.6f,%.2f,%.3e,%s,%s\n", codec, algorithm,
                                  bench::world_size(), error_bound,
                                  outcome.errors.largest() / error_bound, -20 * std::log10(part),
                                  part, outcome.bits == bits_of_ring ? "yes" : "no",
                                  outcome.ranks_identical ? "yes" : "no");
}

}  // namespace

std::optional<std::string> sums_by_algorithm(const std::string& field,
                                             const comparison::Inputs& inputs, double error_bound) {
  std::string rows;
  bool taken = set_bound(error_bound, "contribution");
  for (const char* codec : codecs) {
    std::int64_t bits_of_ring = 0;
    for (const char* algorithm : algorithms) {
      taken = taken && set("bounded-codec", codec) && set("algorithm", algorithm);
      if (!taken) return std::nullopt;
      const Outcome outcome = attempt(Type::float32, Operation::sum, inputs, error_bound);
      if (algorithm == algorithms[0]) bits_of_ring = outcome.bits;
      rows += row_of(field, codec, algorithm, outcome, error_bound, bits_of_ring);
    }
  }
  taken = set("bounded-codec", codecs[0]) && set("algorithm", "auto");
  return taken ? std::optional(rows) : std::nullopt;
}

}  // namespace tightwire::accuracy
