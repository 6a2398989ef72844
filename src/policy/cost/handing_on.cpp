#include "policy/cost/handing_on.h"

#include "policy/cost/network.h"

namespace tightwire::policy {
namespace {

// What a rank decodes before it hands a chunk on, in chunks: by simulation
// (docs/dev/performance.md).
constexpr double decoded_before = 3;

double bytes_of_chunk(const Facts& facts, std::size_t chunks) {
  return static_cast<double>(facts.bytes) / static_cast<double>(chunks);
}

double transfer_of_chunk(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  return bytes_of_chunk(facts, chunks) / (speeds.ratio * facts.network.bandwidth) +
         frame_seconds(facts.network);
}

}  // namespace

HandedOn handed_on(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  const double pause =
      facts.network.latency + decoded_before * speeds.decode * bytes_of_chunk(facts, chunks);
  return {chunks, pause / transfer_of_chunk(facts, speeds, chunks)};
}

double along_tree_seconds(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  const double all = transfer_of_chunk(facts, speeds, chunks) * static_cast<double>(chunks);
  return facts.network.latency +
         all * transfers_along_tree(facts.ranks_of_tree(), handed_on(facts, speeds, chunks));
}

double handing_on_seconds(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  return along_tree_seconds(facts, speeds, chunks) +
         (speeds.encode + speeds.decode) * bytes_of_chunk(facts, chunks);
}

}  // namespace tightwire::policy
