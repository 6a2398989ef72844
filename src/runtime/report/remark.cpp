#include "runtime/report/remark.h"

#include <algorithm>
#include <numeric>

namespace tightwire::runtime {
namespace {

using policy::Reason;

// A job that saves a smaller part of its bytes has gained nothing that anybody notices.
constexpr double least_part_saved = 0.01;
// Jobs that send less are told something only if they took their time.
constexpr std::uint64_t few_bytes = std::uint64_t{1} << 20;
constexpr std::chrono::duration<double> short_time{1};

std::uint64_t bytes_of(const Gain& gain) {
  return std::accumulate(gain.left.begin(), gain.left.end(), gain.compressed);
}

bool has_gained(const Gain& gain) {
  return gain.saved > 0 &&
         static_cast<double>(gain.saved) >= least_part_saved * static_cast<double>(bytes_of(gain));
}

// What was encoded and did not become smaller counts with what a sample said that of.
Gain with_attempts(Gain gain) {
  gain.left[static_cast<std::size_t>(Reason::no_gain)] += gain.compressed;
  gain.compressed = 0;
  return gain;
}

Reason main_reason(const Gain& gain) {
  const auto most = std::ranges::max_element(gain.left);
  return static_cast<Reason>(most - gain.left.begin());
}

std::string part_of(const Gain& gain, Reason reason) {
  const double part = static_cast<double>(gain.left[static_cast<std::size_t>(reason)]) /
                      static_cast<double>(bytes_of(gain));
  return std::to_string(std::max(1, static_cast<int>(100 * part))) + " % of the bytes ";
}

std::string because(Reason reason, const settings::Settings& settings) {
  switch (reason) {
    case Reason::rounds:
      return "are sums of floating-point numbers, which stay MPI's to the last digit: try "
             "--error-bound, or --mode exact";
    case Reason::no_gain:
      return settings.error_bound.given() ? "do not shrink within the error bound: try a larger one"
                                          : "do not shrink without loss: try --error-bound";
    case Reason::too_slow:
      return "would take longer to encode than to send, the network is that fast";
    case Reason::measuring:
      return "were sent before the speed of the network was known: try --link, or a longer run";
    case Reason::few:
      return "are in short calls of which there were too few to find out what they gain: try a "
             "longer run";
    case Reason::shared_cores:
      return "were left to MPI as ranks share cores, which encoding would take from others: try "
             "fewer ranks a host, or --link";
    case Reason::same_host:
      return "stay within a host, where no network is crossed";
    case Reason::off:
      return "are of calls that the settings leave to MPI";
    case Reason::synchronous:
      return "are synchronous sends, which are left to MPI";
    case Reason::one_sided:
      return "are one-sided, which is left to MPI";
    case Reason::unhandled:
      return "are of calls, types or memory that are left to MPI";
    case Reason::small:
    case Reason::none:
      break;
  }
  return "are in messages too short to gain";
}

std::string why(const Job& job, const Gain& gain, const settings::Settings& settings) {
  if (job.hosts == 1 && settings.same_host == settings::SameHost::raw) {
    return "all " + std::to_string(job.ranks) +
           " ranks are on one host, where no network is crossed: try it over several";
  }
  if (bytes_of(gain) < few_bytes)
    return "few messages crossed the network that are long enough to compress";
  const Reason reason = main_reason(gain);
  return part_of(gain, reason) + because(reason, settings);
}

}  // namespace

bool may_remark(const settings::Settings& settings) {
  return settings.quiet == settings::Switch::off && settings.mode != settings::Mode::raw;
}

std::optional<std::string> remark(const Job& job, const Gain& gain,
                                  const settings::Settings& settings) {
  if (job.ranks < 2 || has_gained(gain)) return std::nullopt;
  if (bytes_of(gain) < few_bytes && job.time < short_time) return std::nullopt;
  return "tightwire: nothing was gained: " + why(job, with_attempts(gain), settings) +
         ". `tightwire audit` in place of `tightwire` tells more; --quiet leaves this out\n";
}

}  // namespace tightwire::runtime
