// How a sender codes one message.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "collective/hop.h"
#include "policy/call.h"

namespace tightwire::p2p {

struct MessageCoding {
  policy::Plan plan;
  collective::Coding coding;
};

// `type` is nothing for derived types, whose values are then bytes.
[[nodiscard]] MessageCoding coding_of(const std::optional<collective::PredefinedType>& type,
                                      std::span<const std::byte> values);

}  // namespace tightwire::p2p
