// Where the program has let MPI move on: what is to be done for requests that it has let go of, and
// what was put off (state/put_off.h).
#pragma once

#include "p2p/request/request_table.h"
#include "p2p/state/put_off.h"

namespace tightwire::p2p {

// Takes what other processes tell of messages, and gives back the memory of what has left.
void make_up_for_what_was_put_off();

inline void catch_up() {
  if (request_table().any_abandoned()) request_table().reap();
  if (is_anything_put_off()) make_up_for_what_was_put_off();
}

// What MPI returned for such a call.
[[nodiscard]] inline int caught_up(int code) {
  catch_up();
  return code;
}

}  // namespace tightwire::p2p
