#include "collective/move/exchange.h"

#include <deque>
#include <memory>
#include <utility>

namespace tightwire::collective {
namespace {

struct Step {
  int number = 0;
  std::unique_ptr<OutgoingBlock> sending;
  std::unique_ptr<IncomingBlock> receiving;
};

// Chunks of both directions in turn, so that neither waits for the other.
Schedule<> do_step(const Step& step) {
  const std::size_t out = step.sending != nullptr ? step.sending->chunks() : 0;
  const std::size_t in = step.receiving != nullptr ? step.receiving->chunks() : 0;
  std::size_t sent = 0;
  std::size_t taken = 0;
  while (sent < out || taken < in) {
    if (sent < out) {
      sent = co_await step.sending->send(sent);
    }
    if (taken < in) {
      taken = co_await step.receiving->take(taken);
    }
  }
}

// What is still on its way when later steps have been done.
Schedule<> finish(const Step& step, const Steps& steps) {
  if (step.receiving != nullptr && step.receiving->is_unframed()) {
    co_await step.receiving->drain();
    steps.received(step.number, {true, step.receiving->next()});
  }
  if (step.sending != nullptr) {
    co_await step.sending->drain();
  }
}

}  // namespace

Schedule<codec::Id> exchange(mpi::Communicator& communicator, const Steps& steps,
                             mpi::Health& health, Traffic& traffic) {
  codec::Id tried = codec::Id::raw;
  const auto post = [&](int number) {
    const std::optional<BlockToReceive> message = steps.incoming(number);
    return message ? std::make_unique<IncomingBlock>(communicator, *message, health) : nullptr;
  };
  std::deque<Step> behind;
  std::unique_ptr<IncomingBlock> next = steps.count > 0 ? post(0) : nullptr;
  for (int number = 0; number < steps.count; ++number) {
    Step step{number, nullptr, std::move(next)};
    if (number + 1 < steps.count) next = post(number + 1);
    if (std::optional<BlockToSend> message = steps.outgoing(number)) {
      step.sending = std::make_unique<OutgoingBlock>(communicator, std::move(*message), traffic);
    }
    co_await do_step(step);
    if (behind.size() == steps.behind) {
      co_await finish(behind.front(), steps);
      behind.pop_front();
    }
    if (step.receiving != nullptr) {
      tried = step.receiving->tried();
      if (!step.receiving->is_unframed()) {
        steps.received(number, {false, step.receiving->next()});
      }
    }
    behind.push_back(std::move(step));
  }
  for (const Step& step : behind) {
    co_await finish(step, steps);
  }
  co_return tried;
}

}  // namespace tightwire::collective
