// The pieces of a message that a rank holds while it exchanges them with one peer after the other,
// as recursive doubling and Rabenseifner's algorithm do: a piece is a chunk of a segment, held as
// one frame, and each has a second buffer in which the peer's frame of it arrives. Small ones
// travel several in a message.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "collective/reduce/bundles.h"
#include "collective/reduce/reduction_frames.h"
#include "wire/bundle.h"

namespace tightwire::collective {

class HeldPieces {
 public:
  // `per_message`: pieces of a range that travel together.
  HeldPieces(mpi::Communicator& communicator, ReductionFrames& frames, int tag,
             std::size_t per_message = 1)
      : frames_(frames),
        rank_(communicator.rank),
        tag_(tag),
        sizes_(count()),
        senders_(count(), rank_),
        received_(count()),
        made_(count()),
        held_(make_slots(communicator, count(), frames.capacity())),
        incoming_(make_slots(communicator, count(), frames.capacity())),
        bundles_(communicator, per_message, frames.capacity(), tag),
        aside_(make_slots(communicator, runtime::places_together(count()), frames.capacity())) {}

  [[nodiscard]] std::size_t count() const { return frames_.segments() * frames_.chunks(); }
  [[nodiscard]] PieceRange all() const { return {0, count()}; }

  // Frames of this rank's own values; then(piece) of each once it is there.
  template <class Then>
  void start(PieceRange range, Then then) {
    together(
        range, frames_.chunk_bytes(),
        [&](std::size_t piece) { sizes_[piece] = frames_.start(place(piece), held_[piece]); },
        then);
  }

  // A message of its own.
  void send(std::size_t piece, int peer) {
    frames_.send(place(piece), held_[piece], sizes_[piece], peer, tag_);
  }
  void receive(std::size_t piece, int peer) { incoming_[piece].receive(peer, tag_); }

  // All of `range` is sent in order, and received so.
  void send_of(PieceRange range, std::size_t piece, int peer) {
    if (!bundles_.used()) return send(piece, peer);
    frames_.count_sent(place(piece), sizes_[piece] + wire::bundled_frame_header);
    const PieceRange message = bundles_.around(piece, range);
    if (piece + 1 < message.end) return;
    std::vector<std::span<const std::byte>> frames;
    for (std::size_t each = message.begin; each < message.end; ++each) {
      frames.emplace_back(held_[each].buffer().first(sizes_[each]));
    }
    bundles_.send(frames, peer);
  }
  // Of the message that the first of `range` goes in.
  [[nodiscard]] std::size_t end_of_message(PieceRange range) const {
    return range.size() > 0 ? bundles_.around(range.begin, range).end : range.end;
  }
  void send(PieceRange range, int peer) {
    for (std::size_t piece = range.begin; piece < range.end; ++piece) send_of(range, piece, peer);
  }
  void receive(PieceRange range, int peer) {
    if (bundles_.used()) return bundles_.receive(range, peer);
    for (std::size_t piece = range.begin; piece < range.end; ++piece) receive(piece, peer);
  }

  // The peer's frames and this rank's own values; then(piece) of each.
  template <class Then>
  Schedule<> merge(PieceRange range, int peer, Then then) {
    for (PieceRange now{range.begin, range.begin}; now.begin < range.end; now.begin = now.end) {
      const PieceRange left{now.begin, range.end};
      now = co_await arrived_of(left, [](std::size_t) { return true; });
      merge_now(now, peer, then);
    }
  }

  // The frames that are held and the peer's, in this order or, if both ranks are to come to the
  // same bits, in that of their ranks; then(piece) of each. What is held may be on its way, so the
  // outcome goes aside first.
  enum class Order { held_first, by_rank };
  template <class Then>
  Schedule<> combine(PieceRange range, int peer, Order order, Then then) {
    for (PieceRange now{range.begin, range.begin}; now.begin < range.end; now.begin = now.end) {
      const PieceRange left{now.begin, std::min(range.end, now.begin + aside_.size())};
      now = co_await arrived_of(left, [](std::size_t) { return true; });
      combine_now(now, peer, order);
      for (std::size_t piece = now.begin; piece < now.end; ++piece) {
        co_await held_[piece].transferred();
        held_[piece].swap_buffers(aside_[piece - now.begin]);
        then(piece);
      }
    }
  }

  // The peer's frames of the result in place of what is held, which may be on its way; then(pieces)
  // of those that have come together.
  template <class Then>
  Schedule<> take(PieceRange range, int peer, Then then) {
    for (PieceRange now{range.begin, range.begin}; now.begin < range.end; now.begin = now.end) {
      const PieceRange left{now.begin, range.end};
      co_await held_[left.begin].transferred();
      now = co_await arrived_of(left, [this](std::size_t next) { return held_[next].test(); });
      for (std::size_t piece = now.begin; piece < now.end; ++piece) {
        held_[piece].swap_buffers(incoming_[piece]);
        sizes_[piece] = frames_.accept(place(piece), held_[piece], received_[piece], peer);
        senders_[piece] = peer;
      }
      then(now);
    }
  }

  // Decodes frames in which all contributions are.
  void finish(PieceRange range) {
    finish_to(range, [this](std::size_t piece) { return frames_.result(place(piece)); });
  }
  // The same where the result is this rank's segment alone.
  void finish_in_segment(PieceRange range) {
    finish_to(range, [this](std::size_t piece) { return frames_.result_in_segment(place(piece)); });
  }

  Schedule<> all_sent() {
    for (Slot& slot : held_) {
      co_await slot.transferred();
    }
    co_await bundles_.all_sent();
  }

 private:
  // As arrived() of the slots, however pieces travel.
  template <class Also>
  Schedule<PieceRange> arrived_of(PieceRange left, Also also) {
    if (!bundles_.used())
      co_return co_await arrived(incoming_, left, frames_.chunk_bytes(), received_, also);
    if (!bundles_.has(left.begin)) unpack(co_await bundles_.next().transferred());
    co_return with_next(left.begin, left.end, frames_.chunk_bytes(),
                        [&](std::size_t next) { return is_unpacked(next) && also(next); });
  }
  [[nodiscard]] bool is_unpacked(std::size_t piece) {
    if (!bundles_.has(piece) && bundles_.next().test()) unpack(bundles_.next().wait());
    return bundles_.has(piece);
  }
  void unpack(std::size_t received) { bundles_.unpack(received, incoming_, received_); }

  [[nodiscard]] ChunkPlace place(std::size_t piece) const {
    return {piece / frames_.chunks(), piece % frames_.chunks()};
  }
  [[nodiscard]] HeldFrame held(std::size_t piece) const {
    return {held_[piece].buffer().first(sizes_[piece]), senders_[piece]};
  }
  template <class ValuesOf>
  void finish_to(PieceRange range, ValuesOf values_of) {
    frames_.finish(
        range, [this](std::size_t piece) { return place(piece); },
        [this](std::size_t piece) { return held(piece); }, values_of);
  }

  template <class Then>
  void merge_now(PieceRange range, int peer, Then then) {
    together(
        range, frames_.chunk_bytes(),
        [&](std::size_t piece) {
          made_[piece] = frames_.merge_anywhere(place(piece), incoming_[piece], received_[piece],
                                                held_[piece]);
        },
        [&](std::size_t piece) {
          sizes_[piece] = frames_.merge(place(piece), incoming_[piece], received_[piece], peer,
                                        held_[piece], made_[piece]);
          then(piece);
        });
  }

  void combine_now(PieceRange range, int peer, Order order) {
    struct Pair {
      HeldFrame first;
      HeldFrame second;
    };
    const auto pair_of = [&](std::size_t piece) {
      Pair pair{held(piece), {incoming_[piece].buffer().first(received_[piece]), peer}};
      if (order == Order::by_rank && peer < rank_) std::swap(pair.first, pair.second);
      return pair;
    };
    for (std::size_t piece = range.begin; piece < range.end; ++piece) {
      received_[piece] = frames_.accept(place(piece), incoming_[piece], received_[piece], peer);
    }
    std::vector<ReductionFrames::Combined> made(range.size());
    together(
        range, frames_.chunk_bytes(),
        [&](std::size_t piece) {
          const Pair pair = pair_of(piece);
          const std::size_t at = piece - range.begin;
          made[at] = frames_.combine_anywhere(place(piece), pair.first, pair.second, aside_[at]);
        },
        [&](std::size_t piece) {
          const Pair pair = pair_of(piece);
          const std::size_t at = piece - range.begin;
          sizes_[piece] =
              frames_.combine(place(piece), pair.first, pair.second, aside_[at], made[at]);
        });
  }

  ReductionFrames& frames_;
  int rank_;
  int tag_;
  std::vector<std::size_t> sizes_;     // of the frames that are held
  std::vector<int> senders_;           // who made them, or handed them on
  std::vector<std::size_t> received_;  // of those that have come
  std::vector<ReductionFrames::Made> made_;
  std::vector<Slot> held_;
  std::vector<Slot> incoming_;
  Bundles bundles_;
  std::vector<Slot> aside_;  // of as many as are combined at once
};

}  // namespace tightwire::collective
