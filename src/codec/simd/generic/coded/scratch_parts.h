// What stands where in the memory that the coder works with.
#pragma once

#include "codec/simd/generic/coded/integers.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// A workspace, the integers of each component with zeros before them, and masks of gaps behind.
template <class U>
class CodedScratch {
 public:
  CodedScratch(std::span<std::byte> scratch, std::size_t count, std::size_t components,
               Distances apart)
      : workspace_(scratch.data()),
        integers_(reinterpret_cast<U*>(scratch.data() + entropy::workspace_size)),
        apart_(apart),
        reach_(entropy::most_reach(apart)),
        turns_(count / components),
        rest_(count % components),
        gaps_(reinterpret_cast<std::uint16_t*>(integers_ + components * reach_ + count)) {
    for (std::size_t k = 0; k < components; ++k) std::fill_n(integers(k) - reach_, reach_, U{0});
  }
  void* workspace() const { return workspace_; }
  U* integers(std::size_t component) const {
    const std::size_t before = component * turns_ + std::min(component, rest_);
    return integers_ + before + (component + 1) * reach_;
  }
  std::size_t count(std::size_t component) const {
    return turns_ + (component < rest_ ? std::size_t{1} : std::size_t{0});
  }
  Integers<U> of(std::size_t component) const {
    return {integers(component), count(component), apart_};
  }
  std::uint16_t* gaps() const { return gaps_; }

 private:
  void* workspace_;
  U* integers_;
  Distances apart_;
  std::size_t reach_;
  std::size_t turns_;
  std::size_t rest_;
  std::uint16_t* gaps_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
