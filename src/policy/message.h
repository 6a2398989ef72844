// Which codec a message between two ranks gets, from what a sample of it promises.
#pragma once

#include <cstddef>
#include <span>

#include "codec/estimate.h"

namespace tightwire::policy {

struct MessageFacts {
  std::size_t bytes = 0;
  double link = 0;         // bytes per second
  std::size_t chunks = 1;  // coded and sent one after the other: 1, all coded before any is sent
};

// From the first byte coded to the last one expanded, in seconds.
[[nodiscard]] double message_seconds(const codec::Prediction& prediction,
                                     const MessageFacts& facts);

// The quickest of them; raw where none is clearly quicker than sending the bytes as they are.
[[nodiscard]] codec::Id best_codec(std::span<const codec::Prediction> predictions,
                                   const MessageFacts& facts);

}  // namespace tightwire::policy
