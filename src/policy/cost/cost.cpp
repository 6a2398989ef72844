#include "policy/cost/cost.h"

#include <algorithm>
#include <array>
#include <bit>

#include "policy/cost/handing_on.h"
#include "policy/cost/reduction_seconds.h"
#include "policy/cost/times.h"

namespace tightwire::policy {
namespace {

// Neither in a chain of sums nor in a tree.
bool helpers_share(Operation operation, Algorithm algorithm) {
  return operation != Operation::scan && algorithm != Algorithm::tree;
}

// What a message takes beside its slowest stage, behind which the others hide but for a chunk.
double beside_slowest(const Times& t, double all, double slowest) {
  return std::max(0.0, all - slowest) / t.chunks;
}

double bcast(const Times& t, double along_tree) {
  return (t.encode_alone + t.decode_alone) / t.chunks + along_tree;
}

// One rank's link carries all blocks.
double to_or_from_root(const Times& t, double work) {
  const double slowest = std::max(t.wire, work + t.frames);
  const double all = t.encode_alone + t.wire + t.decode_alone + t.frames;
  return t.latency + (t.ranks - 1) * slowest + beside_slowest(t, all, slowest);
}

// A message through its stages, after others that each took a step.
double last_of_several(const Times& t, double before, double one, double work) {
  const double slowest = std::max(t.wire, work);
  return before * one + slowest + t.latency + beside_slowest(t, t.wire + work, slowest);
}

// None is taken before the own block is encoded; each is handed on before it is decoded.
double allgather(const Times& t) {
  const double work = t.decode + t.frames;
  const double one = std::max({t.wire, work, t.wire / t.chunks + t.latency});
  return t.encode + t.frames + last_of_several(t, t.ranks - 2, one, work);
}

// Chunks of several blocks are on their way at once.
double exchange_with_all(const Times& t) {
  constexpr double at_once = 3;
  const double work = t.encode + t.decode + t.frames;
  const double round = (t.wire + work) / t.chunks + t.latency;
  const double one = std::max({t.wire, work, round * t.chunks / at_once});
  return last_of_several(t, t.ranks - 2, one, work);
}

double exchange_with_neighbour(const Times& t) {
  const double work = t.encode + t.decode + t.frames;
  return last_of_several(t, 0, 0, work);
}

}  // namespace

std::span<const Algorithm> algorithms_of(Operation operation) {
  static constexpr std::array allreduce{Algorithm::ring, Algorithm::recursive_doubling,
                                        Algorithm::rabenseifner};
  static constexpr std::array reduce{Algorithm::ring, Algorithm::tree};
  static constexpr std::array reduce_scatter{Algorithm::ring, Algorithm::rabenseifner};
  static constexpr std::array none{Algorithm::automatic};
  if (operation == Operation::allreduce) return allreduce;
  if (operation == Operation::reduce) return reduce;
  return operation == Operation::reduce_scatter ? std::span<const Algorithm>(reduce_scatter) : none;
}

std::size_t segments(Algorithm algorithm, int ranks) {
  switch (algorithm) {
    case Algorithm::recursive_doubling:
    case Algorithm::tree:
    case Algorithm::automatic:
      return 1;
    case Algorithm::rabenseifner:
      return std::bit_floor(static_cast<unsigned>(std::max(ranks, 1)));
    case Algorithm::ring:
      break;
  }
  return static_cast<std::size_t>(ranks);
}

std::size_t piece_bytes(const Facts& facts, Algorithm algorithm) {
  // The program's own segments of a Reduce_scatter are one for each rank.
  const Algorithm cut = facts.operation == Operation::reduce_scatter ? Algorithm::ring : algorithm;
  const std::size_t parts = std::max<std::size_t>(segments(cut, facts.ranks), 1);
  return (facts.bytes + parts - 1) / parts;
}

double compressed_seconds(const Facts& facts, const Speeds& speeds, Algorithm algorithm,
                          std::size_t chunks) {
  const double speedup = helpers_share(facts.operation, algorithm) ? facts.coding_speedup : 1;
  const auto chunks_of_piece = static_cast<double>(chunks);
  const auto times_of = [&](double part, double pieces) {
    return Times(facts, speeds, chunks_of_piece, speedup, part, pieces);
  };
  const double messages = messages_at_once(facts.operation, facts.ranks);
  const Times t = times_of(messages, messages * chunks_of_piece);
  switch (facts.operation) {
    case Operation::allreduce:
    case Operation::reduce:
    case Operation::reduce_scatter:
      return reduction_seconds(facts, times_of, algorithm, chunks_of_piece);
    case Operation::scan:
      return scan_seconds(t);
    case Operation::bcast:
    case Operation::send:  // is one to a single rank
      return bcast(t, along_tree_seconds(facts, speeds, chunks));
    case Operation::gather:
      return to_or_from_root(t, t.decode);
    case Operation::scatter:
      return to_or_from_root(t, t.encode);
    case Operation::allgather:
      return allgather(t);
    case Operation::alltoall:
      return exchange_with_all(t);
    case Operation::neighbor_allgather:
    case Operation::neighbor_alltoall:
      return exchange_with_neighbour(t);
  }
  return 0;
}

}  // namespace tightwire::policy
