// What tightwire has learned of the collectives on a communicator.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>

#include "policy/call.h"
#include "policy/tuning/backoff.h"
#include "policy/tuning/online_tuner.h"

namespace tightwire::mpi {

// Operation; its type and kind, in some numbering; binary order of magnitude of the size; settings.
using KindOfCall = std::tuple<policy::Operation, unsigned, int, std::size_t>;

struct Learned {
  std::map<KindOfCall, policy::OnlineTuner> tuners;       // alike on all ranks
  std::map<policy::Operation, policy::Backoff> backoffs;  // of v-operations
};

}  // namespace tightwire::mpi
