#include "collective/move/exchange.h"

#include <algorithm>
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

// Of values; longer blocks have chunks enough of their own, and take memory.
constexpr std::size_t longest_ahead = std::size_t{8} << 20;
// Chunks that may be on their way while the first of the peer's is waited for.
constexpr std::size_t most_ahead = 3;

struct Step {
  int number = 0;
  std::unique_ptr<OutgoingBlock> sending;
  std::unique_ptr<IncomingBlock> receiving;
  std::size_t sent = 0;   // chunks
  std::size_t taken = 0;  // the same

  [[nodiscard]] bool has_left() const { return sending == nullptr || sent >= sending->chunks(); }
  [[nodiscard]] bool has_come() const {
    return receiving == nullptr || taken >= receiving->chunks();
  }
};

// It is only sent, and no chunk has to wait for a place.
bool is_encoded_at_once(const Step& step) {
  return step.receiving == nullptr && step.sending != nullptr && step.sent == 0 &&
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

  // Chunks of both directions in turn, so that neither waits for the other: while the peer's first
  // is on its way, the next ones are encoded, of later steps, too.
  Schedule<> do_step(Step& step) {
    while (!step.has_left() || !step.has_come()) {
      if (Step* const sender = next_to_send(step)) {
        sender->sent = co_await sender->sending->send(sender->sent);
      } else {
        step.taken = co_await step.receiving->take(step.taken);
      }
    }
  }

  // `now` or one after it; none where what comes in is to be waited for.
  Step* next_to_send(Step& now) {
    if (now.has_come()) return &now;
    std::size_t sent = now.sent;
    for (const Step& step : begun_) sent += step.sent;
    if (sent >= now.taken + most_ahead) return nullptr;
    if (!now.has_left()) return &now;
    const bool may_run_ahead =
        steps_.run_ahead && now.sending != nullptr && now.sending->bytes() <= longest_ahead;
    return may_run_ahead ? next_to_run_ahead() : nullptr;
  }

  // None whose chunk would have to wait for a place: its partner may wait for this rank, too.
  Step* next_to_run_ahead() {
    const bool all_have_left = std::ranges::all_of(begun_, &Step::has_left);
    if (all_have_left && begun_.size() < most_ahead) begin_next();
    const auto next = std::ranges::find_if_not(begun_, &Step::has_left);
    const bool may_leave = next != begun_.end() && next->sending->has_place_for(next->sent);
    return may_leave ? &*next : nullptr;
  }

  // The next one in which there is something to do.
  void begin_next() {
    const std::size_t before = begun_.size();
    while (begun_.size() == before && count_begun_ < steps_.count) {
      Step step{count_begun_++, nullptr, std::move(next_)};
      if (count_begun_ < steps_.count) next_ = post(count_begun_);
      if (std::optional<BlockToSend> message = steps_.outgoing(step.number)) {
        step.sending =
            std::make_unique<OutgoingBlock>(communicator_, std::move(*message), traffic_);
      }
      if (step.sending != nullptr || step.receiving != nullptr) begun_.push_back(std::move(step));
    }
  }

  // The next one, and of those after it as many as threads of this rank are of use for; none where
  // all have been done.
  std::vector<Step> steps_to_do() {
    if (begun_.empty()) begin_next();
    std::vector<Step> now;
    std::size_t chunks = 0;
    std::size_t bytes = 0;
    bool may_join = !begun_.empty();
    while (may_join) {
      now.push_back(std::move(begun_.front()));
      begun_.pop_front();
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
    if (begun_.empty() && next_ == nullptr) begin_next();
    return !begun_.empty() && is_encoded_at_once(begun_.front());
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
  std::deque<Step> begun_;                // and not done
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
