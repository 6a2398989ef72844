#include "p2p/transfer/buffer/posted_buffers.h"

#include <cstdint>
#include <vector>

#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

PostedBuffers& posted_buffers() {
  return process_wide<PostedBuffers>();
}

void PostedBuffers::Posted::remove() {
  if (begin_ == nullptr) return;
  PostedBuffers& buffers = posted_buffers();
  const std::scoped_lock lock(buffers.mutex_);
  buffers.entries_.erase(begin_);
  buffers.any_.store(!buffers.entries_.empty(), std::memory_order_relaxed);
  begin_ = nullptr;
}

bool PostedBuffers::overlaps(std::span<const std::byte> buffer) const {
  if (buffer.empty() || !any()) return false;
  const std::scoped_lock lock(mutex_);
  return find(buffer.data(), buffer.size()) != entries_.end();
}

PostedBuffers::Entries::const_iterator PostedBuffers::find(const std::byte* begin,
                                                           std::size_t size) const {
  auto entry = entries_.upper_bound(begin);
  if (entry != entries_.begin()) {
    const auto before = std::prev(entry);
    if (before->first + before->second.size > begin) return before;
  }
  // MPI_BOTTOM is no memory to count from.
  const auto end = reinterpret_cast<std::uintptr_t>(begin) + size;
  const bool overlaps =
      entry != entries_.end() && reinterpret_cast<std::uintptr_t>(entry->first) < end;
  return overlaps ? entry : entries_.end();
}

void PostedBuffers::add(std::span<const std::byte> buffer, mpi::Operation& receive,
                        Posted& posted) {
  const std::scoped_lock lock(mutex_);
  // Another thread may have been quicker.
  if (find(buffer.data(), buffer.size()) != entries_.end()) return;
  entries_.emplace(buffer.data(), Entry{buffer.size(), &receive, &posted});
  posted.begin_ = buffer.data();
  any_.store(true, std::memory_order_relaxed);
}

void PostedBuffers::prepare_to_overwrite(std::span<const std::byte> buffer, bool may_progress) {
  std::vector<mpi::Operation*> receives;
  {
    const std::scoped_lock lock(mutex_);
    auto entry = find(buffer.data(), buffer.size());
    for (; entry != entries_.end() && entry->first < buffer.data() + buffer.size(); ++entry) {
      entry->second.posted->overwritten_ = true;
      receives.push_back(entry->second.receive);
    }
  }
  if (!may_progress) return;
  for (mpi::Operation* receive : receives) {
    static_cast<void>(receive->progress(mpi::Operation::Waiting::no));
  }
}

}  // namespace tightwire::p2p
