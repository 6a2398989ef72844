// A message of the program as it goes to MPI: a frame in place of the program's buffer.
#pragma once

#include <mpi.h>

#include "collective/hop.h"
#include "collective/view.h"
#include "p2p/pool.h"
#include "p2p/route.h"
#include "p2p/row.h"

namespace tightwire::p2p {

// Kept until the send is complete.
class Outgoing {
 public:
  // Codes the message, or leaves its bytes where they are if that does not help; posts what
  // follows it. The program's buffer is read here, and if not coded, by the send. Throws MpiError,
  // std::bad_alloc.
  Outgoing(const collective::UserBuffer& user, const Route& route, int destination);

  // What to hand to any of MPI's sends.
  [[nodiscard]] const Row& row() const { return row_; }

 private:
  struct Encoded {
    codec::Id codec = codec::Id::raw;  // raw: of no use
    std::size_t size = 0;              // at the front of memory_
  };
  // Taken if it has been coded before, else coded now.
  Encoded encode(std::span<const std::byte> values, const collective::Coding& coding);
  bool code(std::span<const std::byte> values,
            const std::optional<collective::PredefinedType>& type);
  void store(std::span<const std::byte> values, int world_rank);

  Pool::Lease packed_;  // of a derived type
  Pool::Lease memory_;  // encoding and trailer, or the trailer alone
  Row row_;
};

}  // namespace tightwire::p2p
