#include "collective/move/outgoing_block.h"

#include <algorithm>
#include <utility>

#include "wire/frame.h"

namespace tightwire::collective {

OutgoingBlock::OutgoingBlock(mpi::Communicator& communicator, BlockToSend message, Traffic& traffic)
    : communicator_(communicator),
      message_(std::move(message)),
      traffic_(traffic),
      slots_(make_slots(communicator, message_.unframed ? 1 : window(message_.chunks), prepare())),
      sizes_(slots_.size()),
      values_(communicator, unframed_tag(message_.tag)) {}

std::size_t OutgoingBlock::prepare() {
  if (message_.unframed) return wire::header_size;
  const auto bytes_in = [](const EncodedFrame& frame) { return frame.size(); };
  const bool is_encoded = message_.frames != nullptr && !message_.frames->empty();
  if (is_encoded) return std::ranges::max_element(*message_.frames, {}, bytes_in)->size();
  encoder_.emplace(communicator_, message_.values, message_.chunks, message_.encoding,
                   *message_.history, message_.on_device);
  return encoder_->capacity();
}

Schedule<std::size_t> OutgoingBlock::send(std::size_t chunk) {
  if (message_.unframed) {
    send_unframed();
    co_return chunks();
  }
  co_await slot_of(chunk).transferred();
  const PieceRange now = with_next_free(chunk);
  together(
      now, chunk_bytes(), [&](std::size_t one) { make_frame(one); },
      [&](std::size_t one) { send_now(one); });
  co_return now.end;
}

void OutgoingBlock::send_at_once(std::span<OutgoingBlock* const> blocks) {
  struct Piece {
    OutgoingBlock* block;
    std::size_t chunk;
  };
  std::vector<Piece> pieces;
  std::size_t bytes = 0;
  for (OutgoingBlock* const block : blocks) {
    bytes += block->bytes();
    for (std::size_t chunk = 0; chunk < block->chunks(); ++chunk) pieces.push_back({block, chunk});
  }
  runtime::work_together(
      {pieces.size(), pieces.size(),
       [&](std::size_t item) { pieces[item].block->make_frame(pieces[item].chunk); },
       [&](std::size_t item) { pieces[item].block->send_now(pieces[item].chunk); }},
      bytes);
}

Schedule<> OutgoingBlock::drain() {
  for (Slot& slot : slots_) {
    co_await slot.transferred();
  }
  co_await values_.transferred();
}

// Synchronously, so that no frame of a later block is taken for one of this where the frame in
// front of it is damaged.
void OutgoingBlock::send_unframed() {
  Slot& slot = slots_.front();
  const std::size_t bytes = message_.unframed->bytes();
  wire::write_unframed(slot.buffer(), bytes, communicator_.sequence(0), is_next_unframed());
  slot.send(wire::header_size, message_.peer, message_.tag);
  values_.send_synchronously(*message_.unframed, message_.peer);
  traffic_.bytes_before += bytes;
  traffic_.bytes_after += wire::header_size + bytes;
}

PieceRange OutgoingBlock::with_next_free(std::size_t first) {
  if (encoder_ && !encoder_->is_for_several_threads()) return {first, first + 1};
  const std::size_t end = std::min(message_.chunks, first + slots_.size());
  return with_next(first, end, chunk_bytes(),
                   [this](std::size_t chunk) { return slot_of(chunk).test(); });
}

void OutgoingBlock::make_frame(std::size_t chunk) {
  const std::span<std::byte> room = slot_of(chunk).buffer();
  if (encoder_) {
    size_of(chunk) = encoder_->encode(chunk, communicator_.sequence(chunk), room);
    return;
  }
  const EncodedFrame& frame = (*message_.frames)[chunk];
  std::ranges::copy(frame, room.begin());
  size_of(chunk) = frame.size();
}

void OutgoingBlock::send_now(std::size_t chunk) {
  const std::size_t size = size_of(chunk);
  Slot& slot = slot_of(chunk);
  if (encoder_) {
    encoder_->encoded(chunk, size);
    if (message_.frames != nullptr) {
      const std::span<const std::byte> frame = slot.buffer().first(size);
      message_.frames->emplace_back(frame.begin(), frame.end());
    }
  }
  if (message_.promises_gain) note_gain(chunk, size);
  if (chunk == 0 && is_next_unframed()) wire::tell_next_unframed(slot.buffer().first(size));
  slot.send(size, message_.peer, message_.tag);
  traffic_.bytes_before += mpi::byte_range(message_.values.size(), message_.chunks, chunk).count;
  traffic_.bytes_after += size;
}

void OutgoingBlock::note_gain(std::size_t chunk, std::size_t size) {
  const std::size_t bytes = message_.values.size();
  bytes_after_ += size;
  policy::UnframedMessages& unframed = communicator_.unframed;
  if (chunk == 0) {
    unframed.begins(*message_.kind, size >= mpi::byte_range(bytes, message_.chunks, 0).count);
  }
  if (chunk + 1 == message_.chunks) unframed.came_to(*message_.kind, bytes_after_ >= bytes);
}

bool OutgoingBlock::is_next_unframed() const {
  return message_.kind && communicator_.unframed.is_next_told(*message_.kind);
}

}  // namespace tightwire::collective
