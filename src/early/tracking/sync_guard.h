// `wp-sync`: a thread of ours lifts the protection at the first write to a page (userfaultfd write
// protection, Linux 5.7; that /proc/self/pagemap tells which pages are protected, 5.13).
//
// The kernel may hand us also the faults of system calls only with a privilege; without it read(2)
// into a protected page would fail, so there is no guard then. The thread writes to its own stack
// alone: it must never wait for a page that it guards.
#pragma once

#include "early/tracking/page_guard.h"

namespace tightwire::early {

[[nodiscard]] GuardOffer make_sync_guard();

}  // namespace tightwire::early
