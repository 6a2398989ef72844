#include "collective/move/exchange.h"

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/crew/together.h"

namespace tightwire::collective {
namespace {

// Bytes of values: all blocks of one go have room at the same time.
constexpr std::size_t enough_at_once = std::size_t{64} << 20;

struct Step {
  int number = 0;
  std::unique_ptr<OutgoingBlock> sending;
  std::unique_ptr<IncomingBlock> receiving;
};

// Chunks of both directions in turn, so that neither waits for the other: while the peer's first is
// on its way, the next ones are encoded.
Schedule<> do_step(const Step& step) {
  constexpr std::size_t ahead = 2;
  const std::size_t out = step.sending != nullptr ? step.sending->chunks() : 0;
  const std::size_t in = step.receiving != nullptr ? step.receiving->chunks() : 0;
  std::size_t sent = 0;
  std::size_t taken = 0;
  while (sent < out || taken < in) {
    if (sent < out && (sent <= taken + ahead || taken >= in)) {
      sent = co_await step.sending->send(sent);
    } else {
      taken = co_await step.receiving->take(taken);
    }
  }
}

// It is only sent, and no chunk has to wait for a place.
bool is_encoded_at_once(const Step& step) {
  return step.receiving == nullptr && step.sending != nullptr &&
         step.sending->may_be_encoded_at_once();
}

void send_together(const std::vector<Step>& steps) {
  std::vector<OutgoingBlock*> blocks;
  blocks.reserve(steps.size());
  for (const Step& step : steps) blocks.push_back(step.sending.get());
  OutgoingBlock::send_at_once(blocks);
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

// Of a call, in order: what has begun, and what comes next.
class Exchange {
 public:
  Exchange(mpi::Communicator& communicator, const Steps& steps, mpi::Health& health,
           Traffic& traffic)
      : communicator_(communicator), steps_(steps), health_(health), traffic_(traffic) {}

  Schedule<codec::Id> run() {
    if (steps_.count > 0) next_ = post(0);
    for (auto now = steps_to_do(); !now.empty(); now = steps_to_do()) {
      if (now.size() == 1) {
        co_await do_step(now.front());
      } else {
        send_together(now);
      }
      if (behind_.size() == steps_.behind) {
        co_await finish_first();
      }
      for (const Step& step : now) end(step);
      behind_.push_back(std::move(now));
    }
    while (!behind_.empty()) {
      co_await finish_first();
    }
    co_return tried_;
  }

 private:
  std::unique_ptr<IncomingBlock> post(int number) {
    const std::optional<BlockToReceive> message = steps_.incoming(number);
    return message ? std::make_unique<IncomingBlock>(communicator_, *message, health_) : nullptr;
  }

  // The next one in which there is something to do.
  void begin_next() {
    while (!begun_ && count_begun_ < steps_.count) {
      Step step{count_begun_++, nullptr, std::move(next_)};
      if (count_begun_ < steps_.count) next_ = post(count_begun_);
      if (std::optional<BlockToSend> message = steps_.outgoing(step.number)) {
        step.sending =
            std::make_unique<OutgoingBlock>(communicator_, std::move(*message), traffic_);
      }
      if (step.sending != nullptr || step.receiving != nullptr) begun_ = std::move(step);
    }
  }

  // The next one, and of those after it as many as threads of this rank are of use for; none where
  // all have been done.
  std::vector<Step> steps_to_do() {
    begin_next();
    std::vector<Step> now;
    std::size_t chunks = 0;
    std::size_t bytes = 0;
    bool may_join = begun_.has_value();
    while (may_join) {
      now.push_back(std::move(*begun_));
      begun_.reset();
      if (!steps_.encoded || !is_encoded_at_once(now.back())) break;
      chunks += now.back().sending->chunks();
      bytes += now.back().sending->bytes();
      may_join = bytes < enough_at_once && runtime::places_together(chunks + 1) > chunks &&
                 next_can_join();
    }
    return now;
  }

  // What comes in at the next step is not waited for.
  bool next_can_join() {
    if (next_ == nullptr) begin_next();
    return begun_ && is_encoded_at_once(*begun_);
  }

  void end(const Step& step) {
    if (steps_.encoded && step.sending != nullptr) steps_.encoded(step.number);
    if (step.receiving == nullptr) return;
    tried_ = step.receiving->tried();
    if (step.receiving->is_unframed()) return;
    steps_.received(step.number, {false, step.receiving->next()});
  }

  Schedule<> finish_first() {
    for (const Step& step : behind_.front()) {
      co_await finish(step, steps_);
    }
    behind_.pop_front();
  }

  mpi::Communicator& communicator_;
  const Steps& steps_;
  mpi::Health& health_;
  Traffic& traffic_;
  int count_begun_ = 0;
  std::unique_ptr<IncomingBlock> next_;   // of the first step that has not begun
  std::optional<Step> begun_;             // and not done
  std::deque<std::vector<Step>> behind_;  // whose messages may still be on their way
  codec::Id tried_ = codec::Id::raw;
};

}  // namespace

Schedule<codec::Id> exchange(mpi::Communicator& communicator, const Steps& steps,
                             mpi::Health& health, Traffic& traffic) {
  Exchange all(communicator, steps, health, traffic);
  co_return co_await all.run();
}

}  // namespace tightwire::collective
