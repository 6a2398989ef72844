// What tells our messages to ourselves apart (mpi::self()).
#pragma once

namespace tightwire::p2p {

inline constexpr int message_handle_tag = 1;
inline constexpr int unmatched_receive_tag = 2;  // nobody sends with this one

}  // namespace tightwire::p2p
