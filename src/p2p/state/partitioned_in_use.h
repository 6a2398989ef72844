// Whether the program has partitioned requests. In a list with one of them MPICH 4.0's MPI_Testall
// takes what is no error for one.
#pragma once

#include <atomic>

namespace tightwire::p2p {

inline std::atomic<bool> partitioned_in_use{false};

}  // namespace tightwire::p2p
