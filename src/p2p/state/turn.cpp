#include "p2p/state/turn.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

struct Turn::Turns {
  std::mutex mutex;
  std::vector<Turn*> all;  // in the order in which they came
};

Turn::Turns& Turn::turns() {
  return process_wide<Turns>();
}

Turn::Turn(int world_rank) : world_rank_(world_rank) {
  const std::scoped_lock lock(turns().mutex);
  turns().all.push_back(this);
}

Turn::~Turn() {
  const std::scoped_lock lock(turns().mutex);
  std::erase(turns().all, this);
}

const Turn* Turn::first() const {
  return *std::ranges::find(turns().all, world_rank_, &Turn::world_rank_);
}

bool Turn::is_first() const {
  const std::scoped_lock lock(turns().mutex);
  return first() == this;
}

bool Turn::has_come() {
  const std::scoped_lock lock(turns().mutex);
  ++asked_;
  const Turn* const now = first();
  if (now == this) return true;
  const bool is_left_alone = first_ == now && seen_ == now->asked_;
  first_ = now;
  seen_ = now->asked_;
  return is_left_alone;
}

}  // namespace tightwire::p2p
