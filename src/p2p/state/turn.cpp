#include "p2p/state/turn.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

struct Turn::Places {
  std::mutex mutex;
  std::vector<std::shared_ptr<Place>> all;  // in the order in which they came
};

Turn::Places& Turn::places() {
  return process_wide<Places>();
}

Turn::Turn(int world_rank) : own_(std::make_shared<Place>(Place{world_rank})) {
  const std::scoped_lock lock(places().mutex);
  places().all.push_back(own_);
}

Turn::~Turn() {
  if (own_ == nullptr) return;
  const std::scoped_lock lock(places().mutex);
  std::erase(places().all, own_);
}

bool Turn::has_come() {
  const std::scoped_lock lock(places().mutex);
  ++own_->asked;
  const auto is_of_sender = [this](const auto& place) {
    return place->world_rank == own_->world_rank;
  };
  const Place* const first = std::ranges::find_if(places().all, is_of_sender)->get();
  if (first == own_.get()) return true;
  const bool is_left_alone = own_->first == first && own_->seen == first->asked;
  own_->first = first;
  own_->seen = first->asked;
  return is_left_alone;
}

}  // namespace tightwire::p2p
