#include "policy/cost/cost.h"

#include <algorithm>
#include <array>
#include <bit>

#include "policy/cost/frames_per_message.h"
#include "policy/cost/handing_on.h"
#include "policy/cost/helpers.h"

namespace tightwire::policy {
namespace {

double steps_of(int ranks) {
  return std::bit_width(static_cast<unsigned>(ranks)) - 1;
}

// A rank beyond the last power of two hands its values over first, and gets the result last.
bool has_pairs(int ranks) {
  return !std::has_single_bit(static_cast<unsigned>(ranks));
}

// A transfer and the codec's work in one step of an algorithm, both cut into `chunks`: one hides
// behind the other, but for the first chunk, and no chunk can be on its way before it has arrived.
double step(double transfer, double work, double latency, double chunks) {
  return std::max(std::max(transfer, work), (transfer + work) / chunks + latency);
}

// Neither in a chain of sums nor in a tree.
bool helpers_share(Operation operation, Algorithm algorithm) {
  return operation != Operation::scan && algorithm != Algorithm::tree;
}

// Everything that a formula needs, in seconds, of all bytes of the message.
struct Times {
  // Helpers share a `part` of the message at a time, in which a rank has so many `pieces` to work
  // on at once. None where `speedup` is 1.
  Times(const Facts& facts, const Speeds& speeds, double chunks_in, double speedup, double part,
        double pieces)
      : bytes(static_cast<double>(facts.bytes)),
        ranks(facts.ranks),
        chunks(chunks_in),
        latency(facts.network.latency),
        wire(bytes / (speeds.ratio * facts.network.bandwidth)),
        encode_alone(bytes * speeds.encode),
        decode_alone(bytes * speeds.decode),
        encode(encode_alone),
        decode(decode_alone),
        merge(bytes * speeds.merge),
        combine(bytes * speeds.combine),
        frames(chunks_in * frame_seconds(facts.network)) {
    const auto bytes_at_once = static_cast<std::size_t>(bytes * part);
    const double helped = std::min(coding_speedup_of_call(speedup, bytes_at_once), pieces);
    const double moving = core_seconds_per_byte(latency) * bytes / speeds.ratio;
    encode = together(encode, moving, helped);
    decode = together(decode, moving, helped);
    if (!speeds.merges_together) return;
    merge = together(merge, 2 * moving, helped);
    combine = together(combine, 2 * moving, helped);
  }

  // Of one piece, whose frames share messages with those of others.
  [[nodiscard]] double frames_sharing(double per_message) const {
    return chunks * frame_seconds({latency, 0}, per_message);
  }

  double bytes;
  double ranks;
  double chunks;
  double latency;
  double wire;
  double encode_alone;  // the first piece, before there are others
  double decode_alone;  // the last
  double encode;
  double decode;
  double merge;
  double combine;
  double frames;  // of one piece
};

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
template <class TimesOf>
double halving(TimesOf times_of, int ranks, double chunks) {
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

template <class TimesOf>
double rabenseifner(TimesOf times_of, int ranks, double chunks) {
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
template <class TimesOf>
double halving_reduce_scatter(TimesOf times_of, int ranks, double chunks) {
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

double scan(const Times& t) {
  const double one = (t.wire + t.merge + t.frames) / t.chunks + t.latency;
  return t.encode_alone / t.chunks + (t.ranks - 1) * one +
         std::max(t.wire, t.merge + t.decode + t.frames);
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

template <class TimesOf>
double reduction(const Facts& facts, TimesOf times_of, Algorithm algorithm, double chunks) {
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
      return reduction(facts, times_of, algorithm, chunks_of_piece);
    case Operation::scan:
      return scan(t);
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
