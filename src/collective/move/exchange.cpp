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
    const std::size_t size = make_frame(chunk, slot.buffer());
    slot.send(size, message_.peer, message_.tag);
    traffic_.bytes_before += mpi::byte_range(message_.values.size(), message_.chunks, chunk).count;
    traffic_.bytes_after += size;
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

  std::size_t make_frame(std::size_t chunk, std::span<std::byte> frame) {
    if (!encoder_) {
      std::ranges::copy((*message_.frames)[chunk], frame.begin());
      return (*message_.frames)[chunk].size();
    }
    const std::size_t size = encoder_->encode(chunk, communicator_.sequence(chunk), frame);
    if (message_.frames != nullptr) {
      message_.frames->emplace_back(frame.begin(),
                                    frame.begin() + static_cast<std::ptrdiff_t>(size));
    }
    return size;
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

// Chunks of both directions in turn, so that neither waits for the other.
Schedule<> do_step(Sending* sending, Receiving* receiving) {
  const std::size_t out = sending != nullptr ? sending->chunks() : 0;
  const std::size_t in = receiving != nullptr ? receiving->chunks() : 0;
  for (std::size_t chunk = 0; chunk < std::max(out, in); ++chunk) {
    if (chunk < out) {
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
  std::unique_ptr<Receiving> next = steps.count > 0 ? post(0) : nullptr;
  for (int step = 0; step < steps.count; ++step) {
    const std::unique_ptr<Receiving> receiving = std::move(next);
    if (step + 1 < steps.count) next = post(step + 1);
    std::optional<BlockToSend> message = steps.outgoing(step);
    auto sending =
        message ? std::make_unique<Sending>(communicator, std::move(*message), traffic) : nullptr;
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
