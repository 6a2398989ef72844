// Chunks of one message that two threads encode or decode at once.
#pragma once

#include <cstddef>

#include "p2p/state/encoding_helper.h"

namespace tightwire::p2p {

// Around all messages: the helper has no thread before its first task.
void open_encoding_helper();
void close_encoding_helper();

// How many places a call needs for chunks that are worked on at once: one without the helper.
[[nodiscard]] std::size_t encoding_places(std::size_t most);
// Works on chunks with the helper's help, where there is one.
void encode_together(const EncodingHelper::Items& items);

}  // namespace tightwire::p2p
