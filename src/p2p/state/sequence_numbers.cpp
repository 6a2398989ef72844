#include "p2p/state/sequence_numbers.h"

#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

SequenceNumbers& sequence_numbers() {
  return process_wide<SequenceNumbers>();
}

void SequenceNumbers::set_size(std::size_t ranks) {
  sent_ = std::vector<std::atomic<std::uint64_t>>(ranks);
  seen_.assign(ranks, {});
}

std::uint64_t SequenceNumbers::next(int destination) {
  return sent_[static_cast<std::size_t>(destination)].fetch_add(1, std::memory_order_relaxed);
}

bool SequenceNumbers::is_new(int source, std::uint64_t number) {
  const std::scoped_lock lock(mutex_);
  Seen& seen = seen_[static_cast<std::size_t>(source)];
  if (number < seen.end) return seen.missing.erase(number) > 0;
  while (seen.end < number) seen.missing.insert(seen.missing.end(), seen.end++);
  ++seen.end;
  return true;
}

}  // namespace tightwire::p2p
