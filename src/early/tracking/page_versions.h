// When each page was last found written: exact, a number per page, for ranges that may overlap.
//
// Versions count up over the life of the process; a page never found written has version 0. Not
// thread safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "early/tracking/pages.h"

namespace tightwire::early {

using Version = std::uint64_t;

class PageVersions {
 public:
  // The pages were written no later than `version`, which is newer than any noted before.
  void note_written(const Range& pages, Version version);

  // The newest version among the pages.
  [[nodiscard]] Version newest(const Range& pages) const;

  // Gives back what is held for pages that lie in `pages` alone, block by block.
  void forget(const Range& pages);

 private:
  static constexpr std::size_t pages_per_block = 512;
  using Block = std::array<Version, pages_per_block>;

  std::unordered_map<Address, std::unique_ptr<Block>> blocks_;
};

}  // namespace tightwire::early
