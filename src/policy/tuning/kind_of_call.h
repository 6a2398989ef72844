// Collective calls that are alike in what can be learned of them.
#pragma once

#include <compare>
#include <cstdint>

#include "policy/call.h"

namespace tightwire::policy {

struct KindOfCall {
  Operation operation{};
  unsigned data = 0;           // type and operator, in some numbering
  unsigned size = 0;           // binary order of magnitude
  std::uint64_t settings = 0;  // settings::hash_of() those in force

  auto operator<=>(const KindOfCall&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The communicators on which they are made.
struct Extent {
  int ranks = 0;
  int hosts = 0;

  auto operator<=>(const Extent&) const = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace tightwire::policy
