#include "policy/explain.h"

#include <algorithm>
#include <cstdio>

#include "policy/thresholds.h"
#include "settings/text.h"

namespace tightwire::policy {
namespace {

using settings::Mode;
using settings::Settings;

std::vector<Way> ways_of(const Settings& settings, const Plan& plan, const Facts& facts,
                         codec::ElementType type, double ratio) {
  const double expected = ratio > 0 ? ratio : typical_ratio(plan.codec);
  const Speeds speeds = speeds_of(plan.codec, type, expected);
  std::vector<Way> ways;
  for (const Schedule& each : schedules(settings, plan, facts, speeds)) {
    ways.push_back(
        {plan.tier, plan.codec, each.algorithm, each.chunks, speeds.ratio, each.seconds});
  }
  return ways;
}

// What the call would be with other settings: within the bound if one is given, and exactly.
std::vector<Plan> possible_plans(const Settings& settings, const Plan& plan, bool boundable) {
  std::vector<Plan> plans{plan};
  Settings other = settings;
  other.mode = Mode::bounded;
  const Plan bounded = choose(other, {Operation::allreduce, 1, boundable});
  other.mode = Mode::exact;
  const Plan exact = choose(other, {Operation::allreduce, 1, boundable});
  for (Plan each : {bounded, exact}) {
    each.pipelined = plan.pipelined;
    if (std::ranges::none_of(plans, [&](const Plan& p) { return p.codec == each.codec; })) {
      plans.push_back(each);
    }
  }
  return plans;
}

std::string bytes_text(std::uint64_t bytes) {
  return settings::print(settings::Bytes{bytes});
}

// Of a call that waits.
bool is_tried_by_time(const Settings& settings, const Facts& facts, bool boundable) {
  const bool rounds = boundable && is_reduction(facts.operation);
  const Call call{facts.operation, facts.bytes, boundable, rounds, true};
  return settings.deterministic == settings::Switch::off &&
         choose(settings, call).tier != Tier::raw;
}

std::string tier_reason(const Settings& settings, const Plan& plan, const Facts& facts,
                        bool boundable) {
  if (settings.mode == Mode::raw) return "Mode raw leaves all messages to MPI.";
  if (!is_adaptive(settings.mode)) {
    return "Mode " + settings::print(settings.mode) + " compresses every message.";
  }
  const std::string size = bytes_text(facts.bytes);
  const bool bounded = boundable && settings.error_bound.given();
  const std::uint64_t exact = exact_threshold(settings, facts.operation);
  const std::string from_exact = "threshold-exact (" + bytes_text(exact) + ")";
  const std::string from_bounded =
      "threshold-bounded (" + bytes_text(bounded_threshold(settings, facts.operation)) + ")";
  switch (plan.tier) {
    case Tier::raw:
      if (facts.bytes >= exact) {
        return (bounded ? size + " is below " + from_bounded
                        : std::string("No error bound is given")) +
               ": an exact sum has the last digits that MPI gives it. Mode exact compresses it, "
               "and adds in an order of its own.";
      }
      return size + " is below " + from_exact + (bounded ? " and " + from_bounded : std::string()) +
             (is_tried_by_time(settings, facts, boundable)
                  ? ": tried where such calls are seen to take long, after the first hundred."
                  : ": too small to gain.");
    case Tier::exact:
      return bounded     ? size + " reaches threshold-exact but not " + from_bounded + ": exact."
             : boundable ? "No error bound is given: exact."
                         : "Data of this type is never reduced: exact.";
    case Tier::bounded:
      return size + " reaches " + from_bounded + " and an error bound is given: within " +
             settings::print(settings.error_bound) + ".";
  }
  return {};
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  return text;
}

void add_gain(std::vector<std::string>& reasons, const Settings& settings, const Way& best,
              const Way& raw) {
  const bool gains = best.seconds < gain_to_start * raw.seconds;
  if (!is_adaptive(settings.mode)) return;
  if (gains) {
    reasons.push_back("Compressed it takes " + milliseconds(best.seconds) + ", plain MPI " +
                      milliseconds(raw.seconds) + ": that pays.");
  } else {
    reasons.push_back("Compressed it would take " + milliseconds(best.seconds) + ", plain MPI " +
                      milliseconds(raw.seconds) +
                      ": that does not pay, so the call is left to MPI.");
  }
}

// Which part of a message's way is the slowest one.
const char* limit_reason(const Facts& facts, const Speeds& speeds) {
  const double codec_seconds = speeds.encode + speeds.decode;
  const double wire = 1 / (speeds.ratio * facts.network.bandwidth);
  return wire > codec_seconds ? "The link is slower than the codec: a better ratio would help."
                              : "The codec is slower than the link: a better ratio would not help.";
}

}  // namespace

Explanation explain(const Settings& settings, const Facts& facts, codec::ElementType type,
                    double ratio) {
  const bool boundable = codec::is_floating_point(type);
  Explanation result;
  const bool rounds = boundable && is_reduction(facts.operation);
  result.plan = choose(settings, {facts.operation, facts.bytes, boundable, rounds});
  result.raw = {Tier::raw, codec::Id::raw, Algorithm::automatic, 1, 1, raw_seconds(facts)};
  result.choice = result.raw;
  result.reasons.push_back(tier_reason(settings, result.plan, facts, boundable));
  std::vector<Way>& ways = result.others;
  for (const Plan& plan : possible_plans(settings, result.plan, boundable)) {
    if (plan.tier == Tier::raw) continue;
    const bool planned = plan.codec == result.plan.codec;
    const auto more = ways_of(settings, plan, facts, type, planned ? ratio : 0);
    ways.insert(ways.end(), more.begin(), more.end());
  }
  if (result.plan.tier != Tier::raw) {
    const Way& best = ways.front();
    add_gain(result.reasons, settings, best, result.raw);
    if (!is_adaptive(settings.mode) || best.seconds < gain_to_start * result.raw.seconds) {
      result.choice = best;
      result.reasons.emplace_back(limit_reason(facts, speeds_of(best.codec, type, best.ratio)));
      ways.erase(ways.begin());
    }
  }
  std::ranges::stable_sort(ways, {}, &Way::seconds);
  return result;
}

}  // namespace tightwire::policy
