// How much of a buffer the program rewrites between two sends, found by samples.
//
// Cutting a message finer than its transfer asks for is worth something only if some parts are left
// as they were: a heavy codec takes longer for many short pieces than for one long one. And where
// many pages are written to, comparing costs less than write faults. Hints: what is sent never
// depends on them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "early/tracking/pages.h"

namespace tightwire::early {

// Into how many parts a buffer of `size` bytes may be cut, so that a page or two that were written
// to cost little, and a message of each part neither.
[[nodiscard]] std::size_t fine_parts(std::size_t size);

// A figure for each page, of its front: the same contents give the same. Empty without memory.
using Sample = std::vector<std::uint64_t>;
[[nodiscard]] Sample sample_of(Bytes values);

// One buffer's.
class DirtyFraction {
 public:
  // Whether this send is to be looked at: two in a row, now and then.
  [[nodiscard]] bool wants_sample(std::uint64_t sends) const { return sends >= next_; }
  void note(std::uint64_t sends, Sample sample);

  // Of the last time it was looked at; nothing before that. The share of the pages whose contents
  // had changed:
  [[nodiscard]] std::optional<double> value() const { return value_; }
  // Whether some of the fine parts, enough to matter, were left alone.
  [[nodiscard]] bool partial() const { return partial_; }

 private:
  // The first send may be the only one.
  std::uint64_t next_ = 1;
  Sample last_;  // empty: the next sample is a first one
  std::optional<double> value_;
  bool partial_ = false;
};

}  // namespace tightwire::early
