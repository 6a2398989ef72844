#include "collective/move/exchange.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "collective/history/frame_decoder.h"
#include "collective/history/frame_encoder.h"
#include "collective/transfer/together.h"
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
        slots_(make_slots(communicator, window(message_.chunks), prepare())),
        sizes_(slots_.size()) {}

  [[nodiscard]] std::size_t chunks() const { return message_.chunks; }

  // Until all its frames have left.
  Schedule<> drain() {
    for (Slot& slot : slots_) {
      co_await slot.transferred();
    }
  }

  // That chunk, and the next for which there is room. Returns which is the first of the rest.
  Schedule<std::size_t> send(std::size_t chunk) {
    co_await slot_of(chunk).transferred();
    const PieceRange now = with_next_free(chunk);
    together(
        now, mpi::longest_byte_part(message_.values.size(), message_.chunks),
        [&](std::size_t one) { size_of(one) = make_frame(one, slot_of(one).buffer()); },
        [&](std::size_t one) { send_now(one); });
    co_return now.end;
  }

 private:
  // Returns what a frame needs room for.
  std::size_t prepare() {
    const bool is_encoded = message_.frames != nullptr && !message_.frames->empty();
    if (is_encoded) return std::ranges::max_element(*message_.frames, {}, bytes_in)->size();
    encoder_.emplace(communicator_, message_.values, message_.chunks, message_.encoding,
                     *message_.history);
    return encoder_->capacity();
  }

  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  std::size_t& size_of(std::size_t chunk) { return sizes_[chunk % slots_.size()]; }

  PieceRange with_next_free(std::size_t first) {
    if (encoder_ && !encoder_->is_for_several_threads()) return {first, first + 1};
    const std::size_t end = std::min(message_.chunks, first + slots_.size());
    return with_next(first, end, [this](std::size_t chunk) { return slot_of(chunk).test(); });
  }

  // On any thread.
  std::size_t make_frame(std::size_t chunk, std::span<std::byte> frame) {
    if (encoder_) return encoder_->encode(chunk, communicator_.sequence(chunk), frame);
    std::ranges::copy((*message_.frames)[chunk], frame.begin());
    return (*message_.frames)[chunk].size();
  }

  void send_now(std::size_t chunk) {
    const std::size_t size = size_of(chunk);
    Slot& slot = slot_of(chunk);
    if (encoder_) {
      encoder_->encoded(chunk, size);
      if (message_.frames != nullptr) keep_frame(slot.buffer().first(size));
    }
    slot.send(size, message_.peer, message_.tag);
    traffic_.bytes_before += mpi::byte_range(message_.values.size(), message_.chunks, chunk).count;
    traffic_.bytes_after += size;
  }

  void keep_frame(std::span<const std::byte> frame) {
    message_.frames->emplace_back(frame.begin(), frame.end());
  }

  static std::size_t bytes_in(const EncodedFrame& frame) { return frame.size(); }

  mpi::Communicator& communicator_;
  BlockToSend message_;
  Traffic& traffic_;
  std::optional<FrameEncoder> encoder_;  // none where the frames are there
  std::vector<Slot> slots_;
  std::vector<std::size_t> sizes_;  // by slot
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
        slots_(make_slots(communicator, window(message.chunks), capacity_)),
        sizes_(slots_.size()),
        unpacked_(slots_.size()) {
    for (Slot& slot : slots_) slot.receive(message_.peer, message_.tag);
  }

  [[nodiscard]] std::size_t chunks() const { return message_.chunks; }
  [[nodiscard]] codec::Id tried() const { return tried_; }

  // That chunk, and the next that are here. Returns which is the first of the rest.
  Schedule<std::size_t> take(std::size_t chunk) {
    sizes_[chunk % slots_.size()] = co_await slot_of(chunk).transferred();
    const PieceRange now = with_next_arrived(chunk);
    for (std::size_t one = now.begin; one < now.end; ++one) decoder_.expect(frame(one));
    together(
        now, mpi::longest_byte_part(message_.values.size(), message_.chunks),
        [&](std::size_t one) {
          unpacked(one) = decoder_.decode(frame(one), communicator_.sequence(one), one);
        },
        [&](std::size_t one) { taken(one); });
    co_return now.end;
  }

 private:
  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  wire::Unpacked& unpacked(std::size_t chunk) { return unpacked_[chunk % slots_.size()]; }
  // One that is too long is as good as none.
  std::span<const std::byte> frame(std::size_t chunk) {
    const std::size_t size = sizes_[chunk % slots_.size()];
    return slot_of(chunk).buffer().first(size > capacity_ ? 0 : size);
  }

  PieceRange with_next_arrived(std::size_t first) {
    const std::size_t end = std::min(message_.chunks, first + slots_.size());
    const PieceRange now =
        with_next(first, end, [this](std::size_t chunk) { return slot_of(chunk).test(); });
    for (std::size_t chunk = first + 1; chunk < now.end; ++chunk) {
      sizes_[chunk % slots_.size()] = slot_of(chunk).wait();
    }
    return now;
  }

  void taken(std::size_t chunk) {
    decoder_.decoded(chunk, unpacked(chunk));
    if (health_.note(unpacked(chunk), communicator_.program_rank(message_.peer),
                     communicator_.sequence(chunk)))
      tried_ = unpacked(chunk).tried;
    if (chunk + slots_.size() < message_.chunks)
      slot_of(chunk).receive(message_.peer, message_.tag);
  }

  const mpi::Communicator& communicator_;
  BlockToReceive message_;
  mpi::Health& health_;
  FrameDecoder decoder_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  // By slot: of the frame, and what came out of it.
  std::vector<std::size_t> sizes_;
  std::vector<wire::Unpacked> unpacked_;
  codec::Id tried_ = codec::Id::raw;
};

// Chunks of both directions in turn, so that neither waits for the other.
Schedule<> do_step(Sending* sending, Receiving* receiving) {
  const std::size_t out = sending != nullptr ? sending->chunks() : 0;
  const std::size_t in = receiving != nullptr ? receiving->chunks() : 0;
  std::size_t sent = 0;
  std::size_t taken = 0;
  while (sent < out || taken < in) {
    if (sent < out) {
      sent = co_await sending->send(sent);
    }
    if (taken < in) {
      taken = co_await receiving->take(taken);
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
