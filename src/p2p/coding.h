// How a sender codes one message.
#pragma once

#include <cstddef>
#include <optional>

#include "collective/hop.h"
#include "p2p/route.h"
#include "p2p/sent_values.h"
#include "policy/call.h"

namespace tightwire::p2p {

struct MessageCoding {
  policy::Plan plan;
  collective::Coding coding;
  std::size_t chunks = 1;
  bool sampled = false;  // the codec was chosen by a sample
};

// By what codecs made of such messages before, and the network's speed, where that is known.
// `type` is nothing where the values are of several; they are then bytes. The values are only read
// where nothing is known yet of such a message, or the bound is a part of their range.
[[nodiscard]] MessageCoding coding_of(const std::optional<collective::PredefinedType>& type,
                                      SentValues& values, const Route& route, int destination);

// What an encoding of the message came to; scaled up from a part of it.
void remember(const MessageCoding& coding, const SentValues& values, double ratio);

}  // namespace tightwire::p2p
