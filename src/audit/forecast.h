// How long the job of an audit would have taken with its messages compressed, by the cost model
// (policy/cost/cost.h, policy/message.h) and what the samples showed. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "audit/profile.h"
#include "policy/cost/network.h"

namespace tightwire::audit {

// Seconds that a rank gains, the mean of the ranks: as expected, and between which it may be. The
// least is by the worst sample, each message by itself, where no rank waits for a busier one and
// none waited for longer than the model says; the most by the best sample.
struct Gain {
  double seconds = 0;
  double least = 0;
  double most = 0;
};

// Of the calls of one kind. `reason` says why they are left alone; empty where they gain.
struct KindForecast {
  const Kind* kind = nullptr;
  const Figures* figures = nullptr;
  Gain gain;
  double ratio = 1;  // of the way that would be taken
  std::string reason;
};

struct Forecast {
  std::size_t choice = 0;
  Gain gain;
  std::vector<KindForecast> kinds;
};

// The settings are the default ones but for the bound of the choice, which is one of
// name_of_choice(); the exact ones are one and the same here.
[[nodiscard]] Forecast forecast(const Profile& profile, std::size_t choice,
                                const policy::Network& network);

// As the profile has it, else assumed.
[[nodiscard]] policy::Network network_of(const Profile& profile);

}  // namespace tightwire::audit
