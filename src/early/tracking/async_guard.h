// `wp-async`: the kernel lifts the protection at the first write, and one ioctl tells where it has
// (Linux 6.7: UFFD_FEATURE_WP_ASYNC and PAGEMAP_SCAN). No handler thread; writes by system calls
// are noticed as well, without privileges.
#pragma once

#include "early/tracking/page_guard.h"

namespace tightwire::early {

[[nodiscard]] GuardOffer make_async_guard();

}  // namespace tightwire::early
