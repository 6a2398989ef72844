#include "p2p/transfer/message_encoding.h"

#include <array>
#include <limits>
#include <mutex>

#include "codec/estimate/memory.h"
#include "mpi/communicator/effective_settings.h"
#include "mpi/encoding/error_bound.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/frame_rules.h"
#include "policy/choose.h"
#include "policy/message.h"
#include "policy/thresholds.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

// Below this the gain is not worth the receiver's work.
constexpr double least_ratio = 1.05;

// What a byte predicted from earlier messages costs, in those of an encoding without; what a
// message costs that both sides keep, and a byte of it, copied and hashed. By measurement
// (docs/dev/performance.md).
constexpr double cost_of_prediction = 2;
constexpr double keeping_seconds = 30e-6;
constexpr double keeping_seconds_per_byte = 0.25e-9;
constexpr std::size_t largest_in_one_piece = std::size_t{256} << 20;

// Estimates by buffer, size, type and bound.
class Samples {
 public:
  codec::Estimate of(const MessageEncoding& chosen, SendBuffer& values) {
    const std::array candidates{chosen.plan.codec, codec::Id::exact, codec::Id::lz4,
                                codec::Id::zstd};
    codec::Parameters parameters = chosen.encoding.parameters;
    parameters.second_stage = codec::SecondStage::entropy;
    const std::scoped_lock lock(mutex_);
    return memory_.get(chosen.encoding.type, values.name(), parameters, candidates,
                       [&] { return values.all(); });
  }

  void observe(const MessageEncoding& chosen, const SendBuffer& values, double ratio) {
    const std::scoped_lock lock(mutex_);
    memory_.observe(chosen.encoding.type, values.name(), chosen.encoding.parameters,
                    chosen.encoding.codec->id(),
                    static_cast<std::size_t>(static_cast<double>(values.size()) / ratio),
                    chosen.encoding.parameters.second_stage);
  }

 private:
  std::mutex mutex_;
  codec::EstimateMemory memory_{mpi::uses_of_estimates()};
};

Samples& samples() {
  static auto* const samples = new Samples;
  return *samples;
}

bool is_left_to_samples(const policy::Plan& plan, const settings::Settings& settings) {
  return settings::is_adaptive(settings.mode) &&
         frame_rules().link != FrameRules::Link::no_matter && plan.tier != policy::Tier::raw &&
         policy::is_left_to_samples(settings, plan.codec);
}

// In bytes per second. Nothing where the message is to be sent unmodified, since the network is not
// known yet, or encoding did not pay.
std::optional<double> link_for(int receiver, std::size_t bytes) {
  TransferFeedback* const feedback = transfer_feedback();
  return feedback == nullptr ? frame_rules().link_speed : feedback->link(receiver, bytes);
}

// The error bound of lossy codecs. Where there is none for these values the plan becomes exact.
std::optional<double> bound_for(policy::Plan& plan, const settings::Settings& settings,
                                codec::ElementType element, SendBuffer& values) {
  if (plan.tier != policy::Tier::bounded) return std::nullopt;
  const bool of_range = settings.error_bound.kind == settings::ErrorBound::Kind::relative;
  const std::optional<double> bound = mpi::absolute_bound(
      settings, element, of_range ? values.all() : std::span<const std::byte>(), MPI_COMM_NULL);
  if (!bound) {
    plan.tier = policy::Tier::exact;
    plan.codec = policy::exact_codec(settings);
  }
  return bound;
}

// What the codec makes of a message that is predicted from earlier ones. Of one that is lossy the
// sender decodes what it keeps.
codec::Prediction predicted_in_time(double ratio, const MessageEncoding& chosen,
                                    std::size_t bytes) {
  codec::Prediction prediction{chosen.plan.codec, ratio};
  codec::predict_times(chosen.encoding.type, bytes, prediction);
  if (chosen.plan.tier == policy::Tier::bounded) {
    prediction.encode_seconds += prediction.decode_seconds;
  }
  const double keeping = keeping_seconds + keeping_seconds_per_byte * static_cast<double>(bytes);
  prediction.encode_seconds = cost_of_prediction * prediction.encode_seconds + keeping;
  prediction.decode_seconds = cost_of_prediction * prediction.decode_seconds + keeping;
  return prediction;
}

double seconds_of(const codec::Prediction& prediction, const policy::MessageFacts& facts) {
  const policy::MessageWay way = policy::best_way(std::span(&prediction, 1), facts);
  return way.codec == codec::Id::raw ? std::numeric_limits<double>::infinity()
                                     : policy::message_seconds(prediction, facts, way.chunks);
}

policy::MessageFacts facts_of(const MessageEncoding& chosen, const settings::Settings& settings,
                              const SendBuffer& values) {
  const bool both_ways = !runtime::is_deterministic() &&
                         expected_bytes().load(std::memory_order_relaxed) >= values.size() / 2;
  return {values.size(), chosen.link,
          *policy::message_chunk_range(settings, chosen.plan, values.size()), both_ways};
}

// What the sender keeps of a message within a bound is what the receiver decodes: that is known
// when it goes in one piece.
bool goes_in_one_piece(const MessageEncoding& chosen, const SentHistory* history) {
  return history != nullptr && history->to_keep() && chosen.plan.tier == policy::Tier::bounded;
}

// The quickest way of those that a sample tells of. Where it is prediction from earlier messages,
// `history` is told.
policy::MessageWay quickest(const codec::Estimate& estimate, const MessageEncoding& chosen,
                            const policy::MessageFacts& facts, SentHistory* history) {
  const policy::MessageWay best = policy::best_way(estimate.all(), facts);
  if (history == nullptr || !history->to_keep()) return best;
  policy::MessageFacts kept = facts;
  if (goes_in_one_piece(chosen, history)) kept.chunks = {1, 1};
  const codec::Prediction in_time = predicted_in_time(history->ratio(), chosen, facts.bytes);
  double seconds = std::numeric_limits<double>::infinity();
  for (const codec::Prediction& one : estimate.all()) {
    if (one.codec == best.codec && one.second_stage == best.second_stage) {
      seconds = seconds_of(one, facts);
    }
  }
  if (history->ratio() == 0 || seconds_of(in_time, kept) >= seconds) {
    return policy::best_way(estimate.all(), kept);
  }
  history->predict();
  return policy::best_way(std::span(&in_time, 1), kept);
}

// Whether the message may be predicted from earlier ones. A frame must fit MPI's counts.
bool may_look_back(const MessageEncoding& chosen, std::size_t bytes, const SentHistory* history) {
  if (history == nullptr) return false;
  if (chosen.sampled && !policy::may_gain(bytes, chosen.link, 2 * keeping_seconds)) return false;
  if (chosen.plan.codec == codec::Id::exact) return true;
  // What the receiver has said by then is a matter of time, and what it decodes within a bound
  // depends on it.
  if (runtime::is_deterministic()) return false;
  return chosen.plan.codec == codec::Id::bounded && bytes <= largest_in_one_piece;
}

// Lets a sample say which codec is the fastest; none may be.
void choose_by_sample(MessageEncoding& chosen, const settings::Settings& settings,
                      const MessageHistory::Key& key, SendBuffer& values, SentHistory* history) {
  chosen.sampled = true;
  const double bound = chosen.encoding.parameters.error_bound;
  const codec::Estimate estimate = samples().of(chosen, values);
  codec::Parameters parameters = chosen.encoding.parameters;
  parameters.row_length = estimate.row_length;
  parameters.plane_length = estimate.plane_length;
  parameters.components = estimate.components;
  if (may_look_back(chosen, values.size(), history)) {
    history->look(key, values.size(), parameters, [&] { return values.all(); });
  }
  const policy::MessageWay way =
      quickest(estimate, chosen, facts_of(chosen, settings, values), history);
  if (way.codec == codec::Id::raw) {
    chosen = {};
    return;
  }
  chosen.chunks = way.chunks;
  chosen.encoding = mpi::encoding_for(settings, way.codec, chosen.encoding.type, bound);
  chosen.encoding.parameters.second_stage = way.second_stage;
  chosen.encoding.parameters.row_length = parameters.row_length;
  chosen.encoding.parameters.plane_length = parameters.plane_length;
  chosen.encoding.parameters.components = parameters.components;
  const bool lossy = chosen.encoding.codec->lossy();
  chosen.plan.tier = lossy ? policy::Tier::bounded : policy::Tier::exact;
}

// Where every message is encoded, whatever it comes to.
void choose_in_time(MessageEncoding& chosen, const MessageHistory::Key& key, SendBuffer& values,
                    SentHistory* history) {
  if (!may_look_back(chosen, values.size(), history)) return;
  history->look(key, values.size(), chosen.encoding.parameters, [&] { return values.all(); });
  if (history->ratio() > 0) history->predict();
  if (goes_in_one_piece(chosen, history)) chosen.chunks = 1;
}

}  // namespace

MessageEncoding message_encoding(const std::optional<mpi::PredefinedType>& type, SendBuffer& values,
                                 const mpi::Route& route, const Envelope& envelope,
                                 SentHistory* history) {
  const codec::ElementType element = type ? type->element : codec::ElementType::bytes;
  const policy::EffectiveSettings& effective = route.resolver().of(
      {policy::Operation::send, values.size(), element, route.other_host(envelope.destination)});
  mpi::count_rule(effective);
  const settings::Settings& settings = effective.settings;
  const bool boundable = type && mpi::is_boundable(*type);
  policy::Plan plan = policy::choose(settings, {policy::Operation::send, values.size(), boundable});
  const int receiver = route.world_rank(envelope.destination);
  const bool by_sample = is_left_to_samples(plan, settings);
  const std::optional<double> link = by_sample ? link_for(receiver, values.size()) : 0;
  if (!link || (by_sample && !policy::may_gain(values.size(), *link))) return {};
  const auto chunks = policy::message_chunk_range(settings, plan, values.size());
  if (!chunks) return {};
  const double bound = bound_for(plan, settings, element, values).value_or(0);
  MessageEncoding chosen{plan, mpi::encoding_for(settings, plan.codec, element, bound),
                         chunks->usual(), *link};
  const MessageHistory::Key key{receiver, &route, envelope.tag, element};
  if (by_sample) {
    choose_by_sample(chosen, settings, key, values, history);
  } else {
    choose_in_time(chosen, key, values, history);
  }
  if (chosen.plan.tier == policy::Tier::raw) return chosen;
  chosen.plan.codec = chosen.encoding.codec->id();
  chosen.encoding.parameters.least_ratio = least_ratio;
  return chosen;
}

void remember(const MessageEncoding& chosen, const SendBuffer& values, double ratio) {
  if (chosen.sampled) samples().observe(chosen, values, ratio);
}

}  // namespace tightwire::p2p
