// Pieces of one call that several threads encode, decode, merge or look at at once: the crew of the
// process, as the settings want it.
#pragma once

#include <cstddef>
#include <optional>

#include "runtime/crew/crew.h"
#include "runtime/crew/patience.h"

namespace tightwire::runtime {

// Around all messages; without it the calling thread is alone. No thread is started before the
// first work for it.
void open_crew();
void close_crew();

// How many pieces a call does well to have at hand at once, of that many: one without helpers.
[[nodiscard]] std::size_t places_together(std::size_t most);
// Whether it leaves them to helpers alone, and only moves what comes and goes.
[[nodiscard]] bool is_left_to_helpers(std::size_t pieces);
// How long it does well to look for one more, of so many bytes.
[[nodiscard]] Patience::Clock::duration patience_for(std::size_t bytes);
// Whether one more is there, of pieces of so many bytes of values that come from MPI or leave
// through it. It moves little at each look, and goes on at the next.
template <class Look>
[[nodiscard]] bool is_there_soon(std::size_t bytes, Look look) {
  constexpr int looks = 16;
  for (int i = 0; i < looks; ++i) {
    if (look()) return true;
  }
  const auto end = Patience::Clock::now() + patience_for(bytes);
  while (Patience::Clock::now() < end) {
    if (look()) return true;
  }
  return false;
}
// Works on them with the helpers, where there are any. `bytes`: of the values of all of them, or,
// where they become known one after the other, of as many as have places.
void work_together(const Crew::Items& items, std::size_t bytes);
// The same for what is only looked at, which the report does not count as coded.
void look_together(const Crew::Items& items, std::size_t bytes);

// How many times as fast this rank codes several pieces of a call with its helpers as alone: 1
// without any. Measured now and then, in calls of so many bytes that helpers are of use; some
// milliseconds.
[[nodiscard]] double own_coding_speedup(std::size_t bytes);
// As it was measured last, or as the settings say.
[[nodiscard]] double known_own_speedup();
// What that of all ranks, as they have agreed on it, makes of a call of so many bytes: 1 where the
// settings want no helpers.
[[nodiscard]] double coding_speedup_of(double agreed, std::size_t bytes);
// The same of what ranks have agreed on last, in collectives on any communicator: for what a rank
// decides of its own messages there.
[[nodiscard]] double agreed_coding_speedup(std::size_t bytes);
// Of a message between two ranks, where the sender alone decides: what its own helpers make of it,
// as far as it is known, and the receiver's, as it has told; else what may be taken for granted.
[[nodiscard]] double sender_coding_speedup(std::size_t bytes);
[[nodiscard]] double receiver_coding_speedup(std::optional<double> told, std::size_t bytes);
// What a sender has asked for since the last call is measured, if that is due: once its message has
// left, which is timed.
void measure_speedup_asked_for();

}  // namespace tightwire::runtime
