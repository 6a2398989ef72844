// What the algorithms of a collective note while they run.
#pragma once

#include "collective/transfer/slot.h"
#include "mpi/error.h"
#include "policy/call.h"
#include "runtime/report/phase.h"

namespace tightwire::collective {

struct Work {
  policy::Plan plan;  // as planned; what senders did in truth is noted here
  mpi::Health health;
  Traffic traffic;
  double largest_bound = 0;
  runtime::Split split;
  bool lets_next_begin = false;  // as of BackgroundCall
};

}  // namespace tightwire::collective
