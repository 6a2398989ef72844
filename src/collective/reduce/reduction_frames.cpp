#include "collective/reduce/reduction_frames.h"

#include <algorithm>

namespace tightwire::collective {
namespace {

// Of own values that are not to be had.
constexpr FrameReducer::Merged not_here{{wire::Problem::undecodable, {}, {}}, 0};

}  // namespace

ReductionMessage message_of(const ReductionPlan& plan, const mpi::Buffer& result) {
  const Reduction& reduction = plan.reduction;
  return {reduction.values(), result.host_bytes(), reduction.type.item_size, plan.segments,
          plan.chunks};
}

ReductionMessage message_in_pieces(const ReductionPlan& plan, const mpi::Buffer& result) {
  const Reduction& reduction = plan.reduction;
  const std::size_t received = result.bytes();
  ReductionMessage message{
      reduction.values_in_pieces(),
      received > 0 ? std::span(result.host_in_pieces(), received) : std::span<std::byte>(),
      reduction.type.item_size, plan.segments, plan.chunks};
  message.own_pieces = mpi::pieces_at(message.own.data());
  message.result_pieces = mpi::pieces_at(message.result.data());
  return message;
}

ReductionFrames::ReductionFrames(mpi::Communicator& communicator, FrameReducer& reducer,
                                 const ReductionMessage& message, mpi::Health& health,
                                 Traffic& traffic)
    : communicator_(communicator),
      reducer_(reducer),
      message_(message),
      health_(health),
      traffic_(traffic),
      chunk_bytes_(mpi::longest_part(mpi::longest_of(message.segments), message.chunks) *
                   message.item_size),
      capacity_(reducer.max_frame_size(chunk_bytes_)) {
  if (message.sums != nullptr) capacity_ += wire::history_size;
}

std::span<const std::byte> ReductionFrames::own(ChunkPlace place) const {
  const mpi::Part part = items(place);
  return message_.own.subspan(part.begin * message_.item_size, part.count * message_.item_size);
}

std::span<std::byte> ReductionFrames::result_at(std::size_t begin, ChunkPlace place) const {
  if (message_.result.empty()) return {};
  return message_.result.subspan(begin * message_.item_size,
                                 items(place).count * message_.item_size);
}

std::size_t ReductionFrames::start(ChunkPlace place, Slot& out) const {
  if (!is_here(place)) {
    const int self = communicator_.program_rank(communicator_.rank);
    return wire::write_failure(out.buffer(), sequence(place),
                               {static_cast<std::uint32_t>(self), wire::Problem::undecodable});
  }
  return reducer_.start(own(place), sequence(place), out.buffer());
}

std::optional<std::span<const std::byte>> ReductionFrames::plain_frame(const Slot& in,
                                                                       std::size_t received) const {
  if (!reducer_.merges_anywhere() || received > in.buffer().size()) return std::nullopt;
  const std::span<const std::byte> frame = in.buffer().first(received);
  if (is_remembered(frame)) return std::nullopt;
  return frame;
}

ReductionFrames::Made ReductionFrames::merge_anywhere(ChunkPlace place, const Slot& in,
                                                      std::size_t received, Slot& out) const {
  const auto frame = plain_frame(in, received);
  if (!frame) return std::nullopt;
  if (!is_here(place)) return not_here;
  return reducer_.merge(*frame, own(place), sequence(place), out.buffer());
}

ReductionFrames::Made ReductionFrames::complete_anywhere(ChunkPlace place, const Slot& in,
                                                         std::size_t received, Slot* out,
                                                         std::span<std::byte> values) const {
  const auto frame = plain_frame(in, received);
  if (!frame) return std::nullopt;
  if (!is_here(place)) return not_here;
  const auto made = out != nullptr ? out->buffer() : std::span<std::byte>();
  return reducer_.complete(*frame, own(place), sequence(place), made, values);
}

ReductionFrames::Combined ReductionFrames::combine_anywhere(ChunkPlace place, HeldFrame first,
                                                            HeldFrame second, Slot& out) const {
  if (!reducer_.merges_anywhere()) return std::nullopt;
  return reducer_.combine(first.bytes, second.bytes, own(place).size(), sequence(place),
                          out.buffer());
}

ReductionFrames::Decoded ReductionFrames::finish_anywhere(ChunkPlace place, HeldFrame frame,
                                                          std::span<std::byte> values) const {
  if (is_remembered(frame.bytes)) return std::nullopt;
  return reducer_.finish(frame.bytes, sequence(place), values);
}

std::size_t ReductionFrames::merge(ChunkPlace place, const Slot& in, std::size_t received,
                                   int sender, Slot& out, const Made& made) {
  if (made) return settle(place, *made, sender, out);
  if (received > in.buffer().size()) {
    return settle(place, {{wire::Problem::truncated, {}, {}}, 0}, sender, out);
  }
  if (!is_here(place)) return settle(place, not_here, sender, out);
  const std::span<const std::byte> frame = in.buffer().first(received);
  const FrameReducer::Merged merged =
      is_remembered(frame)
          ? message_.sums->merge(frame, sender, own(place), sequence(place), out.buffer())
          : reducer_.merge(frame, own(place), sequence(place), out.buffer());
  return settle(place, merged, sender, out);
}

std::size_t ReductionFrames::complete(ChunkPlace place, const Slot& in, std::size_t received,
                                      int sender, Slot* out, std::span<std::byte> values,
                                      const Made& made) {
  FrameReducer::Merged completed{{wire::Problem::truncated, {}, {}}, 0};
  if (made) {
    completed = *made;
  } else if (!is_here(place)) {
    completed = not_here;
  } else if (received <= in.buffer().size()) {
    const std::span<const std::byte> frame = in.buffer().first(received);
    const auto room = out != nullptr ? out->buffer() : std::span<std::byte>();
    completed =
        is_remembered(frame)
            ? message_.sums->complete(frame, sender, own(place), sequence(place), room, values)
            : reducer_.complete(frame, own(place), sequence(place), room, values);
  }
  if (!completed.incoming.problem) written(values);
  if (out != nullptr) return settle(place, completed, sender, *out);
  note(place, completed.incoming, sender);
  return 0;
}

std::size_t ReductionFrames::combine(ChunkPlace place, HeldFrame first, HeldFrame second, Slot& out,
                                     const Combined& made) {
  const FrameReducer::Combined combined =
      made ? *made
           : reducer_.combine(first.bytes, second.bytes, own(place).size(), sequence(place),
                              out.buffer());
  note(place, combined.second, second.sender);
  return settle(place, {combined.first, combined.size}, first.sender, out);
}

std::size_t ReductionFrames::accept(ChunkPlace place, Slot& slot, std::size_t received,
                                    int sender) {
  if (received <= slot.buffer().size()) return received;
  return settle(place, {{wire::Problem::truncated, {}, {}}, 0}, sender, slot);
}

SumHistory::Outgoing ReductionFrames::outgoing(ChunkPlace place, Slot& slot,
                                               std::size_t size) const {
  return {slot.buffer(), size, own(place).size(), sequence(place),
          place.segment * message_.chunks + place.chunk};
}

std::size_t ReductionFrames::remember(ChunkPlace place, Slot& slot, std::size_t size,
                                      int receiver) {
  if (message_.sums == nullptr) return size;
  return message_.sums->remember(outgoing(place, slot, size), receiver);
}

std::size_t ReductionFrames::remember_for_all(ChunkPlace place, Slot& slot, std::size_t size,
                                              std::span<const std::byte> values) {
  if (message_.sums == nullptr) return size;
  return message_.sums->remember_for_all(outgoing(place, slot, size), values);
}

void ReductionFrames::send(ChunkPlace place, Slot& slot, std::size_t size, int destination,
                           int tag) {
  count_sent(place, size);
  slot.send(size, destination, tag);
}

void ReductionFrames::count_sent(ChunkPlace place, std::size_t size) {
  traffic_.bytes_before += own(place).size();
  traffic_.bytes_after += size;
}

void ReductionFrames::finish(ChunkPlace place, HeldFrame frame, std::span<std::byte> values,
                             const Decoded& decoded) {
  const wire::Unpacked state =
      decoded ? *decoded
      : is_remembered(frame.bytes)
          ? message_.sums->finish(frame.bytes, static_cast<int>(place.segment), sequence(place),
                                  values)
          : reducer_.finish(frame.bytes, sequence(place), values);
  if (note(place, state, frame.sender)) written(values);
}

bool ReductionFrames::note(ChunkPlace place, const wire::Unpacked& state, int sender) {
  return health_.note(state, communicator_.program_rank(sender), sequence(place));
}

std::size_t ReductionFrames::settle(ChunkPlace place, const FrameReducer::Merged& merged,
                                    int sender, Slot& out) {
  const bool well = note(place, merged.incoming, sender);
  return well && merged.size > 0 ? merged.size : failure_frame(place, out);
}

std::size_t ReductionFrames::failure_frame(ChunkPlace place, Slot& slot) {
  const int self = communicator_.program_rank(communicator_.rank);
  return wire::write_failure(slot.buffer(), sequence(place), health_.origin(self));
}

}  // namespace tightwire::collective
