#include "p2p/transfer/coded_in_time.h"

#include <span>

#include "mpi/encoding/own_speeds.h"

namespace tightwire::p2p {
namespace {

codec::Prediction coded_in_time(const MessageEncoding& chosen, std::size_t bytes, double ratio,
                                double cost, codec::SecondStage stage = codec::SecondStage::none) {
  codec::Prediction prediction{chosen.plan.codec, ratio};
  prediction.second_stage = stage;
  codec::predict_times(chosen.encoding.type, bytes, prediction);
  prediction.encode_seconds *= cost;
  prediction.decode_seconds *= cost;
  return prediction;
}

}  // namespace

codec::Prediction coded_in_time(const mpi::SentHistory& history, const MessageEncoding& chosen,
                                std::size_t bytes, codec::SecondStage stage) {
  return stage == codec::SecondStage::entropy
             ? coded_in_time(chosen, bytes, history.coded_ratio(history.ratio()),
                             policy::cost_of_coded_prediction, stage)
             : coded_in_time(chosen, bytes, history.ratio(),
                             policy::cost_of_prediction(history.offered()));
}

codec::Prediction with_keeping(codec::Prediction prediction, const MessageEncoding& chosen,
                               std::size_t bytes) {
  mpi::own_speeds().adapt(prediction);
  if (chosen.plan.tier == policy::Tier::bounded) {
    prediction.encode_seconds += prediction.decode_seconds;
  }
  const double keeping = policy::keeping_seconds_of(bytes);
  prediction.encode_seconds += keeping;
  prediction.decode_seconds += keeping;
  return prediction;
}

codec::Prediction hoped_in_time(const mpi::SentHistory& history, const MessageEncoding& chosen,
                                std::size_t bytes, codec::SecondStage stage) {
  constexpr double more_by_more_references = 2;
  const double ratio = more_by_more_references * history.hoped_for();
  return stage == codec::SecondStage::entropy
             ? coded_in_time(chosen, bytes, history.coded_ratio(ratio),
                             policy::cost_of_coded_prediction, stage)
             : coded_in_time(chosen, bytes, ratio, policy::cost_of_prediction(1));
}

bool may_gain_in_time(const MessageEncoding& chosen, const policy::MessageFacts& facts) {
  constexpr double nothing_left = 1000;
  const codec::Prediction best =
      with_keeping(coded_in_time(chosen, facts.bytes, nothing_left, policy::cost_of_prediction(1)),
                   chosen, facts.bytes);
  return policy::best_way(std::span(&best, 1), facts).codec != codec::Id::raw;
}

}  // namespace tightwire::p2p
