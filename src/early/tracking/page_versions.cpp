#include "early/tracking/page_versions.h"

#include <algorithm>

namespace tightwire::early {

void PageVersions::note_written(const Range& pages, Version version) {
  const Address last = pages.end / page_size();
  for (Address page = pages.begin / page_size(); page < last; ++page) {
    std::unique_ptr<Block>& block = blocks_[page / pages_per_block];
    if (block == nullptr) block = std::make_unique<Block>();
    (*block)[page % pages_per_block] = version;
  }
}

Version PageVersions::newest(const Range& pages) const {
  Version newest = 0;
  const Address last = pages.end / page_size();
  for (Address page = pages.begin / page_size(); page < last;) {
    const Address block_end = (page / pages_per_block + 1) * pages_per_block;
    const Address end = std::min(last, block_end);
    if (const auto found = blocks_.find(page / pages_per_block); found != blocks_.end()) {
      const Block& block = *found->second;
      const auto first = block.begin() + static_cast<std::ptrdiff_t>(page % pages_per_block);
      newest = std::max(newest,
                        *std::max_element(first, first + static_cast<std::ptrdiff_t>(end - page)));
    }
    page = end;
  }
  return newest;
}

void PageVersions::forget(const Range& pages) {
  const Address block_bytes = pages_per_block * page_size();
  const Address first = (pages.begin + block_bytes - 1) / block_bytes;
  const Address end = pages.end / block_bytes;
  for (Address block = first; block < end; ++block) blocks_.erase(block);
}

}  // namespace tightwire::early
