#include "calibrate/calibration.h"

#include "calibrate/collectives/alternate_modes.h"
#include "calibrate/measure/world.h"
#include "tightwire.h"

namespace tightwire::calibrate {
namespace {

constexpr int fewest_samples = 3;
constexpr int most_samples = 100;

std::vector<Mode> tiers(const std::string& error_bound) {
  return {{"raw", false, {{"error-bound", error_bound}, {"mode", "raw"}}},
          {"exact", false, {{"mode", "exact"}}},
          {"bounded", false, {{"mode", "bounded"}}},
          {"pipelined",
           false,
           {{"mode", "adaptive+pipelined"},
            {"threshold-exact", "0"},
            {"threshold-bounded", "0"},
            {"threshold-pipelined", "0"}}}};
}

std::uint64_t compressed_calls() {
  tightwire_statistics statistics{};
  return tightwire_get_statistics(&statistics) == TIGHTWIRE_OK ? statistics.calls : 0;
}

// Where all ranks share a host nothing is compressed, and all tiers would be found equal.
bool compresses_here(const Mode& tier, Buffers& buffers) {
  const std::uint64_t before = compressed_calls();
  static_cast<void>(apply(tier));
  run(Collective::allreduce, called_by_programs(), buffers, buffers.own.size(), world_rank());
  return compressed_calls() > before;
}

std::optional<std::string> why_not_measure(const std::vector<Mode>& modes) {
  if (world_size() < 2)
    return "one rank sends no messages; start at least two, on two hosts or more";
  for (const Mode& mode : modes) {
    if (const auto refused = apply(mode)) return "the library refuses " + *refused;
  }
  Buffers little{std::vector<float>(1024), std::vector<float>(1024)};
  if (compresses_here(modes[1], little)) return std::nullopt;
  return "all ranks share one host, where messages are not compressed; start them on two hosts or "
         "more, or set TIGHTWIRE_SAME_HOST=compress to measure this host all the same";
}

Times measured(const std::vector<Mode>& modes, Collective collective, std::uint64_t bytes,
               Buffers& buffers, const Effort& effort) {
  const auto points = alternate(
      modes, {collective, static_cast<std::size_t>(bytes) / sizeof(float)}, buffers, effort);
  return {bytes, points[0].seconds, points[1].seconds, points[2].seconds, points[3].seconds};
}

}  // namespace

std::variant<std::vector<Series>, std::string> calibrate(const CalibrateOptions& options,
                                                         const Progress& progress) {
  const std::vector<Mode> modes = tiers(options.error_bound);
  if (const auto reason = why_not_measure(modes)) return *reason;

  const std::vector<std::uint64_t> sizes = options.sizes();
  std::vector<Series> all;
  std::vector<Buffers> buffers;
  const std::size_t most = static_cast<std::size_t>(sizes.back()) / sizeof(float);
  for (const Data data : options.data) {
    buffers.push_back({make_field(data, most, world_rank()), std::vector<float>(most)});
    for (const Collective collective : options.collectives) {
      all.push_back({std::string(name_of(collective)), std::string(name_of(data)), {}});
    }
  }
  const double points = static_cast<double>(sizes.size() * all.size());
  const Effort effort{options.seconds / points, fewest_samples, most_samples};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t series = 0; series < all.size(); ++series) {
      const std::size_t kinds = options.collectives.size();
      const Collective collective = options.collectives[series % kinds];
      all[series].times.push_back(
          measured(modes, collective, sizes[i], buffers[series / kinds], effort));
    }
    progress(static_cast<double>(i + 1) / static_cast<double>(sizes.size()), typical(all).back());
  }
  return all;
}

}  // namespace tightwire::calibrate
