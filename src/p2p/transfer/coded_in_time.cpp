#include "p2p/transfer/coded_in_time.h"

#include <span>

#include "mpi/encoding/own_speeds.h"

namespace tightwire::p2p {
namespace {

using codec::SecondStage;

codec::Prediction coded(const MessageEncoding& chosen, std::size_t bytes, double ratio, double cost,
                        SecondStage stage) {
  codec::Prediction prediction{chosen.plan.codec, ratio};
  prediction.second_stage = stage;
  codec::predict_times(chosen.encoding.type, bytes, prediction);
  prediction.encode_seconds *= cost;
  prediction.decode_seconds *= cost;
  return prediction;
}

// To a ratio without the entropy coder, from so many references.
codec::Prediction coded(const mpi::SentHistory& history, const MessageEncoding& chosen,
                        std::size_t bytes, double ratio, std::size_t references,
                        SecondStage stage) {
  return stage == SecondStage::entropy
             ? coded(chosen, bytes, history.coded_ratio(ratio), policy::cost_of_coded_prediction,
                     stage)
             : coded(chosen, bytes, ratio, policy::cost_of_prediction(references), stage);
}

codec::Prediction with_keeping(codec::Prediction prediction, const MessageEncoding& chosen,
                               std::size_t bytes) {
  mpi::own_speeds().adapt(prediction, mpi::InTime::yes);
  if (chosen.plan.tier == policy::Tier::bounded) {
    prediction.encode_seconds += prediction.decode_seconds;
  }
  const double keeping = policy::keeping_seconds_of(bytes);
  prediction.encode_seconds += keeping;
  prediction.decode_seconds += keeping;
  return prediction;
}

WaysInTime both_ways(const mpi::SentHistory& history, const MessageEncoding& chosen,
                     std::size_t bytes, double ratio, std::size_t references) {
  const auto way = [&](SecondStage stage) {
    return with_keeping(coded(history, chosen, bytes, ratio, references, stage), chosen, bytes);
  };
  return {way(SecondStage::none), way(SecondStage::entropy)};
}

}  // namespace

codec::Prediction coded_in_time(const mpi::SentHistory& history, const MessageEncoding& chosen,
                                std::size_t bytes, SecondStage stage) {
  return coded(history, chosen, bytes, history.ratio(), history.offered(), stage);
}

WaysInTime ways_in_time(const mpi::SentHistory& history, const MessageEncoding& chosen,
                        std::size_t bytes) {
  return both_ways(history, chosen, bytes, history.ratio(), history.offered());
}

WaysInTime hoped_ways_in_time(const mpi::SentHistory& history, const MessageEncoding& chosen,
                              std::size_t bytes) {
  constexpr double more_by_more_references = 2;
  return both_ways(history, chosen, bytes, more_by_more_references * history.hoped_for(), 1);
}

bool may_gain_in_time(const MessageEncoding& chosen, const policy::MessageFacts& facts) {
  constexpr double nothing_left = 1000;
  const codec::Prediction best = with_keeping(
      coded(chosen, facts.bytes, nothing_left, policy::cost_of_prediction(1), SecondStage::none),
      chosen, facts.bytes);
  return policy::best_way(std::span(&best, 1), facts).codec != codec::Id::raw;
}

}  // namespace tightwire::p2p
