// How many times as fast helpers let a rank code several pieces, on this machine as it is now.
#pragma once

#include <cstddef>
#include <functional>

namespace tightwire::policy {

// Works on pieces 0 to `pieces` - 1, on any threads, and returns when all are done.
using WorkTogether =
    std::function<void(std::size_t pieces, const std::function<void(std::size_t piece)>& work)>;

// Measures it: pieces of a made field, encoded and decoded by the calling thread and by `together`,
// of which up to `threads` work at once. At least 1; some milliseconds. Throws std::bad_alloc.
[[nodiscard]] double measure_coding_speedup(std::size_t threads, const WorkTogether& together);

// To wake a helper for fewer bytes of values takes longer than it saves.
inline constexpr std::size_t least_bytes_of_helper = std::size_t{128} << 10;
// What `measured` makes of a call of so many bytes.
[[nodiscard]] double coding_speedup_of_call(double measured, std::size_t bytes);

}  // namespace tightwire::policy
