// What it takes to encode and decode a message that is predicted from earlier ones, by the model.
#pragma once

#include <array>
#include <cstddef>

#include "codec/estimate/estimate.h"
#include "mpi/history/sent_history.h"
#include "p2p/transfer/message_encoding.h"
#include "policy/message.h"

namespace tightwire::p2p {

// What the codec alone makes of it, to the ratio that `history` offers.
[[nodiscard]] codec::Prediction coded_in_time(const mpi::SentHistory& history,
                                              const MessageEncoding& chosen, std::size_t bytes,
                                              codec::SecondStage stage);

// Without the entropy coder, and through it.
using WaysInTime = std::array<codec::Prediction, 2>;
// With what it costs to keep it, on this machine. Of one that is lossy the sender decodes what it
// keeps.
[[nodiscard]] WaysInTime ways_in_time(const mpi::SentHistory& history,
                                      const MessageEncoding& chosen, std::size_t bytes);
// The same where nothing is offered yet, by what may be hoped for.
[[nodiscard]] WaysInTime hoped_ways_in_time(const mpi::SentHistory& history,
                                            const MessageEncoding& chosen, std::size_t bytes);

// Whether prediction could make such messages quicker if it left nothing of them.
[[nodiscard]] bool may_gain_in_time(const MessageEncoding& chosen,
                                    const policy::MessageFacts& facts);

}  // namespace tightwire::p2p
