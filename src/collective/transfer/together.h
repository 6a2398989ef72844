// Pieces of a message that several threads of this rank work on at once, while the calling one
// alone talks to MPI (runtime/crew/).
//
// A schedule that has a piece to work on looks for the next ones for a moment (runtime/crew/
// patience.h): those go along with it. Without helpers every piece goes alone, as soon as it can.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "collective/transfer/schedule.h"
#include "collective/transfer/slot.h"
#include "runtime/crew/together.h"

namespace tightwire::collective {

// Pieces in a row, in the order of the message.
struct PieceRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

// The first piece, and of those after it and before `end` the next that are ready(piece), as many
// as are of use. `bytes`: of the values of a piece.
template <class Ready>
[[nodiscard]] PieceRange with_next(std::size_t first, std::size_t end, std::size_t bytes,
                                   Ready ready) {
  const std::size_t most = first + runtime::places_together(end - first);
  PieceRange range{first, first + 1};
  const auto is_ready = [&] { return ready(range.end); };
  while (range.end < most && runtime::is_there_soon(bytes, is_ready)) ++range.end;
  return range;
}

// Waits until the first piece's frame has come, and finds the next that have come too and of which
// also(piece) is true; `sizes`, by piece, tells what Slot::wait() does. `bytes`: of the values of a
// piece. taken(piece) of each as it is found: what others wait for is handed on before this rank
// looks for more.
template <class Also, class Taken>
[[nodiscard]] Schedule<PieceRange> arrived(std::vector<Slot>& slots, PieceRange pieces,
                                           std::size_t bytes, std::vector<std::size_t>& sizes,
                                           Also also, Taken taken) {
  sizes[pieces.begin] = co_await slots[pieces.begin].transferred();
  taken(pieces.begin);
  co_return with_next(pieces.begin, pieces.end, bytes, [&](std::size_t next) {
    if (!slots[next].test() || !also(next)) return false;
    sizes[next] = slots[next].wait();
    taken(next);
    return true;
  });
}
template <class Also>
[[nodiscard]] Schedule<PieceRange> arrived(std::vector<Slot>& slots, PieceRange pieces,
                                           std::size_t bytes, std::vector<std::size_t>& sizes,
                                           Also also) {
  return arrived(slots, pieces, bytes, sizes, also, [](std::size_t) {});
}
[[nodiscard]] inline Schedule<PieceRange> arrived(std::vector<Slot>& slots, PieceRange pieces,
                                                  std::size_t bytes,
                                                  std::vector<std::size_t>& sizes) {
  return arrived(slots, pieces, bytes, sizes, [](std::size_t) { return true; });
}

// work(piece) on any thread, of several pieces at a time: it must not throw. deliver(piece) on the
// calling one, in order, when that is done. `bytes`: of the values of a piece.
template <class Work, class Deliver>
void together(PieceRange range, std::size_t bytes, Work work, Deliver deliver) {
  runtime::work_together(
      {range.size(), range.size(), [&](std::size_t item) { work(range.begin + item); },
       [&](std::size_t item) { deliver(range.begin + item); }},
      range.size() * bytes);
}

// What a rank does beside working on pieces that come one after the other.
enum class Beside : bool { nothing, hands_on };

// The same of pieces that are found one after the other, the first of which is there: look() finds
// those that are by now, and tells where they end. On the calling thread, before pieces and while
// helpers are at theirs. Returns when what was found is delivered and no more is there. Of `places`
// pieces in a row each has memory of its own. Whoever hands pieces on leaves even a single one to a
// helper.
template <class Look, class Work, class Deliver>
void together_as_they_come(PieceRange pieces, std::size_t places, std::size_t bytes, Beside beside,
                           Look look, Work work, Deliver deliver) {
  const bool has_helpers = runtime::places_together(pieces.size()) > 1;
  std::size_t found = pieces.begin + 1;
  std::size_t delivered = pieces.begin;
  const auto finds_more = [&] {
    const std::size_t before = found;
    found = look();
    return found > before;
  };
  const auto finds_more_soon = [&] {
    return finds_more() ||
           (found < pieces.end && has_helpers && runtime::is_there_soon(bytes, finds_more));
  };
  const bool are_several = finds_more_soon() || (beside == Beside::hands_on && has_helpers);
  if (!are_several) return together({pieces.begin, found}, bytes, work, deliver);
  const std::size_t most = std::min(places, pieces.size());
  runtime::work_together({pieces.size(), most, [&](std::size_t item) { work(pieces.begin + item); },
                          [&](std::size_t item) {
                            deliver(pieces.begin + item);
                            ++delivered;
                          },
                          [&] {
                            delivered < found ? finds_more() : finds_more_soon();
                            return found - pieces.begin;
                          }},
                         most * bytes);
}

}  // namespace tightwire::collective
