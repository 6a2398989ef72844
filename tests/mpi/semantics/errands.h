// Messages that a rank receives where MPI has called it back: large, so that they are encoded where
// messages are.
#pragma once

#include <mpi.h>

#include <deque>
#include <string>
#include <vector>

#include "plan.h"

namespace semantics {

class Errands {
 public:
  // `bound`: what values may err.
  Errands(MPI_Comm comm, double bound) : comm_(comm), bound_(bound) {}

  // By MPI_Isend.
  void send(const Errand& errand, int destination);
  // In one of the ways that MPI has: "ok", or what is wrong.
  [[nodiscard]] std::string receive(const Errand& errand) const;
  // For others to receive.
  [[nodiscard]] MPI_Request start_receive(const Errand& errand, std::vector<std::byte>& to) const;
  [[nodiscard]] std::string compare(const Errand& errand,
                                    const std::vector<std::byte>& received) const;
  // The calling rank exchanges one with itself.
  [[nodiscard]] std::string exchange_with_self(const Errand& errand) const;
  // Waits for all sends.
  void finish();

 private:
  struct Sent {
    std::vector<std::byte> packed;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  MPI_Comm comm_;
  double bound_;
  std::deque<Sent> sent_;
};

}  // namespace semantics
