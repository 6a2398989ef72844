#include "mpi/history/received_history.h"

#include <array>

namespace tightwire::mpi {

bool ReceivedHistory::is_repeated() const {
  MessageHistory* history = message_history();
  return history != nullptr && history->is_repeated(world_rank_, block_);
}

bool ReceivedHistory::find_references(std::size_t bytes) {
  MessageHistory* history = message_history();
  const auto found = history != nullptr ? history->references(world_rank_, block_, bytes)
                                        : std::optional<history::FoundReferences>();
  if (found) found_ = *found;
  return found.has_value();
}

codec::ReferenceParts ReceivedHistory::references(std::size_t begin, std::size_t count) const {
  std::array<std::span<const std::byte>, codec::most_references> whole;
  for (std::size_t k = 0; k < found_.size; ++k) whole[k] = found_.copies[k]->bytes();
  return {std::span(whole).first(found_.size),
          [&](std::span<const std::byte> one) { return one.subspan(begin, count); }};
}

void ReceivedHistory::keep(std::span<const std::byte> message) const {
  if (MessageHistory* history = message_history()) history->keep(world_rank_, block_, message);
}

void ReceivedHistory::leave() const {
  if (MessageHistory* history = message_history()) history->leave(world_rank_, block_);
}

}  // namespace tightwire::mpi
