#include "policy/cost/schedule.h"

#include <algorithm>
#include <cmath>

#include "policy/cost/handing_on.h"

namespace tightwire::policy {
namespace {

std::vector<Algorithm> open_to(const settings::Settings& settings, Operation operation) {
  const std::span<const Algorithm> known = algorithms_of(operation);
  if (std::ranges::find(known, settings.algorithm) != known.end()) return {settings.algorithm};
  return {known.begin(), known.end()};
}

// Until what one rank has can be at all.
double doublings(int ranks) {
  return std::ceil(std::log2(ranks));
}

// That a rank sends one after the other.
double pieces_in_a_row(const Facts& facts, Algorithm algorithm) {
  const double others = std::max(facts.ranks - 1, 1);
  const double steps = doublings(std::max(facts.ranks, 2));
  switch (facts.operation) {
    case Operation::allreduce:
      if (algorithm == Algorithm::recursive_doubling) return steps;
      return algorithm == Algorithm::rabenseifner ? 2 * steps : 2 * others;
    case Operation::reduce:
      return algorithm == Algorithm::tree ? steps : others;
    case Operation::reduce_scatter:
      return algorithm == Algorithm::rabenseifner ? steps : others;
    case Operation::scan:
    case Operation::gather:
    case Operation::scatter:
    case Operation::allgather:
    case Operation::alltoall:
      return others;
    case Operation::bcast:
      return steps;
    case Operation::send:
    case Operation::neighbor_allgather:
    case Operation::neighbor_alltoall:
      break;
  }
  return 1;
}

// What is handed on is on its way to the next rank while its next chunk comes.
double messages_in_a_row(const Facts& facts, Algorithm algorithm, std::size_t chunks) {
  const double pieces = pieces_in_a_row(facts, algorithm);
  const auto count = static_cast<double>(chunks);
  return facts.operation == Operation::bcast ? pieces + count - 1 : pieces * count;
}

// By the model: twice as many frames that take hardly less are not worth what else they cost, which
// it does not know.
Schedule with_best_chunks(const ChunkRange& range, const Facts& facts, const Speeds& speeds,
                          Algorithm algorithm) {
  constexpr double worth_more_frames = 0.95;
  const double piece = static_cast<double>(piece_bytes(facts, algorithm)) / speeds.ratio;
  const auto asking = [&](std::size_t chunks) {
    const double size = piece / static_cast<double>(chunks);
    return asking_seconds(facts.network, size, messages_in_a_row(facts, algorithm, chunks));
  };
  const auto schedule_in = [&](std::size_t chunks) {
    return Schedule{algorithm, chunks, compressed_seconds(facts, speeds, algorithm, chunks)};
  };
  Schedule best = schedule_in(std::max<std::size_t>(range.fewest, 1));
  for (std::size_t chunks = 2 * best.chunks; chunks <= range.most; chunks *= 2) {
    const Schedule now = schedule_in(chunks);
    const double seconds = best.seconds + asking(best.chunks);
    if (now.seconds + asking(chunks) < worth_more_frames * seconds) best = now;
  }
  return best;
}

Schedule with_best_chunks(const settings::Settings& settings, const Plan& plan, const Facts& facts,
                          const Speeds& speeds, Algorithm algorithm) {
  const ChunkRange range = chunk_range(settings, plan, piece_bytes(facts, algorithm));
  if (is_reduction(facts.operation)) return with_best_chunks(range, facts, speeds, algorithm);
  const std::size_t chunks = moved(range, facts, speeds).chunks;
  return {algorithm, chunks, compressed_seconds(facts, speeds, algorithm, chunks)};
}

// Along a ring neighbours alone talk. In other ways all ranks exchange with ranks far away at once,
// which a network with fewer links above than below does not carry at the speed of one link: such a
// way must be clearly the faster one, for losing a little where all links are there.
double weighed(const Schedule& schedule) {
  constexpr double clearly = 1.25;
  return schedule.algorithm == Algorithm::ring ? schedule.seconds : clearly * schedule.seconds;
}

// Each message that a rank encodes is looked at as a whole, and the ranks of a reduction agree.
double range_seconds(const Facts& facts) {
  const bool one_for_each =
      facts.operation == Operation::scatter || facts.operation == Operation::alltoall;
  const double messages = one_for_each ? facts.ranks - 1 : 1;
  const double speedup = facts.bytes < least_bytes_of_shared_look ? 1 : facts.coding_speedup;
  const double look = messages * static_cast<double>(facts.bytes) * look_seconds_per_byte / speedup;
  const double steps = doublings(facts.ranks);
  return look + (is_reduction(facts.operation) ? 2 * steps * facts.network.latency : 0);
}

}  // namespace

HandedOn moved(const ChunkRange& range, const Facts& facts, const Speeds& speeds) {
  if (facts.in_usual_chunks || !facts.network.known()) return {range.usual()};
  const bool is_handed_on = facts.operation == Operation::bcast;
  const ChunkRange tried{range.fewest, is_handed_on ? range.most : range.usual()};
  const std::size_t chunks =
      tried.fewest == tried.most
          ? tried.most
          : with_best_chunks(tried, facts, speeds, Algorithm::automatic).chunks;
  return is_handed_on ? handed_on(facts, speeds, chunks) : HandedOn{chunks};
}

double seconds_before(const settings::Settings& settings, const Plan& plan, const Facts& facts) {
  return looks_for_range(settings, plan) ? range_seconds(facts) : 0;
}

std::vector<Schedule> schedules(const settings::Settings& settings, const Plan& plan,
                                const Facts& facts, const Speeds& speeds) {
  std::vector<Schedule> all;
  for (const Algorithm algorithm : open_to(settings, facts.operation)) {
    all.push_back(with_best_chunks(settings, plan, facts, speeds, algorithm));
    all.back().seconds += seconds_before(settings, plan, facts);
  }
  std::ranges::stable_sort(all, {}, weighed);
  return all;
}

Schedule schedule(const settings::Settings& settings, const Plan& plan, const Facts& facts,
                  const Speeds& speeds) {
  return schedules(settings, plan, facts, speeds).front();
}

}  // namespace tightwire::policy
