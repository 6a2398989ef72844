// What messages say: known to both sides from the schedule.
#pragma once

#include <vector>

#include "plan.h"

namespace semantics {

// The message's elements without gaps.
[[nodiscard]] std::vector<std::byte> content_of(const Message& message);

// True if each floating-point value is within the bound of the expected one, and all else equal.
[[nodiscard]] bool within(double bound, Base base, const std::vector<std::byte>& expected,
                          const std::vector<std::byte>& received);

}  // namespace semantics
