#include "policy/message.h"

#include <algorithm>

namespace tightwire::policy {
namespace {

// A gain below this is within what a prediction may err.
constexpr double margin = 0.95;

double raw_seconds(const MessageFacts& facts) {
  return static_cast<double>(facts.bytes) / facts.link;
}

}  // namespace

double message_seconds(const codec::Prediction& prediction, const MessageFacts& facts) {
  const double transfer = raw_seconds(facts) / prediction.ratio;
  const double encode = prediction.encode_seconds;
  const double decode = prediction.decode_seconds;
  // The slowest of three stages, and the others for the chunk that fills and drains them.
  const double slowest = std::max({transfer, encode, decode});
  const double others = transfer + encode + decode - slowest;
  return slowest + others / static_cast<double>(facts.chunks);
}

codec::Id best_codec(std::span<const codec::Prediction> predictions, const MessageFacts& facts) {
  codec::Id best = codec::Id::raw;
  double seconds = margin * raw_seconds(facts);
  for (const codec::Prediction& prediction : predictions) {
    if (prediction.codec == codec::Id::raw) continue;
    const double needed = message_seconds(prediction, facts);
    if (needed >= seconds) continue;
    best = prediction.codec;
    seconds = needed;
  }
  return best;
}

}  // namespace tightwire::policy
