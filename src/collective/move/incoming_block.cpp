#include "collective/move/incoming_block.h"

#include <algorithm>
#include <thread>

#include "wire/frame.h"

namespace tightwire::collective {
namespace {

// What comes from a rank behind a frame that says nothing, being damaged: another frame, or values
// without. Messages of a rank are seen in the order in which they were sent.
class WhatFollows final : public Transfer {
 public:
  WhatFollows(const mpi::Communicator& communicator, int peer, int tag)
      : communicator_(communicator), peer_(peer), tag_(tag) {}

  [[nodiscard]] Awaiting<WhatFollows> here() { return {*this}; }
  // A frame decides: values that are seen before it would be those of a later block.
  [[nodiscard]] bool test() override {
    const bool values = is_here(unframed_tag(tag_));
    const bool frame = is_here(tag_);
    is_unframed_ = values && !frame;
    return values || frame;
  }
  void wait() {
    while (!test()) std::this_thread::yield();
  }
  [[nodiscard]] bool is_unframed() const { return is_unframed_; }

 private:
  [[nodiscard]] bool is_here(int tag) const {
    int flag = 0;
    mpi::check(PMPI_Iprobe(communicator_.address(peer_), communicator_.tag(tag), communicator_.comm,
                           &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }

  const mpi::Communicator& communicator_;
  int peer_;
  int tag_;
  bool is_unframed_ = false;
};

}  // namespace

IncomingBlock::IncomingBlock(mpi::Communicator& communicator, const BlockToReceive& message,
                             mpi::Health& health)
    : communicator_(communicator),
      message_(message),
      health_(health),
      decoder_(communicator, message.peer, message.values, message.chunks),
      // Of a message without frames there is the one in front.
      capacity_(is_unframed() ? wire::header_size : decoder_.capacity()),
      slots_(make_slots(communicator, is_unframed() ? 1 : window(message.chunks), capacity_)),
      sizes_(slots_.size()),
      unpacked_(slots_.size()),
      values_(communicator, unframed_tag(message.tag)) {
  decoder_.decode_on(message_.on_device);
  const std::size_t first = message_.expected == Next::in_frames ? slots_.size() : 1;
  for (std::size_t i = 0; i < first; ++i) slots_[i].receive(message_.peer, message_.tag);
  if (is_unframed()) values_.receive(*message_.unframed, message_.peer);
}

Schedule<std::size_t> IncomingBlock::take(std::size_t chunk) {
  sizes_[chunk % slots_.size()] = co_await slot_of(chunk).transferred();
  if (message_.expected == Next::unknown) {
    co_await find_out();
  }
  if (is_unframed()) {
    take_notice();
    co_return chunks();
  }
  const PieceRange now = with_next_arrived(chunk);
  decode(now);
  co_return now.end;
}

// By the first frame, which is here, or by what comes behind it.
Schedule<> IncomingBlock::find_out() {
  if (co_await values_follow()) {
    message_.expected = Next::unframed;
    values_.receive(*message_.unframed, message_.peer);
  } else {
    message_.expected = Next::in_frames;
    for (std::size_t i = 1; i < slots_.size(); ++i) slots_[i].receive(message_.peer, message_.tag);
  }
}

Schedule<bool> IncomingBlock::values_follow() {
  if (const auto kind = wire::kind_of(frame(0), communicator_.sequence(0))) {
    co_return *kind == wire::Kind::unframed;
  }
  WhatFollows following(communicator_, message_.peer, message_.tag);
  co_await following.here();
  co_return following.is_unframed();
}

void IncomingBlock::take_notice() {
  const wire::UnframedNotice notice =
      wire::open_unframed(frame(0), message_.unframed->bytes(), communicator_.sequence(0));
  if (note(0, {notice.problem, {}, codec::Id::raw})) {
    next_ = notice.next ? Next::unframed : Next::in_frames;
  }
}

Schedule<> IncomingBlock::drain() {
  co_await values_.transferred();
}

void IncomingBlock::decode(PieceRange now) {
  for (std::size_t one = now.begin; one < now.end; ++one) decoder_.expect(frame(one));
  together(
      now, chunk_bytes(),
      [&](std::size_t one) {
        unpacked(one) = decoder_.decode(frame(one), communicator_.sequence(one), one);
      },
      [&](std::size_t one) { taken(one); });
}

std::span<const std::byte> IncomingBlock::frame(std::size_t chunk) {
  const std::size_t size = sizes_[chunk % slots_.size()];
  return slot_of(chunk).buffer().first(size > capacity_ ? 0 : size);
}

PieceRange IncomingBlock::with_next_arrived(std::size_t first) {
  const std::size_t end = std::min(message_.chunks, first + slots_.size());
  const PieceRange now = with_next(first, end, chunk_bytes(),
                                   [this](std::size_t chunk) { return slot_of(chunk).test(); });
  for (std::size_t chunk = first + 1; chunk < now.end; ++chunk) {
    sizes_[chunk % slots_.size()] = slot_of(chunk).wait();
  }
  return now;
}

bool IncomingBlock::note(std::size_t chunk, const wire::Unpacked& unpacked) {
  return health_.note(unpacked, communicator_.program_rank(message_.peer),
                      communicator_.sequence(chunk));
}

void IncomingBlock::taken(std::size_t chunk) {
  decoder_.decoded(chunk, unpacked(chunk));
  if (note(chunk, unpacked(chunk))) {
    tried_ = unpacked(chunk).tried;
    if (chunk == 0) next_ = wire::next_is_unframed(frame(0)) ? Next::unframed : Next::in_frames;
  }
  if (chunk + slots_.size() < message_.chunks) slot_of(chunk).receive(message_.peer, message_.tag);
}

}  // namespace tightwire::collective
