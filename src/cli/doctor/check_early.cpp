// The doctor on early compression: how writes to send buffers would be noticed here, and why so.
#include <cstdio>

#include "cli/doctor/checks.h"
#include "early/tracking/mechanisms.h"

namespace tightwire::cli {
namespace {

std::string microseconds(double seconds) {
  std::string text(32, '\0');
  const int size = std::snprintf(text.data(), text.size(), "%.2f us", 1e6 * seconds);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string line_of(early::Mechanism mechanism) {
  std::string line = "\n" + std::string(early::name_of(mechanism)) + ": ";
  const early::Offer found = early::offer(mechanism);
  if (found.tracker == nullptr) return line + "no, " + found.reason;
  const early::Cost cost = early::measure_cost(found.tracker.get());
  if (mechanism == early::Mechanism::hash) {
    const double page = static_cast<double>(early::page_size()) * cost.hash_seconds_per_byte;
    return line + "yes, " + microseconds(page) + " a page at every send";
  }
  return line + "yes, " + microseconds(cost.fault_seconds) + " for the first write to a page";
}

}  // namespace

void check_early(Findings& findings) {
  const early::Trackers chosen = early::choose_trackers(std::nullopt);
  std::string text = std::string(early::name_of(chosen.all[0]->mechanism())) +
                     " would notice writes to send buffers: " + chosen.because;
  for (const auto mechanism :
       {early::Mechanism::wp_async, early::Mechanism::wp_sync, early::Mechanism::hash}) {
    text += line_of(mechanism);
  }
  findings.push_back({Verdict::note, "early", text});
}

}  // namespace tightwire::cli
