#include "collective/move/block_exchange.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "collective/history/encoding_in_time.h"
#include "collective/move/exchange.h"
#include "collective/move/plain_messages.h"
#include "collective/move/planned_message.h"
#include "mpi/byte_view.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {
namespace {

using Form = PlannedMessage::Form;

// No more messages than that between two ranks in one direction.
bool is_with_each_at_most(int times, const std::vector<Partners>& steps) {
  return std::ranges::all_of(steps,
                             [times](const Partners& partners) { return partners.place < times; });
}

class BlockExchange {
 public:
  BlockExchange(const MovementPlan& plan, const std::vector<Partners>& steps, Work& work, Sent sent)
      : plan_(plan), communicator_(*plan.communicator), steps_(steps), work_(work), sent_(sent) {
    planned_.reserve(steps.size());
    for (const Partners& partners : steps) {
      planned_.push_back({planned_message(plan, partners.send_to, partners.send),
                          planned_message(plan, partners.receive_from, partners.receive)});
      // Now, as nothing is under way yet: what cannot be had throws.
      if (planned_.back().send.form == Form::plain) mpi::fetch_left(partners.send);
    }
    for (std::size_t step = 0; step < steps.size(); ++step) find_told(step);
    // What is told to come unframed need not wait for its turn, but where that would put it before
    // an earlier message with its tag.
    if (is_with_each_at_most(2, steps)) take_told_out_of_turn();
  }

  Schedule<> run() {
    ++communicator_.calls;
    PlainMessages plain(communicator_);
    for (std::size_t step = 0; step < steps_.size(); ++step) begin_plain(step, plain);
    for (std::size_t step = 0; step < steps_.size(); ++step) receive_unframed(step);
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      co_await send_unframed(step);
    }
    const Steps steps{
        static_cast<int>(steps_.size()),
        [this](int step) { return outgoing(static_cast<std::size_t>(step)); },
        [this](int step) { return incoming(static_cast<std::size_t>(step)); },
        [this](int step, Arrival arrival) { received(static_cast<std::size_t>(step), arrival); },
        1,
        [this](int step) { encoded(static_cast<std::size_t>(step)); },
        is_with_each_at_most(1, steps_)};
    const codec::Id tried = co_await exchange(communicator_, steps, work_.health, work_.traffic);
    if (!sent_compressed_) work_.plan = plan_seen(work_.plan, tried);
    co_await unframed_have_begun();
    work_.lets_next_begin = goes_without_frames() && !work_.health.failed();
    co_await unframed_are_over();
    co_await plain.transferred();
    check_sent(steps_);
    plan_.note(work_.traffic);
  }

 private:
  struct PlannedStep {
    PlannedMessage send;
    PlannedMessage receive;
  };

  void begin_plain(std::size_t step, PlainMessages& plain) const {
    const auto& [send, receive] = planned_[step];
    const Partners& with = steps_[step];
    if (receive.form == Form::plain) plain.receive(with.receive, with.receive_from);
    if (send.form == Form::plain) plain.send(with.send, with.send_to);
  }

  // Both ends count the same messages: so it is asked once for each.
  void find_told(std::size_t step) {
    PlannedStep& planned = planned_[step];
    planned.send.is_told = planned.send.may_be_unframed && sent_ == Sent::one_to_each &&
                           communicator_.unframed.begin_told(outgoing_kind(step));
    planned.receive.is_told =
        planned.receive.may_be_unframed &&
        communicator_.unframed.expected(incoming_kind(step)) == policy::NextMessage::unframed;
  }
  // Frames that stood behind such messages would be decoded when nothing else is on its way.
  void take_told_out_of_turn() {
    const bool sends_frames = std::ranges::any_of(planned_, [](const PlannedStep& step) {
      return step.send.form == Form::frames && !step.send.is_told;
    });
    for (PlannedStep& step : planned_) {
      if (step.send.is_told && !sends_frames) step.send.form = Form::unframed;
      if (step.receive.is_told) step.receive.form = Form::unframed;
    }
  }

  void receive_unframed(std::size_t step) {
    if (planned_[step].receive.form != Form::unframed) return;
    const Partners& partners = steps_[step];
    BlockToReceive block;
    block.peer = partners.receive_from;
    block.chunks = planned_[step].receive.chunks;
    block.tag = tag_of(step);
    block.unframed = partners.receive;
    block.expected = policy::NextMessage::unframed;
    coming_unframed_.try_emplace(step, communicator_, block, work_.health);
  }
  Schedule<> send_unframed(std::size_t step) {
    if (planned_[step].send.form != Form::unframed) co_return;
    OutgoingBlock& block =
        leaving_unframed_.emplace_back(communicator_, unframed(step), work_.traffic);
    static_cast<void>(co_await block.send(0));
  }
  // What was told of the next ones is known.
  Schedule<> unframed_have_begun() {
    for (auto& [step, block] : coming_unframed_) {
      static_cast<void>(co_await block.take(0));
      communicator_.unframed.expect(incoming_kind(step), block.next());
    }
  }
  [[nodiscard]] bool goes_without_frames() const {
    return std::ranges::none_of(planned_, [](const PlannedStep& step) {
      return step.send.form == Form::frames || step.receive.form == Form::frames;
    });
  }
  Schedule<> unframed_are_over() {
    for (auto& [step, block] : coming_unframed_) {
      co_await block.drain();
    }
    for (OutgoingBlock& block : leaving_unframed_) {
      co_await block.drain();
    }
  }

  std::optional<BlockToSend> outgoing(std::size_t step) {
    if (planned_[step].send.form != Form::frames) return std::nullopt;
    return sent_ == Sent::the_same_to_all ? same_to_all(step) : one_of_its_own(step);
  }

  BlockToSend one_of_its_own(std::size_t step) {
    const Partners& partners = steps_[step];
    if (planned_[step].send.is_told) return unframed(step);
    mpi::ByteView& view = sending_.emplace_back(partners.send, communicator_);
    view.load_in_pieces();
    const std::span<const std::byte> values = view.bytes();
    auto history = std::make_unique<mpi::SentHistory>();
    const codec::Encoding encoding = encoding_for_peer(partners.send_to, values, *history);
    const bool is_watched = history->is_open();
    BlockToSend block = to_partner(step, encoding, std::move(history));
    if (planned_[step].send.may_be_unframed) look_at(outgoing_kind(step), is_watched, block);
    return block;
  }

  // What is watched is not left as it is: history sees it in its frames.
  void look_at(const policy::MessageKind& kind, bool is_watched, BlockToSend& block) {
    const bool is_encoded = block.encoding.codec->id() != codec::Id::raw;
    block.kind = kind;
    block.promises_gain = is_encoded && !is_watched;
    if (!block.promises_gain) communicator_.unframed.looked_at(kind, !is_watched);
  }

  [[nodiscard]] BlockToSend unframed(std::size_t step) const {
    const Partners& partners = steps_[step];
    BlockToSend block;
    block.peer = partners.send_to;
    block.tag = tag_of(step);
    block.unframed = partners.send;
    block.kind = outgoing_kind(step);
    return block;
  }

  // The next one's receives are posted before the last of this one's.
  [[nodiscard]] int tag_of(std::size_t step) const {
    const bool is_second = plan_.in_background && communicator_.calls % 2 != 0;
    return exchange_tag_of(steps_[step].place, is_second ? Turn::second : Turn::first);
  }
  [[nodiscard]] policy::MessageKind outgoing_kind(std::size_t step) const {
    const Partners& partners = steps_[step];
    return {plan_.operation, partners.send_to, planned_[step].send.bytes, partners.place};
  }
  [[nodiscard]] policy::MessageKind incoming_kind(std::size_t step) const {
    const Partners& partners = steps_[step];
    return {plan_.operation, partners.receive_from, planned_[step].receive.bytes, partners.place};
  }

  // Predicted from nothing: not all partners need have the same messages from before.
  BlockToSend same_to_all(std::size_t step) {
    if (!common_) {
      mpi::ByteView& view = sending_.emplace_back(steps_[step].send, communicator_);
      view.load();
      common_ = encoding_to_all(plan_, view.type(), view.bytes());
      note_sender(*common_);
    }
    BlockToSend block = to_partner(step, common_->encoding, std::make_unique<mpi::SentHistory>());
    block.frames = &frames_;
    return block;
  }

  BlockToSend to_partner(std::size_t step, const codec::Encoding& encoding,
                         std::unique_ptr<mpi::SentHistory> history) {
    const Partners& partners = steps_[step];
    BlockToSend block;
    block.peer = partners.send_to;
    block.values = sending_.back().bytes();
    block.encoding = encoding;
    block.chunks = planned_[step].send.chunks;
    block.tag = tag_of(step);
    block.history = std::move(history);
    return block;
  }

  void note_sender(const SenderEncoding& sender) {
    if (sender.plan.tier == policy::Tier::raw) return;
    sent_compressed_ = true;
    work_.plan = sender.plan;
    work_.largest_bound = std::max(work_.largest_bound, sender.encoding.parameters.error_bound);
  }

  // Of what all get the values stay.
  void encoded(std::size_t step) {
    if (sent_ != Sent::the_same_to_all && !planned_[step].send.is_told) sending_.pop_front();
  }

  // Through shared memory nothing is gained; it goes in frames for its length alone.
  codec::Encoding encoding_for_peer(int peer, std::span<const std::byte> values,
                                    mpi::SentHistory& history) {
    if (!communicator_.across(peer)) {
      return {codec::find(codec::Id::raw), codec::ElementType::bytes, {}};
    }
    const SenderEncoding sender =
        encoding_to_one(plan_, peer, sending_.back().type(), values, history);
    note_sender(sender);
    return sender.encoding;
  }

  std::optional<BlockToReceive> incoming(std::size_t step) {
    const Partners& partners = steps_[step];
    if (planned_[step].receive.form != Form::frames) return std::nullopt;
    const mpi::ByteView& view = receiving_.emplace_back(partners.receive, communicator_);
    BlockToReceive block;
    block.peer = partners.receive_from;
    block.values = view.bytes();
    block.chunks = planned_[step].receive.chunks;
    block.tag = tag_of(step);
    if (planned_[step].receive.may_be_unframed) {
      block.unframed = partners.receive;
      block.expected = communicator_.unframed.expected(incoming_kind(step));
    }
    return block;
  }

  void received(std::size_t step, Arrival arrival) {
    if (planned_[step].receive.may_be_unframed) {
      communicator_.unframed.expect(incoming_kind(step), arrival.next);
    }
    if (!arrival.unframed && !work_.health.failed()) receiving_.front().store();
    receiving_.pop_front();
  }

  const MovementPlan& plan_;
  mpi::Communicator& communicator_;
  const std::vector<Partners>& steps_;
  Work& work_;
  Sent sent_;
  std::optional<SenderEncoding> common_;  // of what all get
  std::vector<EncodedFrame> frames_;      // and its frames
  std::vector<PlannedStep> planned_;
  std::deque<mpi::ByteView> sending_;    // what is to be encoded; or, of what all get, that
  std::deque<mpi::ByteView> receiving_;  // of steps under way, in order
  std::map<std::size_t, IncomingBlock> coming_unframed_;  // by step
  std::deque<OutgoingBlock> leaving_unframed_;
  bool sent_compressed_ = false;
};

}  // namespace

Schedule<> exchange_blocks(const MovementPlan& plan, const std::vector<Partners>& steps, Work& work,
                           Sent sent) {
  BlockExchange exchange(plan, steps, work, sent);
  co_await exchange.run();
}

}  // namespace tightwire::collective
