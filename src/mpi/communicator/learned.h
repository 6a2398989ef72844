// What tightwire has learned of the collectives on a communicator.
#pragma once

#include <cstddef>
#include <map>

#include "policy/call.h"
#include "policy/device/call_memory.h"
#include "policy/short_calls.h"
#include "policy/tuning/backoff.h"
#include "policy/tuning/call_rates.h"
#include "policy/tuning/common_clock.h"
#include "policy/tuning/kind_of_call.h"
#include "policy/tuning/online_tuner.h"

namespace tightwire::mpi {

// Calls of a v-operation. Plain ones measure the network, and both whether compressing is quicker.
struct UnevenCalls {
  std::size_t plain_left = 2;  // the first one may set up connections
  std::size_t plain_next = 4;
  double rate = 0;               // bytes per second that this rank got at most, plain
  policy::CallRates plain;       // of the last ones before a trial
  policy::CallRates compressed;  // of the last ones of all
};

struct Learned {
  std::map<policy::KindOfCall, policy::OnlineTuner> tuners;  // alike on all ranks
  std::map<policy::KindOfCall, policy::ShortCalls> short_calls;
  std::map<policy::Operation, policy::Backoff> backoffs;  // of v-operations
  std::map<policy::Operation, UnevenCalls> uneven;        // these
  policy::DeviceCallMemory on_devices;
  policy::CommonClock clock;
  double coding_speedup = 1;                // by helpers: of the rank that has the least of it
  std::map<codec::Id, double> codec_times;  // policy::speeds_of(): of the slowest rank

  [[nodiscard]] double codec_time(codec::Id codec) const {
    const auto known = codec_times.find(codec);
    return known != codec_times.end() ? known->second : 1;
  }
};

}  // namespace tightwire::mpi
