#include "audit/forecast.h"

#include <algorithm>
#include <map>

#include "policy/cost/schedule.h"
#include "policy/message.h"
#include "policy/thresholds.h"
#include "settings/text.h"

namespace tightwire::audit {
namespace {

using policy::Operation;

settings::Settings settings_for(std::size_t choice) {
  settings::Settings settings = settings::load({}).settings;
  if (!is_exact(choice)) {
    settings.error_bound = {is_relative(choice) ? settings::ErrorBound::Kind::relative
                                                : settings::ErrorBound::Kind::absolute,
                            bound_of(choice)};
  }
  return settings;
}

// Only the root's calls have values, but all ranks gain.
bool is_rooted(Operation operation) {
  return operation == Operation::bcast || operation == Operation::scatter;
}

// What the model takes for the message of a call: one block where a rank has one for each.
std::size_t message_bytes(const Kind& kind, const Figures& figures, Operation operation) {
  const std::size_t bytes = figures.bytes / std::max<std::uint64_t>(figures.calls, 1);
  const bool blocks = operation == Operation::scatter || operation == Operation::alltoall;
  const bool alone = kind.function.ends_with("v");  // each message by itself
  return blocks && !alone ? bytes / static_cast<std::size_t>(std::max(kind.ranks, 1)) : bytes;
}

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
    const double calls = static_cast<double>(figures.calls) / profile_.ranks *
                         (is_rooted(*operation) ? kind.ranks : 1);
    const auto gain_of = [&](double Tried::*ratio) {
      const double seconds = quickest(kind, figures, *operation, bytes, ratio, result.ratio);
      return seconds < policy::gain_to_start * raw ? calls * (raw - seconds) : 0;
    };
    result.gain.least = gain_of(&Tried::least);
    result.gain.most = gain_of(&Tried::most);
    result.gain.seconds = gain_of(nullptr);
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
           static_cast<double>(figures.calls) / profile_.ranks *
           (is_rooted(*operation) ? kind.ranks : 1);
  }

 private:
  [[nodiscard]] bool is_bounded(const Kind& kind) const {
    if (is_exact(choice_) || !codec::is_floating_point(kind.type)) return false;
    return kind.reduction != "other";
  }

  [[nodiscard]] std::string left_alone(const Kind& kind, const Figures& figures,
                                       Operation operation, std::size_t bytes) const {
    if (kind.peer == Peer::nobody) return "goes to nobody, or between groups of processes";
    if (kind.peer == Peer::same_host) return "stays on its host";
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
    if (figures.samples.count == 0) return "was not sampled: the run was too short";
    return {};
  }

  [[nodiscard]] policy::Facts facts(const Kind& kind, Operation operation,
                                    std::size_t bytes) const {
    return {operation, bytes, std::max(kind.ranks, 2), network_};
  }

  [[nodiscard]] double raw_seconds(const Kind& kind, Operation operation, std::size_t bytes) const {
    if (operation == Operation::send) return static_cast<double>(bytes) / network_.bandwidth;
    return policy::raw_seconds(facts(kind, operation, bytes));
  }

  // Of the ways that are open, by the ratio of all samples or by one of theirs.
  double quickest(const Kind& kind, const Figures& figures, Operation operation, std::size_t bytes,
                  double Tried::*ratio, double& taken) const {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < choice_count; ++i) {
      const Tried& tried = figures.samples.tried[i];
      const bool open =
          is_exact(i) ? may_be_exact(kind, operation, i) : i == choice_ && is_bounded(kind);
      if (!open || tried.values == 0) continue;
      const double expected = std::max(1.0, ratio == nullptr ? tried.ratio() : tried.*ratio);
      const double seconds = seconds_of(i, kind, operation, bytes, expected);
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

  [[nodiscard]] double seconds_of(std::size_t way, const Kind& kind, Operation operation,
                                  std::size_t bytes, double ratio) const {
    const codec::Id codec = is_exact(way) ? codec::Id::exact : codec::Id::bounded;
    if (operation == Operation::send) {
      codec::Prediction prediction{codec, ratio};
      if (way == 1) prediction.second_stage = codec::SecondStage::entropy;
      codec::predict_times(kind.type, bytes, prediction);
      return policy::message_seconds(prediction, {bytes, network_.bandwidth, {1, 1}}, 1);
    }
    const policy::Plan plan{is_exact(way) ? policy::Tier::exact : policy::Tier::bounded, codec,
                            bytes >= settings_.threshold_pipelined.value};
    return policy::schedule(settings_, plan, facts(kind, operation, bytes),
                            policy::speeds_of(codec, kind.type, ratio))
        .seconds;
  }

  const Profile& profile_;
  std::size_t choice_;
  policy::Network network_;
  settings::Settings settings_;
};

}  // namespace

std::optional<Operation> operation_of(const std::string& function) {
  static const std::map<std::string, Operation> collectives{
      {"MPI_Bcast", Operation::bcast},
      {"MPI_Reduce", Operation::reduce},
      {"MPI_Allreduce", Operation::allreduce},
      {"MPI_Reduce_scatter", Operation::reduce_scatter},
      {"MPI_Reduce_scatter_block", Operation::reduce_scatter},
      {"MPI_Scan", Operation::scan},
      {"MPI_Exscan", Operation::scan},
      {"MPI_Gather", Operation::gather},
      {"MPI_Gatherv", Operation::gather},
      {"MPI_Scatter", Operation::scatter},
      {"MPI_Scatterv", Operation::scatter},
      {"MPI_Allgather", Operation::allgather},
      {"MPI_Allgatherv", Operation::allgather},
      {"MPI_Alltoall", Operation::alltoall},
      {"MPI_Alltoallv", Operation::alltoall}};
  const auto found = collectives.find(function);
  if (found != collectives.end()) return found->second;
  if (function.find("send") != std::string::npos || function == "MPI_Send" ||
      function == "MPI_Sendrecv" || function == "MPI_Sendrecv_replace" ||
      function == "MPI_Send_init") {
    return Operation::send;
  }
  return std::nullopt;
}

Forecast forecast(const Profile& profile, std::size_t choice, const policy::Network& network) {
  const Model model(profile, choice, network);
  Forecast result{choice, {}, {}};
  double raw = 0;
  for (const auto& [kind, figures] : profile.calls) {
    raw += model.raw_seconds(kind, figures);
    result.kinds.push_back(model.of(kind, figures));
  }
  // What the program does meanwhile hides the rest.
  const double share = raw > profile.mpi_seconds && raw > 0 ? profile.mpi_seconds / raw : 1;
  for (KindForecast& each : result.kinds) {
    for (double Gain::*part : {&Gain::seconds, &Gain::least, &Gain::most}) {
      each.gain.*part *= share;
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
