// Messages between the ranks by plain MPI, timed; and frames, buffers that keep their memory from
// call to call.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "comparison/breakdown.h"

namespace tightwire::comparison {

class Channel {
 public:
  // Adds the time spent in MPI to `breakdown`, which must outlive it.
  explicit Channel(Breakdown& breakdown) : breakdown_(breakdown) {}

  [[nodiscard]] MPI_Request send(std::span<const std::byte> bytes, int to, int tag);
  [[nodiscard]] MPI_Request receive(std::span<std::byte> room, int from, int tag);
  // Returns the size of what was received, if the request is of a receive.
  std::size_t wait(MPI_Request& request);
  void wait_all(std::span<MPI_Request> requests);
  // Lets MPI move data, without waiting.
  void poll(std::span<MPI_Request> requests);

 private:
  Breakdown& breakdown_;
};

// Memory aligned for any codec.
class Frame {
 public:
  // At least `size` bytes; what stood there is lost.
  std::span<std::byte> reserve(std::size_t size);
  [[nodiscard]] std::span<std::byte> bytes(std::size_t size) { return {data(), size}; }

 private:
  [[nodiscard]] std::byte* data() { return reinterpret_cast<std::byte*>(words_.data()); }
  std::vector<std::max_align_t> words_;
};

// The children and parent of a rank in the binomial tree with root 0.
struct Tree {
  Tree(int rank, int ranks);
  int parent = MPI_PROC_NULL;
  struct Child {
    int rank;
    int below;  // ranks in its subtree, itself included: rank, rank + 1, ...
  };
  std::vector<Child> children;  // that with the most below first
  int below = 1;                // ranks in this rank's subtree
};

}  // namespace tightwire::comparison
