// The range of all ranks' values, which a relative bound of a reduction is a part of, for a call
// that may not wait for other ranks.
//
// By dissemination (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", IJPP
// 1988): in the k-th of log2(ranks) steps each rank tells the one 2^k further what it knows, and
// after the last it knows all.
#pragma once

#include "codec/estimate/value_range.h"
#include "collective/transfer/schedule.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"

namespace tightwire::collective {

// `own`: of this rank's values. The same on all ranks; where not all that was told could be read
// that is noted, and the range is not finite. Throws MpiError.
[[nodiscard]] Schedule<codec::ValueRange> exchange_ranges(mpi::Communicator& communicator,
                                                          const codec::ValueRange& own,
                                                          mpi::Health& health);

}  // namespace tightwire::collective
