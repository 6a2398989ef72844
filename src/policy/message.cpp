#include "policy/message.h"

#include <algorithm>
#include <limits>

#include "policy/cost/network.h"
#include "policy/cost/speeds.h"

namespace tightwire::policy {
namespace {

// A gain below this is within what a prediction may err.
constexpr double margin = 0.95;

// By measurement, messages over TCP (docs/dev/performance.md): what an encoded message and each
// chunk cost beside their bytes.
constexpr double encoded_seconds = 20e-6;
constexpr double chunk_seconds = 3e-6;

double raw_seconds(const MessageFacts& facts) {
  return static_cast<double>(facts.bytes) / facts.link;
}

// Helpers take part in the coding; what moves is the calling thread's.
double core_seconds(double coding, double moving, double speedup) {
  return std::max((coding + moving) / speedup, moving);
}

// Of one of the messages that a rank sends to so many others or gets from them, what passes before
// it is ready for the next one: its link or its core is the slowest. To fill and drain that takes
// one of them alone.
double seconds_of_one_of_many(double transfer, double core, double alone, int others) {
  const double slowest = std::max(transfer, core);
  return slowest + std::max(0.0, alone - slowest) / others;
}

double seconds_of_one_sent(const codec::Prediction& prediction, const MessageFacts& facts,
                           double chunks, double moved) {
  const double transfer = raw_seconds(facts) / prediction.ratio;
  const double speedup = std::min(facts.coding_speedup, chunks * facts.receivers);
  const double core = core_seconds(prediction.encode_seconds, moved, speedup);
  const double alone = prediction.encode_seconds / chunks + transfer + prediction.decode_seconds;
  return seconds_of_one_of_many(transfer, core, alone, facts.receivers);
}

double seconds_of_one_received(const codec::Prediction& prediction, const MessageFacts& facts,
                               double chunks, double moved) {
  const double transfer = raw_seconds(facts) / prediction.ratio;
  const double speedup = std::min(facts.coding_speedup, chunks);
  const double core = core_seconds(prediction.decode_seconds, moved, speedup);
  const double alone = prediction.encode_seconds + transfer + prediction.decode_seconds / chunks;
  return seconds_of_one_of_many(transfer, core, alone, facts.senders);
}

// Of a message in several chunks, the core of the sender or of the receiver, whichever has more to
// do.
double slower_core(const codec::Prediction& prediction, const MessageFacts& facts, double chunks,
                   double moved) {
  const double speedup = std::min(facts.coding_speedup, chunks);
  const double speedup_there =
      std::min(facts.decoding_speedup.value_or(facts.coding_speedup), chunks);
  const double encode = prediction.encode_seconds;
  const double decode = prediction.decode_seconds;
  const double here = facts.both_ways ? core_seconds(encode + decode, 2 * moved, speedup)
                                      : core_seconds(encode, moved, speedup);
  return std::max(here, core_seconds(decode, moved, speedup_there));
}

// What codecs are told apart by (asking_seconds); it is no matter of whether they pay, nor of in
// how many chunks: the first one waits for its receiver, the others meanwhile.
double asking_seconds_of(const codec::Prediction& prediction, const MessageFacts& facts) {
  const double frame = static_cast<double>(facts.bytes) / prediction.ratio /
                       static_cast<double>(facts.chunks.fewest);
  return facts.links * asking_seconds({.latency = facts.latency}, frame);
}

// Several longer frames that go both ways at once do so one way after the other, and a sender does
// not know whether they do (docs/dev/performance.md, "Both ways at once").
bool is_cut_enough(const codec::Prediction& prediction, const MessageFacts& facts,
                   std::size_t chunks) {
  constexpr double longest_frame = 448 << 10;
  if (chunks == 1 || 2 * chunks > facts.chunks.most) return true;
  const double frames = static_cast<double>(facts.bytes) / prediction.ratio;
  return frames / static_cast<double>(chunks) <= longest_frame;
}

// Of what a link and a receiver are at work on at once, over all links but the first.
double seconds_passed_on(const MessageFacts& facts, double slowest) {
  return (facts.links - 1) * slowest;
}

}  // namespace

bool may_gain(std::size_t bytes, double link, double other_seconds) {
  return margin * static_cast<double>(bytes) > (encoded_seconds + other_seconds) * link;
}

bool may_be_helped(const ChunkRange& chunks, std::size_t looked_at) {
  return chunks.most > 1 || looked_at >= least_bytes_of_shared_look;
}

double message_seconds(const codec::Prediction& prediction, const MessageFacts& facts,
                       std::size_t chunks) {
  const double transfer = raw_seconds(facts) / prediction.ratio;
  const double encode = prediction.encode_seconds;
  const double decode = prediction.decode_seconds;
  const double all = encode + transfer + decode;
  const double beside = beside_bytes(encoded_seconds, facts.latency) + facts.look_seconds;
  const double of_chunk = beside_bytes(chunk_seconds, facts.latency);
  const double moved =
      core_seconds_per_byte(facts.latency) * static_cast<double>(facts.bytes) / prediction.ratio;
  const auto n = static_cast<double>(chunks);
  if (facts.receivers > 1) {
    return seconds_of_one_sent(prediction, facts, n, moved) + n * of_chunk + beside;
  }
  if (facts.senders > 1) {
    return seconds_of_one_received(prediction, facts, n, moved) + n * of_chunk + beside;
  }
  if (chunks == 1) {
    return all + beside + seconds_passed_on(facts, std::max(transfer, decode));
  }
  const double speedup = std::min(facts.coding_speedup, n);
  const double passed_on =
      seconds_passed_on(facts, std::max(transfer, core_seconds(decode, moved, speedup)));
  // The slowest stage, and the others for the chunk that fills and drains them.
  const double slowest = std::max(transfer, slower_core(prediction, facts, n, moved));
  return slowest + std::max(0.0, all - slowest) / n + n * of_chunk + beside + passed_on;
}

MessageWay best_way(std::span<const codec::Prediction> predictions, const MessageFacts& facts) {
  MessageWay best;
  double least = std::numeric_limits<double>::infinity();
  const double at_most = margin * facts.links * raw_seconds(facts);
  for (const codec::Prediction& prediction : predictions) {
    if (prediction.codec == codec::Id::raw) continue;
    for (std::size_t n = facts.chunks.fewest; n <= facts.chunks.most; n *= 2) {
      if (!is_cut_enough(prediction, facts, n)) continue;
      const double needed = message_seconds(prediction, facts, n);
      const double compared = needed + asking_seconds_of(prediction, facts);
      if (needed >= at_most || compared >= least) continue;
      best = {prediction.codec, n, prediction.second_stage, compared};
      least = compared;
    }
  }
  return best;
}

}  // namespace tightwire::policy
