// What tells the messages of one call apart: each algorithm's part has a tag of its own, which
// Communicator::tag places among those of the communicator. 6 and 8 are taken below
// (mpi/datatype/pack.cpp, mpi/clock/alignment.cpp), 16 and more by the parts of a
// communicator (node_lanes.cpp), but for what exchange_tag_of() says. So all are taken; algorithms
// of which one call runs only one, as of a reduction, may share a tag: calls on a communicator come
// one after the other, or the messages of the first are all in MPI's hands before those of the
// second, and so they meet in their order.
#pragma once

#include <array>

namespace tightwire::collective {

inline constexpr int ring_tag = 1;
inline constexpr int ring_gather_tag = 2;
inline constexpr int broadcast_tag = 3;
inline constexpr int exchange_tag = 4;
inline constexpr int allgather_tag = 5;
inline constexpr int scan_tag = 7;
inline constexpr int recursive_doubling_tag = 9;
inline constexpr int rabenseifner_tag = 10;
inline constexpr int tree_tag = 11;
inline constexpr std::array broadcast_tags{broadcast_tag,
                                           tree_tag};  // of a tree each; no Bcast reduces
inline constexpr int host_gather_tag = 12;
inline constexpr int plain_tag = 13;  // of moves
inline constexpr int range_tag = 13;  // of reductions
inline constexpr int host_spread_tag = 14;
inline constexpr int repeated_exchange_tag = 15;
// Of the frames of an exchange: `place`, how many earlier messages of the call are between the same
// two ranks. Calls in the background take turns, since the next one may be under way already. A
// communicator's parts do not exchange, so such tags of the first one are free.
enum class Turn : bool { first, second };
inline constexpr int tags_of_a_part = 16;
[[nodiscard]] constexpr int exchange_tag_of(int place, Turn turn) {
  return (place % 2 == 0 ? exchange_tag : repeated_exchange_tag) +
         (turn == Turn::second ? tags_of_a_part : 0);
}
// Of the values of an exchange's message that goes without frames; `tag`: of the frame in front.
[[nodiscard]] constexpr int unframed_tag(int tag) {
  return tag % tags_of_a_part == exchange_tag ? ring_tag : ring_gather_tag;
}

}  // namespace tightwire::collective
