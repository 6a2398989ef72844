// What a job has learned that a later one may begin with: how fast the network is, what collectives
// and messages take with compression and without, and whether it paid. All of it is a beginning:
// what is not so any more the later job finds out as it would have anyhow. Plain data.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "policy/cost/network.h"
#include "policy/tuning/backoff.h"
#include "policy/tuning/kind_of_call.h"
#include "policy/tuning/messages/transfer_times.h"
#include "policy/tuning/online_tuner.h"

namespace tightwire::experience {

struct Experience {
  using Calls =
      std::map<std::pair<policy::Extent, policy::KindOfCall>, policy::OnlineTuner::Experience>;
  using UnevenCalls = std::map<std::pair<policy::Extent, policy::Operation>,
                               policy::Backoff::Experience>;               // v-operations
  using Messages = std::map<unsigned, policy::EncodingTuner::Experience>;  // by size class

  policy::Network network;  // between hosts; not known: nothing was learned of it
  Calls calls;
  UnevenCalls uneven_calls;
  Messages messages;
};

// More kinds of calls are not kept.
inline constexpr std::size_t most_kinds = 4096;

// What is known of the same counts as `later` has it.
void add(Experience& known, const Experience& later);

}  // namespace tightwire::experience
