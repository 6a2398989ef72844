// Which messages a GPU is to encode where that is to pay: a kind of them as long as the last one
// did, and one that did not again after a pause, which doubles. To encode it there takes less time
// than to estimate on the host what would come of it.
//
// Pure; not thread safe.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

#include "codec/codec.h"

namespace tightwire::policy {

class DeviceTrials {
 public:
  // Messages that are likely alike.
  struct Kind {
    int receiver;
    int tag;
    codec::ElementType type;
    std::size_t bytes;
    auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr)
  };

  // A message begins: whether it is to be encoded.
  [[nodiscard]] bool begin(const Kind& kind);
  // What has been encoded: whether that paid.
  void end(const Kind& kind, bool paid);

 private:
  static constexpr std::uint32_t shortest = 4;  // pause, in messages
  static constexpr std::uint32_t longest = 256;
  static constexpr std::size_t most_kinds = 4096;

  struct Pause {
    std::uint32_t left;
    std::uint32_t next;
  };
  std::map<Kind, Pause> pauses_;  // of kinds that did not pay
};

}  // namespace tightwire::policy
