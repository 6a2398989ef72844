// What tightwire has learned of the collectives on a communicator.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>

#include "policy/call.h"
#include "policy/tuning/backoff.h"
#include "policy/tuning/call_rates.h"
#include "policy/tuning/common_clock.h"
#include "policy/tuning/online_tuner.h"

namespace tightwire::mpi {

// Operation; its type and kind, in some numbering; binary order of magnitude of the size; settings.
using KindOfCall = std::tuple<policy::Operation, unsigned, int, std::size_t>;

// Plain calls of a v-operation, by which the network is measured.
struct PlainCalls {
  std::size_t left = 2;  // the first one may set up connections
  std::size_t next = 4;
  double rate = 0;           // bytes per second that this rank got at most
  policy::CallRates recent;  // of the last ones before a trial
};

struct Learned {
  std::map<KindOfCall, policy::OnlineTuner> tuners;       // alike on all ranks
  std::map<policy::Operation, policy::Backoff> backoffs;  // of v-operations
  std::map<policy::Operation, PlainCalls> plain;          // of these
  policy::CommonClock clock;
  double coding_speedup = 1;  // by helpers: of the rank that has the least of it
};

}  // namespace tightwire::mpi
