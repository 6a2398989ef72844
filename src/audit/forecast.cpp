#include "audit/forecast.h"

#include <algorithm>

#include "audit/functions.h"
#include "history/search.h"
#include "policy/cost/schedule.h"
#include "policy/message.h"
#include "policy/thresholds.h"
#include "settings/source/defaults.h"
#include "settings/text.h"

namespace tightwire::audit {
namespace {

using policy::Operation;

settings::Settings settings_for(std::size_t choice) {
  settings::Settings settings = settings::defaults();
  if (!is_exact(choice)) {
    settings.error_bound = {is_relative(choice) ? settings::ErrorBound::Kind::relative
                                                : settings::ErrorBound::Kind::absolute,
                            bound_of(choice)};
  }
  return settings;
}

// The first messages of a channel are only watched, until there are two to compare with.
constexpr double watched_messages = history::searches.front();

// Smaller messages take latency, which compression does not change.
constexpr std::uint64_t smallest_large = std::uint64_t{8} << 10;
// Ranks that waited for longer waited for something else.
constexpr double most_over_model = 2.5;

// Which of the samples a forecast goes by.
enum class Believe : std::uint8_t { worst, all, best };

class Model {
 public:
  Model(const Profile& profile, std::size_t choice, const policy::Network& network)
      : profile_(profile), choice_(choice), network_(network), settings_(settings_for(choice)) {}

  KindForecast of(const Kind& kind, const Figures& figures) const {
    KindForecast result{&kind, &figures, {}, 1, {}};
    const auto operation = operation_of(kind.function);
    if (!operation || figures.bytes == 0) return result;
    const std::size_t bytes = message_bytes(kind, figures, *operation);
    result.reason = left_alone(kind, figures, *operation, bytes);
    if (!result.reason.empty()) return result;
    const double raw = raw_seconds(kind, *operation, bytes);
    const double calls = calls_of_rank(kind, figures, *operation);
    const auto gain_by = [&](Believe believe) {
      const Call call{kind, figures, *operation, bytes, believe};
      const double seconds = seconds_of_each(call, result.ratio);
      const double gain = seconds < policy::gain_to_start * raw ? calls * (raw - seconds) : 0;
      return believe == Believe::worst ? gain : gain * of_busiest(*operation);
    };
    result.gain.least = gain_by(Believe::worst);
    result.gain.most = gain_by(Believe::best);
    result.gain.seconds = gain_by(Believe::all);
    if (result.gain.seconds == 0) {
      char text[96];
      std::snprintf(text, sizeof text, "shrinks %.2f times, which saves no time on this link",
                    result.ratio);
      result.reason = text;
    }
    return result;
  }

  // Of a rank, what the model says of all that crosses the network.
  double raw_seconds(const Kind& kind, const Figures& figures) const {
    const auto operation = operation_of(kind.function);
    if (!operation || kind.peer != Peer::other_host) return 0;
    return raw_seconds(kind, *operation, message_bytes(kind, figures, *operation)) *
           calls_of_rank(kind, figures, *operation) * of_busiest(*operation);
  }

 private:
  // A kind of call, as quickest() looks at it.
  struct Call {
    const Kind& kind;
    const Figures& figures;
    Operation operation;
    std::size_t bytes;
    Believe believe;
  };

  // Of the mean rank.
  [[nodiscard]] double calls_of_rank(const Kind& kind, const Figures& figures,
                                     Operation operation) const {
    return static_cast<double>(figures.calls) / profile_.ranks *
           (is_rooted(operation) ? kind.ranks : 1);
  }

  // Ranks that exchange messages wait for the one of them that has the most, at either end.
  [[nodiscard]] double of_busiest(Operation operation) const {
    return operation == Operation::send ? std::max(profile_.busiest, 1.0) : 1;
  }

  [[nodiscard]] bool is_bounded(const Kind& kind) const {
    if (is_exact(choice_) || !codec::is_floating_point(kind.type)) return false;
    return kind.reduction != "other";
  }

  [[nodiscard]] std::string left_alone(const Kind& kind, const Figures& figures,
                                       Operation operation, std::size_t bytes) const {
    if (kind.peer == Peer::nobody) return "goes to nobody, or between groups of processes";
    if (kind.peer == Peer::same_host) return "stays on its host";
    if (is_synchronous(kind.function)) return "is sent synchronously, which leaves it to MPI";
    const bool rounded = !kind.reduction.empty() && codec::is_floating_point(kind.type) &&
                         kind.reduction != "min" && kind.reduction != "max";
    if (rounded && !is_bounded(kind)) {
      return "sums of floating-point numbers are left to MPI where there is no bound";
    }
    const std::uint64_t threshold = is_bounded(kind)
                                        ? policy::bounded_threshold(settings_, operation)
                                        : policy::exact_threshold(settings_, operation);
    if (bytes < threshold) {
      return "is too small: below " + settings::print(settings::Bytes{threshold});
    }
    if (kind.function == "MPI_Psend_init")
      return "is sent in partitions: an audit takes no samples";
    if (figures.samples.count == 0) return "was not sampled: the run was too short";
    return {};
  }

  [[nodiscard]] policy::Facts facts(const Kind& kind, Operation operation,
                                    std::size_t bytes) const {
    if (is_in_parts(kind, operation)) {
      return {Operation::neighbor_alltoall, bytes, 2, network_};  // one message
    }
    return {operation, bytes, std::max(kind.ranks, 2), network_};
  }

  [[nodiscard]] double raw_seconds(const Kind& kind, Operation operation, std::size_t bytes) const {
    if (operation == Operation::send) return static_cast<double>(bytes) / network_.bandwidth;
    return policy::raw_seconds(facts(kind, operation, bytes));
  }

  // The mean of a kind's calls: the first of a channel are looked at by themselves, those after
  // them may be predicted from earlier ones, where samples were compared with such.
  double seconds_of_each(const Call& call, double& ratio) const {
    const double alone = quickest(call, &Samples::tried, ratio);
    if (call.believe == Believe::worst || !may_look_back(call)) return alone;
    double ratio_in_time = 1;
    const double in_time = quickest(call, &Samples::in_time, ratio_in_time);
    if (in_time >= alone) return alone;
    const double calls = static_cast<double>(call.figures.calls);
    const double channels = static_cast<double>(std::max<std::uint64_t>(call.figures.channels, 1));
    const double first = std::min(1.0, channels * watched_messages / std::max(calls, 1.0));
    ratio = 1 / (first / ratio + (1 - first) / ratio_in_time);
    return first * alone + (1 - first) * in_time;
  }

  [[nodiscard]] bool may_look_back(const Call& call) const {
    return settings_.history != settings::History::off && !policy::is_reduction(call.operation) &&
           call.figures.channels > 0;
  }

  // Of the ways that are open, with the ratios of these samples.
  double quickest(const Call& call, std::array<Tried, choice_count> Samples::*samples,
                  double& taken) const {
    const auto& tried_ways = call.figures.samples.*samples;
    const bool is_in_time = samples == &Samples::in_time;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < choice_count; ++i) {
      const Tried& tried = tried_ways[i];
      const bool open = is_exact(i) ? may_be_exact(call.kind, call.operation, i)
                                    : i == choice_ && is_bounded(call.kind);
      if (!open || tried.values == 0) continue;
      const double believed = call.believe == Believe::worst  ? tried.least
                              : call.believe == Believe::best ? tried.most
                                                              : tried.ratio();
      const double expected = std::max(1.0, believed);
      const double seconds = seconds_of(i, call, expected, is_in_time);
      if (seconds >= best) continue;
      best = seconds;
      taken = expected;
    }
    return best;
  }

  // Collectives have no entropy coder by default, and are exact or within the bound as a whole.
  [[nodiscard]] bool may_be_exact(const Kind& kind, Operation operation, std::size_t way) const {
    if (operation == Operation::send) return true;
    return way == 0 && !is_bounded(kind);
  }

  [[nodiscard]] double seconds_of(std::size_t way, const Call& call, double ratio,
                                  bool is_in_time) const {
    return call.operation == Operation::send ? message_seconds(way, call, ratio, is_in_time)
                                             : collective_seconds(way, call, ratio, is_in_time);
  }

  [[nodiscard]] double message_seconds(std::size_t way, const Call& call, double ratio,
                                       bool is_in_time) const {
    codec::Prediction prediction{codec_of(way), ratio};
    if (way == 1) prediction.second_stage = codec::SecondStage::entropy;
    codec::predict_times(call.kind.type, call.bytes, prediction);
    if (is_in_time) {
      const double cost = way == 1 ? policy::cost_of_coded_prediction
                                   : policy::cost_of_prediction(policy::usual_references);
      const double keeping = policy::keeping_seconds_of(call.bytes);
      prediction.encode_seconds = cost * prediction.encode_seconds + keeping;
      prediction.decode_seconds = cost * prediction.decode_seconds + keeping;
      // The sender keeps what the receiver decodes.
      if (!is_exact(way)) prediction.encode_seconds += prediction.decode_seconds;
    }
    return policy::message_seconds(prediction, {call.bytes, network_.bandwidth, {1, 1}}, 1);
  }

  [[nodiscard]] double collective_seconds(std::size_t way, const Call& call, double ratio,
                                          bool is_in_time) const {
    const codec::Id codec = codec_of(way);
    const policy::Plan plan{is_exact(way) ? policy::Tier::exact : policy::Tier::bounded, codec,
                            call.bytes >= policy::pipelined_threshold(settings_, call.operation)};
    policy::Speeds speeds = policy::speeds_of(codec, call.kind.type, ratio);
    if (is_in_time) {
      const double cost = policy::cost_of_prediction(policy::usual_references);
      const double keeping = policy::keeping_seconds_of(call.bytes) /
                             static_cast<double>(std::max<std::size_t>(call.bytes, 1));
      speeds.encode = cost * speeds.encode + keeping;
      speeds.decode = cost * speeds.decode + keeping;
    }
    return policy::schedule(settings_, plan, facts(call.kind, call.operation, call.bytes), speeds)
        .seconds;
  }

  [[nodiscard]] static codec::Id codec_of(std::size_t way) {
    return is_exact(way) ? codec::Id::exact : codec::Id::bounded;
  }

  const Profile& profile_;
  std::size_t choice_;
  policy::Network network_;
  settings::Settings settings_;
};

// How long the ranks waited in MPI for what the network carried, in parts of what the model says of
// it. Less where computing hid the rest. More where MPI does not bring the network to its speed, as
// far as the rank that waited the least did: others wait for late ranks, too. On another network
// than the one that the program ran on, that may be otherwise.
double waited_over_model(const Profile& profile, const policy::Network& network) {
  const policy::Network measured = network_of(profile);
  const Model model(profile, 0, measured);
  double raw = 0;
  double waited = profile.least_mpi_seconds;
  for (const auto& [kind, figures] : profile.calls) {
    raw += model.raw_seconds(kind, figures);
    const bool sends_little = figures.bytes > 0 && figures.bytes < smallest_large * figures.calls;
    if (sends_little || kind.peer == Peer::same_host || is_barrier(kind.function)) {
      waited -= figures.seconds / profile.ranks;
    }
  }
  if (raw <= 0) return 1;
  if (raw > profile.mpi_seconds) return profile.mpi_seconds / raw;
  const bool is_measured = network.bandwidth == measured.bandwidth;
  return is_measured ? std::clamp(waited / raw, 1.0, most_over_model) : 1;
}

}  // namespace

Forecast forecast(const Profile& profile, std::size_t choice, const policy::Network& network) {
  const Model model(profile, choice, network);
  Forecast result{choice, {}, {}};
  for (const auto& [kind, figures] : profile.calls) {
    result.kinds.push_back(model.of(kind, figures));
  }
  const double waited = waited_over_model(profile, network);
  for (KindForecast& each : result.kinds) {
    each.gain.seconds *= waited;
    each.gain.most *= waited;
    each.gain.least *= std::min(waited, 1.0);
    for (double Gain::*part : {&Gain::seconds, &Gain::least, &Gain::most}) {
      result.gain.*part += each.gain.*part;
    }
  }
  return result;
}

policy::Network network_of(const Profile& profile) {
  if (profile.bandwidth <= 0) return policy::assumed_network;
  return {profile.latency, profile.bandwidth};
}

}  // namespace tightwire::audit
