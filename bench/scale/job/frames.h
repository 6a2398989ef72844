// What Tightwire made of the calls of an operation at this rank, by its own statistics.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "codec/codec.h"
#include "policy/call.h"
#include "settings/values.h"

namespace tightwire::scale {

struct Frames {
  std::uint64_t sent = 0;  // bytes
  std::map<settings::Algorithm, std::uint64_t> calls;
  // Of calls since some were counted before: `plain` and `raw` where none went in frames.
  std::string algorithm = "plain";
  codec::Id codec = codec::Id::raw;
};

[[nodiscard]] Frames frames_since(const Frames& before, policy::Operation operation);

// A collective of the comparison as Tightwire knows it. Throws std::runtime_error.
[[nodiscard]] policy::Operation ours(std::string name);

}  // namespace tightwire::scale
