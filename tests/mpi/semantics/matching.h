// Which receive gets which message: MPI's rules, for the generator.
#pragma once

#include <vector>

#include "plan.h"

namespace semantics {

// From one source to one destination, in the order of sending and of posting. First fits first, so
// the outcome does not depend on time.
struct Channel {
  int comm = 0;
  int source = 0;
  int destination = 0;
  std::vector<int> unexpected;  // messages without a receive
  std::vector<int> posted;      // receives without a message
};

// Takes messages of several sources by wildcards. Which receive gets which is left to time; how
// many there are is not.
struct OpenInbox {
  int comm = 0;
  int destination = 0;
  int tag = any;  // any: messages have several
  Signature room;
  int total = 0;       // messages that will come
  int begun = 0;       // of them
  int matched = 0;     // receives, or matching probes, in their order
  int receivable = 0;  // of them, those that really receive
};

[[nodiscard]] inline bool fits(const Operation& receive, int tag) {
  return receive.tag == any || receive.tag == tag;
}

// The first of `posted` that takes the tag; none if there is no such.
[[nodiscard]] inline int first_receive(const Channel& channel, int tag,
                                       const std::vector<Operation>& operations) {
  for (const int receive : channel.posted) {
    if (fits(operations[static_cast<std::size_t>(receive)], tag)) return receive;
  }
  return none;
}

// The first of `unexpected` that a receive of this tag, or of any, takes.
[[nodiscard]] inline int first_message(const Channel& channel, int tag,
                                       const std::vector<Message>& messages) {
  for (const int message : channel.unexpected) {
    if (tag == any || messages[static_cast<std::size_t>(message)].tag == tag) return message;
  }
  return none;
}

}  // namespace semantics
