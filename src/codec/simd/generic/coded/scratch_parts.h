// What stands where in the memory that the coder works with.
#pragma once

#include "codec/simd/generic/coded/integers.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// The integers, with zeros before them and masks of gaps behind, and a workspace.
template <class U>
class CodedScratch {
 public:
  CodedScratch(std::span<std::byte> scratch, std::size_t count, std::size_t row_length)
      : workspace_(scratch.data()),
        before_(reinterpret_cast<U*>(scratch.data() + entropy::workspace_size)),
        q_(before_ + entropy::most_reach(row_length)),
        gaps_(reinterpret_cast<std::uint16_t*>(q_ + count)) {
    std::fill(before_, q_, U{0});
  }
  void* workspace() const { return workspace_; }
  U* integers() const { return q_; }
  std::uint16_t* gaps() const { return gaps_; }

 private:
  void* workspace_;
  U* before_;
  U* q_;
  std::uint16_t* gaps_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
