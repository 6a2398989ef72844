// Pieces whose frames travel several in a message (wire/bundle.h): those of a range from one
// multiple of their number to the next, so that both ends cut alike.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "collective/transfer/slot.h"
#include "collective/transfer/together.h"

namespace tightwire::collective {

class Bundles {
 public:
  // `pieces`: of a message. `capacity`: of a slot that any frame fits into.
  Bundles(mpi::Communicator& communicator, std::size_t pieces, std::size_t capacity, int tag)
      : communicator_(communicator), pieces_(pieces), capacity_(capacity), tag_(tag) {}

  // Else each piece is a message.
  [[nodiscard]] bool used() const { return pieces_ > 1; }
  // What goes in one message with a piece of the range.
  [[nodiscard]] PieceRange around(std::size_t piece, PieceRange range) const;

  // One message. The frames may be overwritten at once.
  void send(std::span<const std::span<const std::byte>> frames, int peer);
  // Those of a range, all of which has to have arrived before the next is received.
  void receive(PieceRange range, int peer);

  // Whether a piece has arrived. If not, next() is the message to be waited for, and unpack() to be
  // called then.
  [[nodiscard]] bool has(std::size_t piece) const { return piece < here_; }
  [[nodiscard]] Slot& next() { return expected_.front().message; }
  // To the pieces' own slots; `sizes` as Slot::wait() gives them, those of a message that is none
  // larger than any slot.
  void unpack(std::size_t received, std::vector<Slot>& slots, std::vector<std::size_t>& sizes);

  [[nodiscard]] Schedule<> all_sent();

 private:
  struct Expected {
    PieceRange pieces;
    Slot message;
  };

  mpi::Communicator& communicator_;
  std::size_t pieces_;
  std::size_t capacity_;
  int tag_;
  std::deque<Slot> sent_;
  std::deque<Expected> expected_;
  std::size_t here_ = 0;  // the first piece that has not arrived, of the range
};

}  // namespace tightwire::collective
