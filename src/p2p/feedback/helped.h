// What helper threads make of coding a message, at both of its ends.
#pragma once

#include <cstddef>

namespace tightwire::p2p {

// How many times as fast as one thread.
struct Helped {
  double sender = 1;
  double receiver = 1;
  [[nodiscard]] double both() const { return sender * receiver; }
};

// The sender: of a message of so many bytes, the receiver's as that has told last. Processes are
// named by their ranks in MPI_COMM_WORLD.
[[nodiscard]] Helped helped(int receiver, std::size_t bytes);

// The receiver, once a message of so many bytes is in its place: measures its helpers, if that is
// due and they could be of use to such messages, for its reports to come.
void measure_own_helpers(std::size_t bytes);

}  // namespace tightwire::p2p
