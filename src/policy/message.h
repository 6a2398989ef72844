// Which codec a message between two ranks gets, and in how many chunks it goes, from what a sample
// of it promises.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "codec/estimate/estimate.h"
#include "policy/choose.h"

namespace tightwire::policy {

// The codecs that a sample of a message may choose: what is `planned` for it, and all that keep
// every bit and that a sample tells of (codecs.def).
using Candidates = std::array<codec::Id, 1 + codec::predictable_exact.size()>;
[[nodiscard]] constexpr Candidates candidates_beside(codec::Id planned) {
  Candidates candidates{planned};
  std::ranges::copy(codec::predictable_exact, candidates.begin() + 1);
  return candidates;
}

struct MessageFacts {
  std::size_t bytes = 0;
  double link = 0;    // bytes per second
  ChunkRange chunks;  // encoded and sent one after the other; 1: all are encoded before any is sent
  bool both_ways = false;  // as much comes in meanwhile, and the same core decodes it
  // So many links are crossed one after the other; each receiver decodes what comes, and passes it
  // on: around a ring it is encoded once, and each rank decodes as many such messages.
  int links = 1;
  // How many times as fast several chunks are coded with helpers, at both ends; see
  // decoding_speedup.
  double coding_speedup = 1;
  // What it takes to look at the values before anything is encoded, for the range that their bound
  // is a part of.
  double look_seconds = 0;
  double latency = 0;  // seconds from end to end, for a few bytes; 0: not known, as over TCP
  // The sender has one for each of so many ranks, of which each decodes its own: while one is on
  // its way the next one is encoded, and helpers encode several at once.
  int receivers = 1;
  // The receiver gets one from each of so many ranks, over the one link that it has, and decodes
  // them one after the other, each while the next one is on its way. Their senders have cores of
  // their own.
  int senders = 1;
  // The receiver's, where its helpers are others. One message between two ranks.
  std::optional<double> decoding_speedup = std::nullopt;
};

// What a byte predicted from so many earlier messages costs, in those of an encoding without; what
// a message costs that both sides keep, and a byte of it, copied and hashed. By measurement
// (docs/dev/performance.md).
[[nodiscard]] constexpr double cost_of_prediction(std::size_t references) {
  return 1.1 + 0.2 * static_cast<double>(references);
}
inline constexpr double cost_of_coded_prediction = 1.1;  // through the entropy coder
inline constexpr double keeping_seconds = 30e-6;
[[nodiscard]] constexpr double keeping_seconds_of(std::size_t bytes) {
  return keeping_seconds + 0.15e-9 * static_cast<double>(bytes);
}
// Of messages of which nothing else is known.
inline constexpr std::size_t usual_references = 4;

// What counts of a look at the values where it is not known yet how fast this machine codes: what a
// message would only lose by the look is tried.
[[nodiscard]] constexpr double look_on_trial(double look_seconds, double raw_seconds) {
  constexpr double tried = 0.3;
  return std::max(0.0, look_seconds - tried * raw_seconds);
}

// Whether a codec could make a message quicker over a link of so many bytes per second, if it took
// no time, but for what it takes beside its bytes, and left none. What is small is not worth a
// look.
[[nodiscard]] bool may_gain(std::size_t bytes, double link, double other_seconds = 0);

// Whether helpers make a difference to a message that goes in so many chunks, and of which so many
// bytes are looked at before that.
[[nodiscard]] bool may_be_helped(const ChunkRange& chunks, std::size_t looked_at);

// From the first byte encoded to the last one decoded, in seconds.
[[nodiscard]] double message_seconds(const codec::Prediction& prediction, const MessageFacts& facts,
                                     std::size_t chunks);

struct MessageWay {
  codec::Id codec = codec::Id::raw;
  std::size_t chunks = 1;
  codec::SecondStage second_stage = codec::SecondStage::none;
  double seconds = 0;  // as of message_seconds(), and what it takes to ask for it; 0 for raw
};

// The quickest of them; raw where none is clearly quicker than sending the bytes as they are.
[[nodiscard]] MessageWay best_way(std::span<const codec::Prediction> predictions,
                                  const MessageFacts& facts);

}  // namespace tightwire::policy
