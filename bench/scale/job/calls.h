// The compared operations by plain MPI and by Tightwire, which a simulated program has linked to
// it.
#pragma once

#include <optional>

#include "comparison/baselines/ccoll.h"
#include "comparison/operation.h"
#include "scale/job/mpich.h"

namespace tightwire::scale {

// The MPI below: MPICH, or whichever SMPI's selector stands for. Made by all ranks together.
class PlainMpi {
 public:
  explicit PlainMpi(bool is_mpich);

  // A rank is charged for adding up one vector, the least that any algorithm of a reduction needs:
  // MPI's sum itself costs no simulated time, and with an operation of our own MPI would choose
  // other algorithms. Returns MPI's error code.
  int run(const comparison::Call& call) const;

 private:
  std::optional<Mpich> mpich_;
};

// As a call of MPI_x by a program under Tightwire; what is passed through goes on to plain MPI.
int run_tightwire(const PlainMpi& plain, const comparison::Call& call);

// By C-Coll's way, which is charged for what it adds up and copies beside its codec's work.
void run_ccoll(comparison::Ccoll& method, const comparison::Call& call);

}  // namespace tightwire::scale
