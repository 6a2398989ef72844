// Earlier messages of a channel that the next one may be predicted from, and what they promise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/codec.h"
#include "codec/history/promise.h"
#include "history/copy.h"
#include "history/excerpt.h"

namespace tightwire::history {

// What the next message may be predicted from.
struct OfferedReferences {
  std::uint64_t number = 0;
  bool to_keep = false;  // it should be sent so that the receiver keeps it
  std::uint16_t spacing = 0;
  std::array<SharedCopy, codec::most_references> references;  // the nearest first
  std::uint8_t size = 0;                                      // so many of them
  double ratio = 0;       // what a sample of the message promises with them; 0 without
  double alone = 1;       // what it promises without
  double coded_gain = 0;  // the entropy coder's part, which no sample tells; 0: not known
  // Where none has been predicted yet, nor can this one be: what watching promises of later
  // messages; 0: nothing.
  double hoped_for = 0;
  // By the sender: later messages will not be predicted, whatever they promise.
  bool is_declined = false;
};

// What a sample promises of values that are predicted from those.
[[nodiscard]] codec::HistoryPromise promise_of(codec::ElementType type,
                                               std::span<const std::byte> values,
                                               const codec::Parameters& parameters,
                                               const OfferedReferences& offered);

// By what is watched of all of them: of some references all is here. Throws std::bad_alloc.
[[nodiscard]] codec::HistoryPromise promise_of_watched(codec::ElementType type,
                                                       const Watched& watched,
                                                       const codec::Parameters& parameters,
                                                       const OfferedReferences& offered);

}  // namespace tightwire::history
