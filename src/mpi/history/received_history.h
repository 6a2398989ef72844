// The part of a message that is received in the history of its channel.
#pragma once

#include <cstddef>
#include <span>

#include "codec/history/reference_parts.h"
#include "mpi/history/message_history.h"

namespace tightwire::mpi {

class ReceivedHistory {
 public:
  ReceivedHistory(int world_rank, const wire::HistoryBlock& block)
      : world_rank_(world_rank), block_(block) {}

  [[nodiscard]] const wire::HistoryBlock& block() const { return block_; }
  // Of messages that come in their order: it has come before.
  [[nodiscard]] bool is_repeated() const;
  // Finds what a message of so many bytes is predicted from; false where that is not here.
  [[nodiscard]] bool find_references(std::size_t bytes);
  // Of a part of the message, the same part of each.
  [[nodiscard]] codec::ReferenceParts references(std::size_t begin, std::size_t count) const;

  // One of the two, once: the message is in its place, or will never be. Throw MpiError,
  // std::bad_alloc.
  void keep(std::span<const std::byte> message) const;
  void leave() const;

 private:
  int world_rank_;
  wire::HistoryBlock block_;
  history::FoundReferences found_;
};

}  // namespace tightwire::mpi
