#include "collective/move/exchange.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "collective/history/frame_decoder.h"
#include "collective/history/frame_encoder.h"
#include "mpi/byte_parts.h"

namespace tightwire::collective {
namespace {

// One outgoing message: its frames are in flight until it is destroyed.
class Sending {
 public:
  Sending(mpi::Communicator& communicator, BlockToSend message, Traffic& traffic)
      : communicator_(communicator),
        message_(std::move(message)),
        traffic_(traffic),
        slots_(make_slots(communicator, std::min(window, message_.chunks), prepare())) {}

  [[nodiscard]] std::size_t chunks() const { return message_.chunks; }

  // Until all its frames have left.
  Schedule<> drain() {
    for (Slot& slot : slots_) {
      co_await slot.transferred();
    }
  }

  Schedule<> send(std::size_t chunk) {
    Slot& slot = slots_[chunk % slots_.size()];
    co_await slot.transferred();
    const std::span<const std::byte> values =
        mpi::byte_part(message_.values, message_.chunks, chunk);
    const std::span<const std::byte> message = to_send(chunk, values, slot.buffer());
    slot.send(message, message_.peer, message_.tag);
    traffic_.bytes_before += values.size();
    traffic_.bytes_after += message.size();
  }

 private:
  // Returns what a frame needs room for.
  std::size_t prepare() {
    const bool is_encoded = message_.frames != nullptr && !message_.frames->empty();
    if (is_encoded) return std::ranges::max_element(*message_.frames, {}, size_of)->size();
    encoder_.emplace(communicator_, message_.values, message_.chunks, message_.encoding,
                     *message_.history);
    return encoder_->capacity();
  }

  std::span<const std::byte> to_send(std::size_t chunk, std::span<const std::byte> values,
                                     std::span<std::byte> room) {
    if (!encoder_) {
      const EncodedFrame& frame = (*message_.frames)[chunk];
      if (frame.empty()) return values;
      std::ranges::copy(frame, room.begin());
      return room.first(frame.size());
    }
    const std::span<const std::byte> message =
        encoder_->encode(chunk, communicator_.sequence(chunk), room);
    if (message_.frames != nullptr) {
      const bool bare = message.data() == values.data();
      message_.frames->push_back(bare ? EncodedFrame{}
                                      : EncodedFrame{message.begin(), message.end()});
    }
    return message;
  }

  static std::size_t size_of(const EncodedFrame& frame) { return frame.size(); }

  mpi::Communicator& communicator_;
  BlockToSend message_;
  Traffic& traffic_;
  std::optional<FrameEncoder> encoder_;  // none where the frames are there
  std::vector<Slot> slots_;
};

// One incoming message: its first receives are posted when it is made.
class Receiving {
 public:
  Receiving(mpi::Communicator& communicator, const BlockToReceive& message, mpi::Health& health)
      : communicator_(communicator),
        message_(message),
        health_(health),
        decoder_(communicator, message.peer, message.values, message.chunks),
        capacity_(decoder_.capacity()),
        slots_(make_slots(communicator, std::min(window, message.chunks), capacity_)) {
    for (Slot& slot : slots_) slot.receive(message_.peer, message_.tag);
  }

  [[nodiscard]] std::size_t chunks() const { return message_.chunks; }
  [[nodiscard]] codec::Id tried() const { return tried_; }

  Schedule<> take(std::size_t chunk) {
    Slot& slot = slots_[chunk % slots_.size()];
    const std::size_t size = co_await slot.transferred();
    // One that is too long is as good as none.
    const std::span<std::byte> frame = slot.buffer().first(size > capacity_ ? 0 : size);
    const std::uint32_t sequence = communicator_.sequence(chunk);
    const wire::Unpacked unpacked = decoder_.decode(frame, sequence, chunk);
    if (health_.note(unpacked, communicator_.program_rank(message_.peer), sequence))
      tried_ = unpacked.tried;
    if (chunk + slots_.size() < message_.chunks) slot.receive(message_.peer, message_.tag);
  }

 private:
  const mpi::Communicator& communicator_;
  BlockToReceive message_;
  mpi::Health& health_;
  FrameDecoder decoder_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  codec::Id tried_ = codec::Id::raw;
};

// Chunks of both directions in turn, so that neither waits for the other. The first one to send has
// been sent.
Schedule<> do_step(Sending* sending, Receiving* receiving) {
  const std::size_t out = sending != nullptr ? sending->chunks() : 0;
  const std::size_t in = receiving != nullptr ? receiving->chunks() : 0;
  for (std::size_t chunk = 0; chunk < std::max(out, in); ++chunk) {
    if (chunk > 0 && chunk < out) {
      co_await sending->send(chunk);
    }
    if (chunk < in) {
      co_await receiving->take(chunk);
    }
  }
}

}  // namespace

Schedule<codec::Id> exchange(mpi::Communicator& communicator, const Steps& steps,
                             mpi::Health& health, Traffic& traffic) {
  ++communicator.calls;
  codec::Id tried = codec::Id::raw;
  const auto post = [&](int step) {
    const std::optional<BlockToReceive> message = steps.incoming(step);
    return message ? std::make_unique<Receiving>(communicator, *message, health) : nullptr;
  };
  std::unique_ptr<Sending> previous;  // still on its way while the next step begins
  std::optional<BlockToSend> message;
  std::unique_ptr<Receiving> next;
  // Looking at what is sent may ask MPI, which must not find a receive of the same step then: what
  // crosses would wait for what comes the other way.
  const auto prepare = [&](int step) {
    if (step == steps.count) return;
    message = steps.outgoing(step);
    next = post(step);
  };
  prepare(0);
  for (int step = 0; step < steps.count; ++step) {
    const std::unique_ptr<Receiving> receiving = std::move(next);
    auto sending =
        message ? std::make_unique<Sending>(communicator, std::move(*message), traffic) : nullptr;
    if (sending != nullptr) {
      co_await sending->send(0);
    }
    prepare(step + 1);
    co_await do_step(sending.get(), receiving.get());
    if (receiving != nullptr) {
      tried = receiving->tried();
      steps.received(step);
    }
    if (previous != nullptr) {
      co_await previous->drain();
    }
    previous = std::move(sending);
  }
  if (previous != nullptr) {
    co_await previous->drain();
  }
  co_return tried;
}

}  // namespace tightwire::collective
