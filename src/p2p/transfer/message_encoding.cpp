#include "p2p/transfer/message_encoding.h"

#include <algorithm>
#include <array>
#include <limits>

#include "mpi/communicator/effective_settings.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/encoding/own_speeds.h"
#include "mpi/encoding/range.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/coded_in_time.h"
#include "p2p/transfer/message_samples.h"
#include "policy/choose.h"
#include "policy/message.h"
#include "policy/thresholds.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

constexpr std::size_t largest_in_one_piece = std::size_t{256} << 20;

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

MessageEncoding unmodified(policy::Reason why) {
  MessageEncoding chosen;
  chosen.plan.why = why;
  return chosen;
}

// Where link_for() is nothing.
MessageEncoding unmodified_by_feedback(int receiver, std::size_t bytes, bool is_helped) {
  TransferFeedback& feedback = *transfer_feedback();
  const policy::Reason why = feedback.why_unmodified(receiver, bytes);
  if (is_helped && why == policy::Reason::too_slow) {
    feedback.helped_by(helped(receiver, bytes).both(), receiver, bytes);
  }
  return unmodified(why);
}

std::optional<policy::ChunkRange> chunks_of(const settings::Settings& settings,
                                            const policy::Plan& plan, std::size_t bytes,
                                            const Envelope& envelope) {
  if (envelope.is_part) return policy::ChunkRange{1, 1};
  return policy::message_chunk_range(settings, plan, bytes);
}

// Where no way is quicker.
policy::Reason why_not(const codec::Estimate& estimate) {
  const auto shrinks = [](const codec::Prediction& one) { return one.ratio >= least_ratio; };
  return std::ranges::any_of(estimate.all(), shrinks) ? policy::Reason::too_slow
                                                      : policy::Reason::no_gain;
}

// The error bound of lossy codecs. Where there is none for these values the plan becomes exact.
std::optional<double> bound_for(policy::Plan& plan, const settings::Settings& settings,
                                codec::ElementType element, SendBuffer& values) {
  if (plan.tier != policy::Tier::bounded) return std::nullopt;
  const bool relative = settings.error_bound.kind == settings::ErrorBound::Kind::relative;
  // A look at a few is not worth packing all, nor waiting for all.
  const std::span<const std::byte> looked_at = relative ? values.all()
                                               : values.is_contiguous()
                                                   ? values.first_here()
                                                   : std::span<const std::byte>();
  const std::optional<double> bound =
      mpi::absolute_bound(settings, element, looked_at, MPI_COMM_NULL);
  if (!bound) {
    plan.tier = policy::Tier::exact;
    plan.codec = policy::exact_codec(settings);
  }
  return bound;
}

// As this machine is.
codec::Estimate adapted(codec::Estimate estimate) {
  for (codec::Prediction& one : estimate.all()) mpi::own_speeds().adapt(one);
  return estimate;
}

// What the model says that the chosen encoding takes.
double expected_seconds(const codec::Estimate& estimate, const MessageEncoding& chosen,
                        const policy::MessageWay& way, std::size_t bytes,
                        const mpi::SentHistory* history) {
  if (history != nullptr && history->is_predicted()) {
    return coded_in_time(*history, chosen, bytes, way.second_stage).encode_seconds;
  }
  for (const codec::Prediction& one : estimate.all()) {
    if (one.codec == way.codec && one.second_stage == way.second_stage) return one.encode_seconds;
  }
  return 0;
}

// Infinite where none is quicker than the message as it is.
double seconds_of(std::span<const codec::Prediction> ways, const policy::MessageWay& best,
                  const policy::MessageFacts& facts) {
  for (const codec::Prediction& one : ways) {
    const bool chosen = one.codec == best.codec && one.second_stage == best.second_stage;
    if (chosen && best.codec != codec::Id::raw) {
      return policy::message_seconds(one, facts, best.chunks);
    }
  }
  return std::numeric_limits<double>::infinity();
}

policy::MessageFacts facts_of(const MessageEncoding& chosen, const SendBuffer& values) {
  const double raw_seconds = static_cast<double>(values.size()) / chosen.link;
  const double look = mpi::own_speeds().knows(chosen.plan.codec)
                          ? chosen.look_seconds
                          : policy::look_on_trial(chosen.look_seconds, raw_seconds);
  const bool both_ways = !runtime::is_deterministic() && expected_bytes() >= values.size() / 2;
  return {.bytes = values.size(),
          .link = chosen.link,
          .chunks = chosen.chunk_range,
          .both_ways = both_ways,
          .coding_speedup = chosen.helped.sender,
          .look_seconds = look,
          .decoding_speedup = chosen.helped.receiver};
}

// What the sender keeps of a message within a bound is what the receiver decodes: that is known
// when it goes in one piece.
bool goes_in_one_piece(const MessageEncoding& chosen, const mpi::SentHistory* history) {
  return history != nullptr && history->to_keep() && chosen.plan.tier == policy::Tier::bounded;
}

// Whether the messages to come are worth keeping this one, of which nothing can be predicted yet.
bool is_worth_keeping(const mpi::SentHistory& history, const MessageEncoding& chosen,
                      const policy::MessageFacts& facts, double seconds) {
  if (history.ratio() > 0 || history.hoped_for() == 0) return true;
  const WaysInTime in_time = hoped_ways_in_time(history, chosen, facts.bytes);
  return seconds_of(in_time, policy::best_way(in_time, facts), facts) < seconds;
}

// The quickest way of those that a sample tells of. Where it is prediction from earlier messages,
// `history` is told.
policy::MessageWay quickest(const codec::Estimate& estimate, const MessageEncoding& chosen,
                            const policy::MessageFacts& facts, mpi::SentHistory* history) {
  const policy::MessageWay best = policy::best_way(estimate.all(), facts);
  if (history == nullptr || !history->to_keep()) return best;
  policy::MessageFacts kept = facts;
  if (goes_in_one_piece(chosen, history)) kept.chunks = {1, 1};
  const double seconds = seconds_of(estimate.all(), best, facts);
  if (!is_worth_keeping(*history, chosen, kept, seconds)) {
    history->decline();
    return best;
  }
  const auto best_alone = [&] { return policy::best_way(estimate.all(), kept); };
  if (history->ratio() == 0) return best_alone();
  const WaysInTime in_time = ways_in_time(*history, chosen, facts.bytes);
  const policy::MessageWay best_in_time = policy::best_way(in_time, kept);
  if (seconds_of(in_time, best_in_time, kept) >= seconds) return best_alone();
  history->predict();
  return best_in_time;
}

// Whether the message may be predicted from earlier ones. A frame must fit MPI's counts.
bool may_be_predicted(const MessageEncoding& chosen, std::size_t bytes,
                      const mpi::SentHistory* history) {
  if (history == nullptr) return false;
  if (chosen.plan.codec == codec::Id::exact) return true;
  // What the receiver has said by then is a matter of time, and what it decodes within a bound
  // depends on it.
  if (runtime::is_deterministic()) return false;
  return chosen.plan.codec == codec::Id::bounded && bytes <= largest_in_one_piece;
}

bool may_look_back(const MessageEncoding& chosen, const policy::MessageFacts& facts,
                   const mpi::SentHistory* history) {
  return may_be_predicted(chosen, facts.bytes, history) && may_gain_in_time(chosen, facts);
}

// Where the values are not even to be looked at: by what was found of such a message before it goes
// the quickest as it is, and it is not wanted for the sake of those to come.
std::optional<policy::Reason> why_not_looked_at(const MessageEncoding& chosen,
                                                const mpi::MessageHistory::Key& key,
                                                const SendBuffer& values,
                                                mpi::SentHistory* history) {
  if (chosen.look_seconds == 0) return std::nullopt;
  const policy::MessageFacts facts = facts_of(chosen, values);
  const auto known =
      message_samples().latest(key.type, values, [&](const codec::Estimate& estimate) {
        return policy::best_way(adapted(estimate).all(), facts).codec == codec::Id::raw;
      });
  if (!known) return std::nullopt;
  const bool wanted =
      may_look_back(chosen, facts, history) && history->wants(key, {}, values.size());
  return wanted ? std::nullopt : std::optional(why_not(*known));
}

// Lets a sample say which codec is the fastest; none may be.
void choose_by_sample(MessageEncoding& chosen, const settings::Settings& settings,
                      const mpi::MessageHistory::Key& key, SendBuffer& values,
                      mpi::SentHistory* history) {
  const double bound = chosen.encoding.parameters.error_bound;
  const codec::Estimate estimate = message_samples().of(chosen, values);
  codec::Parameters parameters = chosen.encoding.parameters;
  parameters.row_length = estimate.row_length;
  parameters.plane_length = estimate.plane_length;
  parameters.components = estimate.components;
  const policy::MessageFacts facts = facts_of(chosen, values);
  if (may_look_back(chosen, facts, history)) {
    history->look(key, {}, values.size(), parameters, [&] { return values.all(); });
  }
  const policy::MessageWay way = quickest(adapted(estimate), chosen, facts, history);
  if (way.codec == codec::Id::raw) {
    chosen = unmodified(why_not(estimate));
    return;
  }
  chosen.chunks = way.chunks;
  chosen.expected_seconds = expected_seconds(estimate, chosen, way, values.size(), history);
  chosen.encoding = mpi::encoding_for(settings, way.codec, chosen.encoding.type, bound);
  chosen.encoding.parameters.second_stage = way.second_stage;
  chosen.encoding.parameters.row_length = parameters.row_length;
  chosen.encoding.parameters.plane_length = parameters.plane_length;
  chosen.encoding.parameters.components = parameters.components;
  const bool lossy = chosen.encoding.codec->lossy();
  chosen.plan.tier = lossy ? policy::Tier::bounded : policy::Tier::exact;
}

// Where every message is encoded, whatever it comes to.
void choose_in_time(MessageEncoding& chosen, const mpi::MessageHistory::Key& key,
                    SendBuffer& values, mpi::SentHistory* history) {
  if (!may_be_predicted(chosen, values.size(), history)) return;
  history->look(key, {}, values.size(), chosen.encoding.parameters, [&] { return values.all(); });
  if (history->ratio() > 0) history->predict();
  if (goes_in_one_piece(chosen, history)) chosen.chunks = 1;
}

}  // namespace

MessageEncoding message_encoding(const std::optional<mpi::PredefinedType>& type, SendBuffer& values,
                                 const mpi::Route& route, const Envelope& envelope,
                                 mpi::SentHistory* history) {
  const codec::ElementType element = type ? type->element : codec::ElementType::bytes;
  const policy::EffectiveSettings& effective =
      route.resolver().of({policy::Operation::send, values.size(), element,
                           route.other_host(envelope.destination), mpi::rules_at_call_site()});
  mpi::count_rule(effective);
  const settings::Settings& settings = effective.settings;
  if (settings.history == settings::History::off) history = nullptr;
  const bool boundable = type && mpi::is_boundable(*type);
  const policy::Plan plan =
      policy::choose(settings, {policy::Operation::send, values.size(), boundable});
  const int receiver = route.world_rank(envelope.destination);
  const bool by_sample = is_left_to_samples(plan, settings);
  const bool looks = by_sample && policy::looks_for_range(settings, plan);
  const auto chunks = chunks_of(settings, plan, values.size(), envelope);
  const bool is_helped = by_sample && policy::may_be_helped(chunks.value_or(policy::ChunkRange{}),
                                                            looks ? values.size() : 0);
  const std::optional<double> link = by_sample ? link_for(receiver, values.size()) : 0;
  if (!link) return unmodified_by_feedback(receiver, values.size(), is_helped);
  const policy::DeviceTrials::Kind kind{receiver, envelope.tag, element, values.size()};
  if (auto chosen = encoding_on_device(plan, settings, kind, *link, values)) return *chosen;
  if (envelope.mode == SendMode::synchronous) return unmodified(policy::Reason::synchronous);
  const bool asks = is_helped && policy::may_gain(values.size(), *link);
  const Helped by_helpers = asks ? helped(receiver, values.size()) : Helped{};
  const double look_seconds = looks ? mpi::look_seconds(values.size(), by_helpers.sender) : 0;
  const bool gains = !by_sample || policy::may_gain(values.size(), *link, look_seconds);
  if (!gains) return unmodified(policy::Reason::too_slow);
  if (!chunks) return unmodified(policy::Reason::unhandled);
  MessageEncoding chosen{plan,  {},        chunks->usual(), *chunks,
                         *link, by_sample, look_seconds,    by_helpers};
  chosen.encoding.type = element;
  const mpi::MessageHistory::Key key{receiver, &route, envelope.tag, element};
  if (const auto why = why_not_looked_at(chosen, key, values, history)) {
    return unmodified(*why);
  }
  const double bound = bound_for(chosen.plan, settings, element, values).value_or(0);
  chosen.encoding = mpi::encoding_for(settings, chosen.plan.codec, element, bound);
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
  if (chosen.sampled) message_samples().observe(chosen, values, ratio);
}

}  // namespace tightwire::p2p
