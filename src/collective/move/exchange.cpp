#include "collective/move/exchange.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tightwire::collective {
namespace {

struct Step {
  int number = 0;
  std::unique_ptr<OutgoingBlock> sending;
  std::size_t sent = 0;  // chunks, when the step begins
  std::unique_ptr<IncomingBlock> receiving;
};

class Exchange {
 public:
  Exchange(mpi::Communicator& communicator, const Steps& steps, mpi::Health& health,
           Traffic& traffic)
      : communicator_(communicator), steps_(steps), health_(health), traffic_(traffic) {}

  Schedule<codec::Id> run() {
    codec::Id tried = codec::Id::raw;
    std::unique_ptr<IncomingBlock> posted = post(0);
    co_await begin_to_send(0);
    steps_.meanwhile();
    Step previous;
    for (int number = 0; number < steps_.count; ++number) {
      Step step{number, std::move(next_), next_sent_, std::move(posted)};
      posted = post(number + 1);
      co_await do_step(step);
      co_await finish(previous);
      if (step.receiving != nullptr) {
        tried = step.receiving->tried();
        if (!step.receiving->is_unframed()) {
          steps_.received(number, {false, step.receiving->next()});
        }
      }
      previous = std::move(step);
    }
    co_await finish(previous);
    co_return tried;
  }

 private:
  [[nodiscard]] std::unique_ptr<IncomingBlock> post(int number) const {
    if (number >= steps_.count) return nullptr;
    const std::optional<BlockToReceive> message = steps_.incoming(number);
    return message ? std::make_unique<IncomingBlock>(communicator_, *message, health_) : nullptr;
  }

  // As many chunks as there is room for, so that this waits for nobody.
  Schedule<> begin_to_send(int number) {
    next_sent_ = 0;
    if (number >= steps_.count) co_return;
    std::optional<BlockToSend> message = steps_.outgoing(number);
    if (!message) co_return;
    next_ = std::make_unique<OutgoingBlock>(communicator_, std::move(*message), traffic_);
    const std::size_t room = std::min(next_->chunks(), next_->most_under_way());
    while (next_sent_ < room) {
      next_sent_ = co_await next_->send(next_sent_);
    }
  }

  // Chunks of both directions in turn, so that neither waits for the other. What is sent is ahead
  // by as many as there is room for, in the next step, too: while those are on the wire, others are
  // encoded and decoded.
  Schedule<> do_step(const Step& step) {
    const std::size_t out = step.sending != nullptr ? step.sending->chunks() : 0;
    const std::size_t in = step.receiving != nullptr ? step.receiving->chunks() : 0;
    const std::size_t ahead = step.sending != nullptr ? step.sending->most_under_way() : 0;
    std::size_t sent = step.sent;
    std::size_t taken = 0;
    bool next_has_begun = false;
    while (sent < out || !next_has_begun || taken < in) {
      if (sent < out && (sent < taken + ahead || taken == in)) {
        sent = co_await step.sending->send(sent);
      } else if (sent == out && !next_has_begun) {
        next_has_begun = true;
        co_await begin_to_send(step.number + 1);
      } else {
        taken = co_await step.receiving->take(taken);
      }
    }
  }

  // What is still on its way when the next step has been done.
  Schedule<> finish(const Step& step) {
    if (step.receiving != nullptr && step.receiving->is_unframed()) {
      co_await step.receiving->drain();
      steps_.received(step.number, {true, step.receiving->next()});
    }
    if (step.sending != nullptr) {
      co_await step.sending->drain();
    }
  }

  mpi::Communicator& communicator_;
  const Steps& steps_;
  mpi::Health& health_;
  Traffic& traffic_;
  std::unique_ptr<OutgoingBlock> next_;  // of the next step
  std::size_t next_sent_ = 0;            // chunks of it
};

}  // namespace

Schedule<codec::Id> exchange(mpi::Communicator& communicator, const Steps& steps,
                             mpi::Health& health, Traffic& traffic) {
  Exchange exchange(communicator, steps, health, traffic);
  co_return co_await exchange.run();
}

}  // namespace tightwire::collective
