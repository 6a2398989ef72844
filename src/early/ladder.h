// A stronger codec for time that is free.
//
// It must give the receiver the very values that the coding asked for, so that results do not
// depend on when somebody had time: exact values climb to a heavier lossless codec, and a lossy
// coding stays what it is.
#pragma once

#include <optional>

#include "early/coding.h"

namespace tightwire::early {

// Nothing if `coding` is the strongest.
[[nodiscard]] std::optional<Coding> stronger(const Coding& coding);

// What lies between two ranks, and whether coding and transfer of a message's chunks overlap.
struct Path {
  double link = 0;  // bytes per second; 0: not known
  bool overlapped = true;
};

// Whether the stronger encoding reaches the receiver's memory sooner, its slower decoding included.
[[nodiscard]] bool arrives_sooner(const Encoding& weak, const Encoding& strong,
                                  std::size_t value_bytes, const Path& path);

}  // namespace tightwire::early
