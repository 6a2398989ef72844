#include "collective/reduce/rabenseifner.h"

#include <algorithm>
#include <utility>

#include "collective/reduce/held_pieces.h"
#include "collective/reduce/power_of_two.h"
#include "collective/transfer/tags.h"
#include "policy/frames_per_message.h"

namespace tightwire::collective {
namespace {

class Rabenseifner {
 public:
  Rabenseifner(mpi::Communicator& communicator, ReductionFrames& frames)
      : frames_(frames),
        power_(communicator.rank, communicator.size),
        one_for_each_rank_(frames.segments() == static_cast<std::size_t>(communicator.size)),
        pieces_(communicator, frames, rabenseifner_tag,
                policy::frames_per_message(frames.chunk_bytes())) {}

  Schedule<> allreduce() {
    if (power_.aside()) {
      give_to_partner(pieces_.all());
      co_await pieces_.take(pieces_.all(), power_.partner(),
                            [this](PieceRange taken) { pieces_.finish(taken); });
    } else {
      co_await take_from_partner();
      co_await halve();
      const PieceRange last = co_await spread(power_.in_pair());
      if (power_.in_pair()) pieces_.send(pieces_.all(), power_.partner());
      pieces_.finish(last);
    }
    co_await pieces_.all_sent();
  }

  Schedule<> reduce_scatter(int rank) {
    const PieceRange own = pieces_of_ranks(rank, rank + 1);
    if (power_.aside()) {
      give_to_partner(own);
      co_await pieces_.take(own, power_.partner(), [](PieceRange) {});
    } else {
      co_await take_from_partner();
      co_await halve();
      const int partner = power_.partner();
      if (power_.in_pair()) pieces_.send(pieces_of_ranks(partner, partner + 1), partner);
    }
    pieces_.finish_in_segment(own);
    co_await pieces_.all_sent();
  }

 private:
  // Of the segments of these ranks, where each has one.
  [[nodiscard]] PieceRange pieces_of_ranks(int begin, int end) const {
    const std::size_t chunks = frames_.chunks();
    return {static_cast<std::size_t>(begin) * chunks, static_cast<std::size_t>(end) * chunks};
  }
  // Of the segments that these workers end with.
  [[nodiscard]] PieceRange pieces_of(int begin, int end) const {
    if (!one_for_each_rank_) return pieces_of_ranks(begin, end);
    return pieces_of_ranks(power_.first_rank_of(begin), power_.first_rank_of(end));
  }

  // Who works for this rank, too, and leaves it `wanted` of the result.
  void give_to_partner(PieceRange wanted) {
    pieces_.receive(wanted, power_.partner());
    pieces_.start(pieces_.all(), [this](std::size_t piece) {
      pieces_.send_of(pieces_.all(), piece, power_.partner());
    });
  }

  Schedule<> take_from_partner() {
    if (!power_.in_pair()) co_return;
    pieces_.receive(pieces_.all(), power_.partner());
    co_await pieces_.merge(pieces_.all(), power_.partner(), [](std::size_t) {});
  }

  // Afterwards this rank holds the frames of the segments of its number, with all contributions.
  Schedule<> halve() {
    bool framed = power_.in_pair();  // its own values are in frames already
    int begin = 0;
    int end = power_.workers();
    for (int distance = power_.workers() / 2; distance > 0; distance /= 2) {
      const int peer = power_.rank_of(power_.number() ^ distance);
      const int middle = begin + distance;
      PieceRange keep = pieces_of(begin, middle);
      PieceRange give = pieces_of(middle, end);
      if ((power_.number() & distance) == 0) {
        end = middle;
      } else {
        std::swap(keep, give);
        begin = middle;
      }
      pieces_.receive(keep, peer);
      if (framed) {
        co_await exchange_framed(give, keep, peer);
      } else {
        co_await exchange_own(give, keep, peer);
      }
      framed = true;
    }
  }

  Schedule<> exchange_framed(PieceRange give, PieceRange keep, int peer) {
    pieces_.send(give, peer);
    co_await pieces_.combine(keep, peer, HeldPieces::Order::held_first, [](std::size_t) {});
  }

  // As many pieces at a time as several threads have use for, or as a message has: the peer waits
  // for one. The next ones are on their way while these are waited for and merged.
  Schedule<> exchange_own(PieceRange give, PieceRange keep, int peer) {
    const auto first_of = [&](PieceRange left) {
      const std::size_t places = std::min(left.size(), runtime::places_together(left.size()));
      return PieceRange{left.begin, std::max(left.begin + places, pieces_.end_of_message(left))};
    };
    const auto start = [&](PieceRange now) {
      pieces_.start(now, [&](std::size_t piece) { pieces_.send_of(give, piece, peer); });
    };
    const std::size_t first_kept = keep.begin;
    PieceRange next = first_of(give);
    start(next);
    while (next.size() > 0 || keep.size() > 0) {
      const std::size_t started = next.end - give.begin;
      next = first_of({next.end, give.end});
      start(next);
      PieceRange now = first_of(keep);
      // Helpers come and go at either end: two that each waited for more than the other has sent
      // would wait for good.
      if (next.end < give.end) {
        now.end = std::max(now.begin, std::min(now.end, first_kept + started));
      }
      co_await pieces_.merge(now, peer, [](std::size_t) {});
      keep.begin = now.end;
    }
  }

  // Afterwards it holds the frames of all segments, and has decoded all but those it returns. They
  // are decoded while those of the next step travel.
  Schedule<PieceRange> spread(bool leave_last) {
    const int number = power_.number();
    const int workers = power_.workers();
    PieceRange fresh = pieces_of(number, number + 1);
    for (int distance = 1; distance < workers; distance *= 2) {
      const int peer = power_.rank_of(number ^ distance);
      const int mine = number / distance * distance;
      const int theirs = mine ^ distance;
      const PieceRange arriving = pieces_of(theirs, theirs + distance);
      pieces_.receive(arriving, peer);
      pieces_.send(pieces_of(mine, mine + distance), peer);
      pieces_.finish(fresh);
      const bool decode_now = distance * 2 == workers && !leave_last;
      co_await pieces_.take(arriving, peer, [&](PieceRange taken) {
        if (decode_now) pieces_.finish(taken);
      });
      fresh = decode_now ? PieceRange{} : arriving;
    }
    co_return fresh;
  }

  ReductionFrames& frames_;
  PowerOfTwo power_;
  bool one_for_each_rank_;  // a segment, not for each worker
  HeldPieces pieces_;
};

}  // namespace

Schedule<> rabenseifner_allreduce(mpi::Communicator& communicator, FrameReducer& reducer,
                                  const ReductionMessage& message, mpi::Health& health,
                                  Traffic& traffic) {
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  Rabenseifner rabenseifner(communicator, frames);
  co_await rabenseifner.allreduce();
}

Schedule<> halving_reduce_scatter(mpi::Communicator& communicator, FrameReducer& reducer,
                                  const ReductionMessage& message, mpi::Health& health,
                                  Traffic& traffic) {
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  Rabenseifner rabenseifner(communicator, frames);
  co_await rabenseifner.reduce_scatter(communicator.rank);
}

}  // namespace tightwire::collective
