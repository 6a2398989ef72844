#include "audit/advice.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "audit/functions.h"
#include "settings/text.h"

namespace tightwire::audit {
namespace {

// Less is not worth a word.
constexpr double notable = 0.01;
constexpr std::size_t most_lines = 12;
// What rules are written for: a thousandth of a per cent of the range is the usual first try.
constexpr std::size_t usual_bound = exact_choices + bounds.size() + 2;

template <class... Fields>
std::string formatted(const char* format, Fields... fields) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), format, fields...);
  return text.data();
}

double part(double seconds, const Profile& profile) {
  return profile.seconds > 0 ? seconds / profile.seconds : 0;
}

std::string size_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return formatted(unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

std::string gain_text(const Gain& gain, const Profile& profile) {
  return formatted("%.3g s (%.1f %%), between %.3g and %.3g s", gain.seconds,
                   100 * part(gain.seconds, profile), gain.least, gain.most);
}

std::string ratio_text(const Samples& samples, std::size_t choice) {
  const Tried& tried = samples.tried[choice];
  return tried.values == 0 ? "-" : formatted("%.2f", tried.ratio());
}

std::string site_text(const Kind& kind) {
  if (!kind.site.empty()) return kind.site;
  return kind.object.empty()
             ? "(not known)"
             : kind.object + formatted("+0x%llx", static_cast<unsigned long long>(kind.offset));
}

bool sends(const Kind& kind, const Figures& figures) {
  return figures.bytes > 0 && operation_of(kind.function).has_value();
}

const char* peer_text(Peer peer) {
  return peer == Peer::other_host ? "across" : peer == Peer::same_host ? "host" : "-";
}

std::string table_line(const std::string& site, const std::string& function, const char* peer,
                       const std::string& each, const std::string& calls,
                       const std::string& seconds, const std::string& exact,
                       const std::string& coarse, const std::string& fine) {
  return formatted("%-28.28s %-15.15s %-6s %10s %9s %8s %6s %8s %8s\n", site.c_str(),
                   function.c_str() + 4, peer, each.c_str(), calls.c_str(), seconds.c_str(),
                   exact.c_str(), coarse.c_str(), fine.c_str());
}

std::string line_of(const Kind& kind, const Figures& figures, int ranks) {
  const Samples& samples = figures.samples;
  const std::size_t exact = samples.tried[1].ratio() > samples.tried[0].ratio() ? 1 : 0;
  return table_line(
      site_text(kind), kind.function, peer_text(kind.peer),
      size_text(static_cast<double>(figures.bytes) / static_cast<double>(figures.calls)),
      formatted("%.6g", static_cast<double>(figures.calls) / ranks),
      formatted("%.3g", figures.seconds / ranks), ratio_text(samples, exact),
      ratio_text(samples, usual_bound), ratio_text(samples, usual_bound + 2));
}

// Why bytes that cross the network are left alone, the most first.
std::string left_alone(const Forecast& forecast) {
  std::map<std::string, double> bytes;
  for (const KindForecast& each : forecast.kinds) {
    if (!each.reason.empty()) bytes[each.reason] += static_cast<double>(each.figures->bytes);
  }
  std::vector<std::pair<double, std::string>> sorted;
  sorted.reserve(bytes.size());
  for (const auto& [reason, sum] : bytes) sorted.emplace_back(sum, reason);
  std::ranges::sort(sorted, std::greater{});
  std::string text;
  for (const auto& [sum, reason] : sorted) text += "  " + size_text(sum) + " " + reason + "\n";
  return text.empty() ? "" : "What would be left alone without a bound, and why:\n" + text;
}

std::string bounds_table(const Profile& profile, const policy::Network& network,
                         const Gain& exactly) {
  std::string text;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const std::size_t absolute = exact_choices + i;
    const std::size_t relative = absolute + bounds.size();
    const Gain of_range = forecast(profile, relative, network).gain;
    const Gain by_itself = forecast(profile, absolute, network).gain;
    if (std::max(of_range.seconds, by_itself.seconds) <
        exactly.seconds + notable * profile.seconds) {
      continue;
    }
    text += formatted("  --error-bound %-9s %7.3g s (%.1f %%)     --error-bound %-6s %7.3g s\n",
                      name_of_choice(relative).c_str(), of_range.seconds,
                      100 * part(of_range.seconds, profile), name_of_choice(absolute).c_str(),
                      by_itself.seconds);
  }
  if (text.empty()) return "";
  return "With a bound (of the range of the values; or absolute), where values may err:\n" + text;
}

std::string how_to_run(const Profile& profile, const Gain& exactly) {
  if (part(exactly.seconds, profile) < notable) {
    return "Exactly, there is little to gain on this link.\n";
  }
  return formatted("To gain it: mpirun -n %d tightwire ./app\n", profile.ranks);
}

// Whether what is left of messages between two ranks is known where they resemble earlier ones.
std::string on_history(const Forecast& forecast) {
  std::uint64_t compared = 0;
  std::uint64_t not_compared = 0;
  for (const KindForecast& each : forecast.kinds) {
    if (!each.reason.empty() || !sends(*each.kind, *each.figures)) continue;
    const bool known = each.figures->samples.in_time[0].values > 0;
    (known ? compared : not_compared) += each.figures->bytes;
  }
  if (not_compared > compared) {
    return "Messages that resemble earlier ones of their channel shrink more than this says: the "
           "run had no time to compare them.\n";
  }
  return compared == 0 ? "" : "What messages gain that resemble earlier ones is counted in.\n";
}

struct OfSite {
  Gain exactly;
  Gain bounded;
  double ratio = 1;
};

// By the pattern that a rule would have.
std::map<std::pair<std::string, std::string>, OfSite> by_place(const Profile& profile,
                                                               const policy::Network& network) {
  std::map<std::pair<std::string, std::string>, OfSite> places;
  const auto add = [&](const Forecast& forecast, Gain OfSite::*gain) {
    for (const KindForecast& each : forecast.kinds) {
      const Kind& kind = *each.kind;
      const bool named = !kind.communicator.empty() && !kind.communicator.starts_with("MPI");
      if (kind.site.empty() && !named) continue;
      OfSite& place =
          places[kind.site.empty()
                     ? std::pair<std::string, std::string>("communicator", kind.communicator)
                     : std::pair<std::string, std::string>("where", kind.site)];
      (place.*gain).seconds += each.gain.seconds;
      if (gain == &OfSite::bounded) place.ratio = std::max(place.ratio, each.ratio);
    }
  };
  add(forecast(profile, 0, network), &OfSite::exactly);
  add(forecast(profile, usual_bound, network), &OfSite::bounded);
  return places;
}

}  // namespace

std::string table_of_calls(const Profile& profile, const policy::Network& /*network*/) {
  std::vector<std::pair<const Kind*, const Figures*>> rows;
  for (const auto& [kind, figures] : profile.calls) {
    if (sends(kind, figures)) rows.emplace_back(&kind, &figures);
  }
  std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.second->bytes; });
  std::string text =
      table_line("where", "MPI_call", "to", "bytes/call", "calls", "s in it", "exact",
                 name_of_choice(usual_bound), name_of_choice(usual_bound + 2));
  for (std::size_t i = 0; i < std::min(rows.size(), most_lines); ++i) {
    text += line_of(*rows[i].first, *rows[i].second, profile.ranks);
  }
  if (rows.size() > most_lines) {
    text += formatted("... and %zu kinds of calls that send less\n", rows.size() - most_lines);
  }
  return text;
}

std::string rules_to_paste(const Profile& profile, const policy::Network& network) {
  std::string text;
  for (const auto& [place, gains] : by_place(profile, network)) {
    const double more = gains.bounded.seconds - gains.exactly.seconds;
    if (part(more, profile) < notable) continue;
    text += "\n# " +
            formatted("%.1f times smaller: about %.3g s (%.1f %%) less\n", gains.ratio, more,
                      100 * part(more, profile)) +
            "# [[rule]]\n# " + place.first + " = \"" + place.second + "\"\n# error-bound = \"" +
            name_of_choice(usual_bound) + "\"\n";
  }
  if (text.empty()) return "";
  return "# tightwire.toml: take the # away before the values that may err by so much of their "
         "range,\n# with a bound that you can defend; all else stays exact.\n" +
         text;
}

std::string advice(const Profile& profile, const policy::Network& network) {
  const Forecast exactly = forecast(profile, 0, network);
  std::string text = formatted(
      "%d ranks on %d hosts, %.3g s, of which a rank spent %.3g s in MPI. A link between hosts: "
      "%.3g Gbit/s.\nThe audit cost a rank %.3g s (%.2f %%).\n",
      profile.ranks, profile.hosts, profile.seconds, profile.mpi_seconds, network.bandwidth * 8e-9,
      profile.cost_seconds, 100 * part(profile.cost_seconds, profile));
  if (profile.hosts < 2) {
    return text +
           "All ranks were on one host, where nothing is compressed: there is nothing to "
           "gain.\n";
  }
  text += "Exactly, every byte as it was sent: " + gain_text(exactly.gain, profile) + "\n";
  text += how_to_run(profile, exactly.gain);
  text += bounds_table(profile, network, exactly.gain);
  text += left_alone(exactly);
  return text + on_history(exactly);
}

}  // namespace tightwire::audit
