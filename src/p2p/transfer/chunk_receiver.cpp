#include "p2p/transfer/chunk_receiver.h"

#include <algorithm>

#include "mpi/byte_parts.h"
#include "mpi/error.h"
#include "mpi/progress/wait.h"
#include "mpi/status.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/message_pool.h"
#include "runtime/crew/together.h"
#include "runtime/report/phase.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

// Places for chunks: enough to keep the link and the threads busy, little memory.
std::size_t window(std::size_t chunks) {
  return std::min(chunks, std::max<std::size_t>(4, runtime::places_together(chunks)));
}

// Frames that are asked for together arrive together, and what asks for more stands in line behind
// what is sent the other way: so where this rank sends as well, more bytes at once would go one way
// after the other (docs/dev/performance.md, "Both ways at once").
constexpr std::size_t asked_for_at_once = std::size_t{128} << 10;

bool sends_as_well() {
  constexpr std::size_t enough = std::size_t{128} << 10;
  return deferred_sends().bytes_under_way() >= enough;
}

}  // namespace

ChunkReceiver::ChunkReceiver(const Origin& origin, std::size_t chunks, const Target& target)
    : origin_(origin),
      turn_(origin.world_rank),
      chunks_(chunks),
      target_(target),
      may_ask_(turn_.is_first()),
      slots_(window(chunks - 1)) {
  const std::size_t longest = mpi::longest_byte_part(target.size, chunks);
  for (Slot& slot : slots_) {
    slot.memory = message_pool().insist(wire::max_frame_size(longest));
    if (target.buffer != nullptr) slot.values = message_pool().insist(longest);
  }
  post_ahead();
}

std::size_t ChunkReceiver::most_ahead() const {
  if (!sends_as_well()) return slots_.size();
  if (!may_ask_) return 0;
  const std::size_t few = asked_for_at_once / std::max<std::size_t>(origin_.frame_bytes, 1);
  return std::clamp<std::size_t>(few, 1, slots_.size());
}

void ChunkReceiver::post_ahead() {
  const std::size_t end = std::min({chunks_, next_ + most_ahead(), decoded_ + slots_.size()});
  for (; posted_ < end; ++posted_) post(posted_);
}

void ChunkReceiver::post(std::size_t chunk) {
  Slot& slot = slot_of(chunk);
  const std::span<std::byte> room = slot.memory.bytes();
  mpi::check(PMPI_Irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE, origin_.world_rank,
                        origin_.tag, channel().comm(), &slot.request));
}

bool ChunkReceiver::advance(bool wait) {
  const std::size_t longest = mpi::longest_byte_part(target_.size, chunks_);
  may_ask_ = !sends_as_well() || turn_.has_come() || wait;
  while (next_ < chunks_) {
    if (sends_as_well()) deferred_sends().reap();  // what has left counts no more
    post_ahead();
    if (posted_ == next_ || !arrived(next_, wait)) return false;
    const std::size_t first = next_;
    take_next();
    // More than one only if several threads can decode them.
    const std::size_t most = runtime::places_together(std::min(slots_.size(), chunks_ - first));
    const auto is_next_there = [this] { return arrived(next_, false); };
    while (next_ < std::min(first + most, posted_) &&
           runtime::is_there_soon(longest, is_next_there)) {
      take_next();
    }
    const std::size_t here = next_ - first;
    runtime::work_together({here, here, [&](std::size_t item) { decode(first + item); },
                            [&](std::size_t item) { decoded(first + item); }},
                           here * longest);
  }
  return true;
}

void ChunkReceiver::take_next() {
  ++next_;
  post_ahead();
}

bool ChunkReceiver::arrived(std::size_t chunk, bool wait) {
  Slot& slot = slot_of(chunk);
  MPI_Status status;
  int here = 1;
  const int code =
      wait ? mpi::wait(&slot.request, &status) : mpi::test(&slot.request, &here, &status);
  slot.problem.reset();
  // Longer than any chunk; those behind it are taken all the same.
  if (code != MPI_SUCCESS) {
    slot.problem = wire::Problem::truncated;
    return true;
  }
  if (here != 0) slot.size = origin_.frame_bytes = mpi::bytes_of(status);
  return here != 0;
}

std::optional<wire::Problem> ChunkReceiver::unpack(std::span<const std::byte> frame,
                                                   std::size_t chunk, const mpi::Part& part,
                                                   std::span<std::byte> values) const {
  const auto sequence = static_cast<std::uint32_t>(chunk);
  if (target_.history == nullptr) {
    return wire::unpack(frame, std::nullopt, sequence, values).problem;
  }
  const codec::ReferenceParts references = target_.history->references(part.begin, part.count);
  return wire::unpack(frame, std::nullopt, sequence, values, references.all()).problem;
}

void ChunkReceiver::decode(std::size_t chunk) {
  Slot& slot = slot_of(chunk);
  slot.is_last = false;
  const bool wanted = target_.buffer != nullptr || !target_.memory.empty();
  if (slot.problem || !wanted) return;
  const mpi::Part part = mpi::byte_range(target_.size, chunks_, chunk);
  const std::span<std::byte> values = target_.buffer != nullptr
                                          ? slot.values.bytes().first(part.count)
                                          : target_.memory.subspan(part.begin, part.count);
  const auto frame = slot.memory.bytes().first(slot.size);
  {
    const runtime::MessagePhase phase(runtime::Phase::decode, part.count);
    slot.problem = unpack(frame, chunk, part, values);
  }
  // A frame whose place is told has the right checksum.
  slot.is_last =
      slot.problem == wire::Problem::out_of_order && wire::sequence_of(frame) == chunks_ - 1;
  if (!slot.problem && target_.buffer != nullptr) target_.buffer->write_part(part.begin, values);
}

void ChunkReceiver::decoded(std::size_t chunk) {
  const Slot& slot = slot_of(chunk);
  if (!problem_) problem_ = slot.problem;
  if (!problem_ && target_.pieces != nullptr) {
    target_.pieces->written(mpi::byte_part(target_.memory, chunks_, chunk));
  }
  if (slot.is_last) return give_up();
  if (next_ == chunks_) return;
  decoded_ = chunk + 1;
  post_ahead();
}

// Chunks come in order, so one that should have come before the last never will.
void ChunkReceiver::give_up() {
  for (Slot& slot : slots_) {
    if (slot.request == MPI_REQUEST_NULL) continue;
    PMPI_Cancel(&slot.request);
    PMPI_Wait(&slot.request, MPI_STATUS_IGNORE);
  }
  next_ = chunks_;
}

}  // namespace tightwire::p2p
