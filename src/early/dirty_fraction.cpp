#include "early/dirty_fraction.h"

#include <algorithm>
#include <bitset>
#include <new>

#include "early/content_hash.h"

namespace tightwire::early {
namespace {

constexpr std::size_t least_part = std::size_t{64} << 10;
constexpr std::size_t most_parts = 32;
// Of a page. What the program writes in one place it mostly writes next to it.
constexpr std::size_t sample_size = 64;
constexpr std::uint64_t sends_between_looks = 64;
// Share of the parts that must have been left alone.
constexpr std::size_t least_left_alone_in = 4;

}  // namespace

std::size_t fine_parts(std::size_t size) {
  return std::clamp<std::size_t>(size / least_part, 1, most_parts);
}

Sample sample_of(Bytes values) {
  Sample sample;
  try {
    sample.reserve(values.size() / page_size() + 1);
  } catch (const std::bad_alloc&) {
    return {};
  }
  for (std::size_t at = 0; at < values.size(); at += page_size())
    sample.push_back(hash_of(values.subspan(at, std::min(sample_size, values.size() - at))).low);
  return sample;
}

void DirtyFraction::note(std::uint64_t sends, Sample sample) {
  if (last_.empty()) {
    last_ = std::move(sample);
    next_ = sends + 1;
    return;
  }
  const std::size_t parts = fine_parts(sample.size() * page_size());
  std::bitset<most_parts> part_written;
  std::size_t written = 0;
  for (std::size_t page = 0; page < sample.size(); ++page) {
    if (sample[page] == last_[page]) continue;
    ++written;
    part_written[page * parts / sample.size()] = true;
  }
  const std::size_t left_alone = parts - part_written.count();
  value_ = static_cast<double>(written) / static_cast<double>(sample.size());
  partial_ = left_alone * least_left_alone_in >= parts;
  last_ = {};
  next_ = sends + sends_between_looks;
}

}  // namespace tightwire::early
