#include "policy/cost/reduction_seconds.h"

#include <algorithm>
#include <bit>

#include "policy/frames_per_message.h"

namespace tightwire::policy {
namespace {

double steps_of(int ranks) {
  return std::bit_width(static_cast<unsigned>(ranks)) - 1;
}

// A rank beyond the last power of two hands its values over first, and gets the result last.
bool has_pairs(int ranks) {
  return !std::has_single_bit(static_cast<unsigned>(ranks));
}

// The result's first half: each rank ends with one segment.
double ring_reduction(const Times& t) {
  const double part = 1 / t.ranks;
  const double one = step(t.wire * part, t.merge * part + t.frames, t.latency, t.chunks);
  return (t.encode_alone * part + t.frames) / t.chunks + (t.ranks - 1) * one;
}

double ring_allreduce(const Times& t) {
  const double part = 1 / t.ranks;
  const double decode = t.decode * part + t.frames;
  const double last = t.decode_alone * part + t.frames;
  const double one = std::max({t.wire * part, decode, t.wire * part / t.chunks + t.latency});
  return ring_reduction(t) + decode + (t.ranks - 1) * one + last / t.chunks;
}

double ring_reduce(const Times& t) {
  const double part = (t.ranks - 1) / t.ranks;
  return ring_reduction(t) + t.latency + std::max(t.wire * part, t.decode * part) +
         t.decode_alone / t.ranks / t.chunks;
}

double recursive_doubling(const Times& t, int ranks) {
  double seconds = (t.encode_alone + t.frames) / t.chunks + t.decode + t.frames;
  seconds += steps_of(ranks) * step(t.wire, t.combine + t.frames, t.latency, t.chunks);
  if (has_pairs(ranks)) {
    seconds +=
        step(t.wire, t.merge + t.frames, t.latency, t.chunks) + t.wire / t.chunks + t.latency;
  }
  return seconds;
}

// Where a message goes to a worker in a segment for each.
double frames_in_a_message(const Times& whole, double workers) {
  return static_cast<double>(
      frames_per_message(static_cast<std::size_t>(whole.bytes / (workers * whole.chunks))));
}

// The result's first half: each rank ends with one segment. times_of(part, pieces): of what a rank
// works on in one step.
double halving(const TimesOf& times_of, int ranks, double chunks) {
  const double workers = std::bit_floor(static_cast<unsigned>(ranks));
  const Times whole = times_of(1, workers * chunks);
  const double per_message = frames_in_a_message(whole, workers);
  double seconds = 0;
  double frames = whole.frames_sharing(per_message) * workers / 2;
  bool first = !has_pairs(ranks);
  if (!first) {
    seconds += step(whole.wire, whole.merge + 2 * frames, whole.latency,
                    std::max(chunks * workers / per_message, 1.0));
  }
  for (double part = 0.5; part * workers >= 1; part /= 2, frames /= 2) {
    const double pieces = part * workers * chunks;
    const Times t = times_of(part, pieces);
    const double work = first ? t.encode + t.merge : t.combine;
    seconds += step(t.wire * part, work * part + 2 * frames, t.latency,
                    std::max(pieces / per_message, 1.0));
    first = false;
  }
  return seconds;
}

double rabenseifner(const TimesOf& times_of, int ranks, double chunks) {
  const double workers = std::bit_floor(static_cast<unsigned>(ranks));
  const Times t = times_of(1, workers * chunks);
  const double spread = (workers - 1) / workers;
  double seconds = halving(times_of, ranks, chunks) + t.wire * spread +
                   steps_of(ranks) * t.latency +
                   t.frames_sharing(frames_in_a_message(t, workers)) * workers * spread;
  if (has_pairs(ranks)) seconds += t.wire + t.latency;
  return seconds + t.decode / 2;  // the rest hides behind transfers
}

// What is left of it where each rank wants its own segment alone.
double halving_reduce_scatter(const TimesOf& times_of, int ranks, double chunks) {
  const Times t = times_of(1.0 / ranks, chunks);
  double seconds = halving(times_of, ranks, chunks) + t.decode / ranks;
  if (has_pairs(ranks)) seconds += t.wire / ranks + t.latency;
  return seconds;
}

double tree_reduce(const Times& t, int ranks) {
  const double levels = std::bit_width(static_cast<unsigned>(ranks - 1));
  const double one = step(t.wire, t.combine + t.frames, t.latency, t.chunks);
  return (t.encode_alone + t.frames) / t.chunks + levels * one + t.decode;
}

}  // namespace

double reduction_seconds(const Facts& facts, const TimesOf& times_of, Algorithm algorithm,
                         double chunks) {
  switch (algorithm) {
    case Algorithm::recursive_doubling:
      return recursive_doubling(times_of(1, chunks), facts.ranks);
    case Algorithm::rabenseifner:
      return facts.operation == Operation::allreduce
                 ? rabenseifner(times_of, facts.ranks, chunks)
                 : halving_reduce_scatter(times_of, facts.ranks, chunks);
    case Algorithm::tree:
      return tree_reduce(times_of(1, chunks), facts.ranks);
    case Algorithm::ring:
    case Algorithm::automatic:
      break;
  }
  const Times t = times_of(1.0 / facts.ranks, chunks);
  if (facts.operation == Operation::allreduce) return ring_allreduce(t);
  return facts.operation == Operation::reduce
             ? ring_reduce(t)
             : ring_reduction(t) + t.decode_alone / t.ranks / t.chunks;
}

double scan_seconds(const Times& t) {
  const double one = (t.wire + t.merge + t.frames) / t.chunks + t.latency;
  return t.encode_alone / t.chunks + (t.ranks - 1) * one +
         std::max(t.wire, t.merge + t.decode + t.frames);
}

}  // namespace tightwire::policy
