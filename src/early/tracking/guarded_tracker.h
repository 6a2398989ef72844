// `wp-async` and `wp-sync`: write protection, page by page.
//
// Protection sees every write that goes through the process's page tables: the program's own and
// those of system calls. It does not see a device, nor another process, that writes through a
// reference taken before the page was protected (direct I/O under way, RDMA, GPUs). Nobody may do
// that to a buffer while it is being sent, so mark() is exact; at any other time it may go on, so a
// snapshot()'s mark carries a hash too, compared once at the next send.
#pragma once

#include "early/tracking/page_guard.h"
#include "early/tracking/tracker.h"

namespace tightwire::early {

[[nodiscard]] std::unique_ptr<Tracker> make_guarded_tracker(Mechanism mechanism,
                                                            std::unique_ptr<PageGuard> guard);

}  // namespace tightwire::early
