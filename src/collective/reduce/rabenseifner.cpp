#include "collective/reduce/rabenseifner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "collective/reduce/held_pieces.h"
#include "collective/reduce/power_of_two.h"
#include "collective/transfer/tags.h"

namespace tightwire::collective {
namespace {

class Rabenseifner {
 public:
  Rabenseifner(mpi::Communicator& communicator, ReductionFrames& frames)
      : frames_(frames),
        power_(communicator.rank, communicator.size),
        pieces_(communicator, frames, rabenseifner_tag),
        combined_(make_slots(communicator, runtime::places_together(pieces_.count()),
                             frames.capacity())) {}

  Schedule<> allreduce() {
    if (power_.aside()) {
      co_await stand_aside();
    } else {
      co_await work();
    }
    co_await pieces_.all_sent();
  }

 private:
  // The partner works for this rank, too.
  Schedule<> stand_aside() {
    pieces_.receive(pieces_.all(), power_.partner());
    pieces_.start(pieces_.all(),
                  [this](std::size_t piece) { pieces_.send(piece, power_.partner()); });
    co_await pieces_.take(pieces_.all(), power_.partner(),
                          [this](PieceRange taken) { pieces_.finish(taken); });
  }

  Schedule<> work() {
    const bool for_two = power_.in_pair();
    if (for_two) {
      pieces_.receive(pieces_.all(), power_.partner());
      co_await pieces_.merge(pieces_.all(), power_.partner(), [](std::size_t) {});
    }
    co_await halve(for_two);
    const PieceRange last = co_await spread(for_two);
    if (!for_two) co_return;
    pieces_.send(pieces_.all(), power_.partner());
    pieces_.finish(last);
  }

  // Afterwards this rank holds the frames of the segment of its number, with all contributions.
  // `framed`: its own values are in frames already.
  Schedule<> halve(bool framed) {
    PieceRange range = pieces_.all();
    for (int distance = power_.workers() / 2; distance > 0; distance /= 2) {
      const int peer = power_.rank_of(power_.number() ^ distance);
      const std::size_t middle = (range.begin + range.end) / 2;
      PieceRange keep{range.begin, middle};
      PieceRange give{middle, range.end};
      if ((power_.number() & distance) != 0) std::swap(keep, give);
      pieces_.receive(keep, peer);
      if (framed) {
        co_await exchange_framed(give, keep, peer);
      } else {
        co_await exchange_own(give, keep, peer);
      }
      framed = true;
      range = keep;
    }
  }

  Schedule<> exchange_framed(PieceRange give, PieceRange keep, int peer) {
    pieces_.send(give, peer);
    co_await pieces_.combine(keep, peer, HeldPieces::Order::held_first, combined_,
                             [](std::size_t) {});
  }

  // As many pieces at a time as several threads have use for. The next ones are on their way while
  // these are waited for and merged.
  Schedule<> exchange_own(PieceRange give, PieceRange keep, int peer) {
    const auto first_of = [](PieceRange left) {
      const std::size_t places = std::min(left.size(), runtime::places_together(left.size()));
      return PieceRange{left.begin, left.begin + places};
    };
    const auto start = [&](PieceRange now) {
      pieces_.start(now, [&](std::size_t piece) { pieces_.send(piece, peer); });
    };
    PieceRange next = first_of(give);
    start(next);
    for (PieceRange now; keep.size() > 0; keep.begin = now.end) {
      now = {keep.begin, keep.begin + next.size()};
      next = first_of({next.end, give.end});
      start(next);
      co_await pieces_.merge(now, peer, [](std::size_t) {});
    }
  }

  // Afterwards it holds the frames of all segments, and has decoded all but those it returns. They
  // are decoded while those of the next step travel.
  Schedule<PieceRange> spread(bool leave_last) {
    const std::size_t chunks = frames_.chunks();
    const auto number = static_cast<std::size_t>(power_.number());
    PieceRange fresh{number * chunks, (number + 1) * chunks};
    const auto workers = static_cast<std::size_t>(power_.workers());
    for (std::size_t distance = 1; distance < workers; distance *= 2) {
      const int peer = power_.rank_of(static_cast<int>(number ^ distance));
      const std::size_t mine = number / distance * distance;
      const std::size_t theirs = mine ^ distance;
      const PieceRange arriving{theirs * chunks, (theirs + distance) * chunks};
      pieces_.receive(arriving, peer);
      pieces_.send({mine * chunks, (mine + distance) * chunks}, peer);
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
  HeldPieces pieces_;
  std::vector<Slot> combined_;  // enough for what is combined at once, as nothing kept was sent
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
