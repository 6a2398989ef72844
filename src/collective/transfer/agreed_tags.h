// The tags of a communicator, as something that a schedule waits for.
#pragma once

#include <utility>

#include "collective/transfer/schedule.h"
#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

// `co_await tags.agreed()`. Throws MpiError.
class AgreedTags final : public Transfer {
 public:
  explicit AgreedTags(mpi::Communicator& communicator) : communicator_(communicator) {}

  [[nodiscard]] Awaiting<AgreedTags> agreed() { return {*this}; }
  [[nodiscard]] bool test() override { return communicator_.has_tags(); }
  void wait() { communicator_.await_tags(); }

 private:
  mpi::Communicator& communicator_;
};

// For the schedules of a call that could not wait for its tags, one after the other.
inline Schedule<> after_agreement(mpi::Communicator& communicator, Schedule<> first,
                                  Schedule<> then) {
  AgreedTags tags(communicator);
  co_await tags.agreed();
  co_await std::move(first);
  co_await std::move(then);
}

}  // namespace tightwire::collective
