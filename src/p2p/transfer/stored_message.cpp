// Messages that go as stored frames: their own bytes but for the last ones, which follow.
#include <algorithm>
#include <span>

#include "mpi/buffer_pool.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/sequence_numbers.h"
#include "p2p/transfer/incoming.h"
#include "p2p/transfer/outgoing.h"
#include "wire/trailer.h"

namespace tightwire::p2p {

void Outgoing::store(std::size_t length) {
  const std::span<const std::byte> values = values_.all();
  const std::size_t end = wire::end_size(history_.to_keep());
  const std::size_t kept = length - end;
  tag_ = channel().next_tag();
  trailing_ = values.size() - kept;
  const wire::Trailer trailer{wire::FrameKind::stored,
                              codec::Id::raw,
                              codec::ElementType::bytes,
                              codec::Id::raw,
                              values_.size(),
                              kept,
                              tag_,
                              0,
                              sequence_numbers().next(world_rank_),
                              history_.to_keep()};
  memory_ = message_pool().insist(end);
  write_end(memory_.bytes(), trailer, {});
  segments_ = mpi::ByteSegments(values.first(kept), memory_.bytes());
}

void Outgoing::post_trailing_bytes() {
  const auto last = values_.all().last(trailing_);
  const auto memory = message_pool().insist(wire::trailing_size(last.size()));
  wire::write_trailing_bytes(last, tag_, memory.bytes());
  deferred_sends().post(memory.bytes(), world_rank_, static_cast<int>(tag_));
  trailing_ = 0;
}

// Puts the trailing bytes behind what the frame holds.
void Incoming::restore(const wire::Trailer& trailer, std::span<const std::byte> frame, int source) {
  const auto memory =
      message_pool().insist(wire::trailing_size(trailer.value_bytes - trailer.payload_bytes));
  const std::span<std::byte> trailing = memory.bytes();
  const int code = PMPI_Recv(trailing.data(), static_cast<int>(trailing.size()), MPI_BYTE,
                             route_->world_rank(source), static_cast<int>(trailer.tag),
                             channel().comm(), MPI_STATUS_IGNORE);
  if (truncated_) return;
  if (code != MPI_SUCCESS) {
    note(wire::Problem::truncated);
    return;
  }
  const auto last = wire::read_trailing_bytes(trailing, trailer.tag);
  if (!last) {
    note(wire::Problem::checksum);
    return;
  }
  if (memory_ && memory_.bytes().size() < size_) {
    mpi::BufferPool::Lease longer = message_pool().insist(size_);
    std::copy(frame.begin(), frame.end(), longer.bytes().begin());
    memory_ = std::move(longer);
  }
  const std::span<std::byte> whole = message();
  std::copy(last->begin(), last->end(), whole.last(last->size()).begin());
  if (memory_) buffer_.write(whole);
}

}  // namespace tightwire::p2p
