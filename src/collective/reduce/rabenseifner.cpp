#include "collective/reduce/rabenseifner.h"

#include <algorithm>
#include <utility>

#include "collective/reduce/power_of_two.h"

namespace tightwire::collective {
namespace {

constexpr int tag = 10;

// Pieces in a row.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Rabenseifner {
 public:
  Rabenseifner(mpi::Communicator& communicator, ReductionFrames& frames)
      : frames_(frames),
        rank_(communicator.rank),
        power_(communicator.rank, communicator.size),
        sizes_(pieces()),
        held_(make_slots(communicator, pieces(), frames.capacity())),
        incoming_(make_slots(communicator, pieces(), frames.capacity())),
        combined_(communicator, frames.capacity()) {}

  Schedule<> allreduce() {
    if (power_.aside()) {
      receive(all(), power_.partner());
      for (std::size_t piece = 0; piece < pieces(); ++piece) {
        start(piece);
        send(piece, power_.partner());
      }
      for (std::size_t piece = 0; piece < pieces(); ++piece) {
        co_await take(piece, power_.partner());
        expand(piece);
      }
    } else {
      co_await work();
    }
    for (Slot& slot : held_) co_await slot.transferred();
  }

 private:
  Schedule<> work() {
    const bool for_two = power_.in_pair();
    if (for_two) {
      receive(all(), power_.partner());
      for (std::size_t piece = 0; piece < pieces(); ++piece) {
        co_await merge_own(piece, power_.partner());
      }
    }
    co_await halve(for_two);
    const Range last = co_await spread(for_two);
    if (!for_two) co_return;
    send(all(), power_.partner());
    expand(last);
  }

  // Afterwards this rank holds the frames of the segment of its number, with all contributions.
  // `framed`: its own values are in frames already.
  Schedule<> halve(bool framed) {
    Range range = all();
    for (int distance = power_.workers() / 2; distance > 0; distance /= 2) {
      const int peer = power_.rank_of(power_.number() ^ distance);
      const std::size_t middle = (range.begin + range.end) / 2;
      Range keep{range.begin, middle};
      Range give{middle, range.end};
      if ((power_.number() & distance) != 0) std::swap(keep, give);
      receive(keep, peer);
      for (std::size_t i = 0; i < keep.end - keep.begin; ++i) {
        if (!framed) start(give.begin + i);
        send(give.begin + i, peer);
        if (framed) {
          co_await combine(keep.begin + i, peer);
        } else {
          co_await merge_own(keep.begin + i, peer);
        }
      }
      framed = true;
      range = keep;
    }
  }

  // Afterwards it holds the frames of all segments, and has expanded all but those it returns. They
  // are expanded while those of the next step travel.
  Schedule<Range> spread(bool leave_last) {
    const std::size_t chunks = frames_.chunks();
    const auto number = static_cast<std::size_t>(power_.number());
    Range fresh{number * chunks, (number + 1) * chunks};
    const auto workers = static_cast<std::size_t>(power_.workers());
    for (std::size_t distance = 1; distance < workers; distance *= 2) {
      const int peer = power_.rank_of(static_cast<int>(number ^ distance));
      const std::size_t mine = number / distance * distance;
      const std::size_t theirs = mine ^ distance;
      const Range arriving{theirs * chunks, (theirs + distance) * chunks};
      receive(arriving, peer);
      send({mine * chunks, (mine + distance) * chunks}, peer);
      expand(fresh);
      const bool expand_now = distance * 2 == workers && !leave_last;
      for (std::size_t piece = arriving.begin; piece < arriving.end; ++piece) {
        co_await take(piece, peer);
        if (expand_now) expand(piece);
      }
      fresh = expand_now ? Range{} : arriving;
    }
    co_return fresh;
  }

  // Pieces are chunks of segments, one after the other.
  [[nodiscard]] std::size_t pieces() const { return frames_.segments() * frames_.chunks(); }
  [[nodiscard]] Range all() const { return {0, pieces()}; }
  [[nodiscard]] ChunkPlace place(std::size_t piece) const {
    return {piece / frames_.chunks(), piece % frames_.chunks()};
  }
  [[nodiscard]] HeldFrame held(std::size_t piece) const {
    return {held_[piece].buffer().first(sizes_[piece]), rank_};
  }

  void receive(Range range, int peer) {
    for (std::size_t piece = range.begin; piece < range.end; ++piece) {
      incoming_[piece].receive(peer, tag);
    }
  }
  void send(std::size_t piece, int peer) {
    frames_.send(place(piece), held_[piece], sizes_[piece], peer, tag);
  }
  void send(Range range, int peer) {
    for (std::size_t piece = range.begin; piece < range.end; ++piece) send(piece, peer);
  }
  void start(std::size_t piece) { sizes_[piece] = frames_.start(place(piece), held_[piece]); }
  void expand(std::size_t piece) { frames_.finish(place(piece), held(piece)); }
  void expand(Range range) {
    for (std::size_t piece = range.begin; piece < range.end; ++piece) expand(piece);
  }

  Schedule<> merge_own(std::size_t piece, int peer) {
    const std::size_t received = co_await incoming_[piece].transferred();
    sizes_[piece] = frames_.merge(place(piece), incoming_[piece], received, peer, held_[piece]);
  }

  // Nothing that is kept has been sent.
  Schedule<> combine(std::size_t piece, int peer) {
    Slot& in = incoming_[piece];
    std::size_t received = co_await in.transferred();
    received = frames_.accept(place(piece), in, received, peer);
    sizes_[piece] =
        frames_.combine(place(piece), held(piece), {in.buffer().first(received), peer}, combined_);
    held_[piece].swap_buffers(combined_);
  }

  // The result's frame in place of this rank's own, which may still be on its way.
  Schedule<> take(std::size_t piece, int peer) {
    const std::size_t received = co_await incoming_[piece].transferred();
    co_await held_[piece].transferred();
    held_[piece].swap_buffers(incoming_[piece]);
    sizes_[piece] = frames_.accept(place(piece), held_[piece], received, peer);
  }

  ReductionFrames& frames_;
  int rank_;
  PowerOfTwo power_;
  std::vector<std::size_t> sizes_;  // of the frames that are held
  std::vector<Slot> held_;
  std::vector<Slot> incoming_;
  Slot combined_;
};

}  // namespace

Schedule<> rabenseifner_allreduce(mpi::Communicator& communicator, FrameReducer& reducer,
                                  const ReductionMessage& message, mpi::Health& health,
                                  Traffic& traffic) {
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  Rabenseifner rabenseifner(communicator, frames);
  co_await rabenseifner.allreduce();
}

}  // namespace tightwire::collective
