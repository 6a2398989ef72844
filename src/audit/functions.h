// What the functions of MPI that an audit counts are for the policy.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "audit/profile.h"
#include "policy/call.h"

namespace tightwire::audit {

// Nothing for those that send nothing. All forms of a collective are the same.
[[nodiscard]] std::optional<policy::Operation> operation_of(const std::string& function);

// Only the root's calls have values, but all ranks gain.
[[nodiscard]] bool is_rooted(policy::Operation operation);

// Of these each message is counted by itself, with its receiver.
[[nodiscard]] bool is_in_parts(const Kind& kind, policy::Operation operation);

// What the model takes for the message of a call: one block where a rank has one for each.
[[nodiscard]] std::size_t message_bytes(const Kind& kind, const Figures& figures,
                                        policy::Operation operation);

[[nodiscard]] bool is_synchronous(const std::string& function);

// In any form.
[[nodiscard]] bool is_barrier(const std::string& function);

}  // namespace tightwire::audit
