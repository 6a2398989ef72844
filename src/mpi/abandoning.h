// Memory of an operation that was given up: MPI may still use it.
#pragma once

namespace tightwire::mpi {

// Whether what this thread destroys now was given up: an MpiError is on its way, or an Abandoning
// lives. Buffers that MPI may have are never to be lent again then.
[[nodiscard]] bool is_abandoning();

class Abandoning {
 public:
  Abandoning();
  ~Abandoning();
  Abandoning(const Abandoning&) = delete;
  Abandoning& operator=(const Abandoning&) = delete;
};

}  // namespace tightwire::mpi
