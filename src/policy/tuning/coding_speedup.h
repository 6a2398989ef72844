// How many times as fast helpers let a rank code several pieces, on this machine as it is now.
#pragma once

#include <cstddef>
#include <functional>

#include "os/thread_pool.h"
#include "settings/values.h"

namespace tightwire::policy {

// Works on pieces 0 to `pieces` - 1, on any threads, and returns when all are done.
using WorkTogether =
    std::function<void(std::size_t pieces, const std::function<void(std::size_t piece)>& work)>;

// Measures it: pieces of a made field, encoded and decoded by the calling thread and by `together`,
// of which up to `threads` work at once. At least 1; some milliseconds. Throws std::bad_alloc.
[[nodiscard]] double measure_coding_speedup(std::size_t threads, const WorkTogether& together);

// The same of so many threads of a pool that is there for nothing else; 1 where it has but one.
[[nodiscard]] double coding_speedup_of_pool(os::ThreadPool& pool, std::size_t threads);

// What is known of some numbers of threads, of any: between two of them in proportion, 1 of one.
[[nodiscard]] double known_coding_speedup(const settings::CodingSpeedups& known,
                                          std::size_t threads);

}  // namespace tightwire::policy
