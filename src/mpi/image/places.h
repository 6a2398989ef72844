// Which bytes of a buffer a call of MPI sends or writes, in the order of the message.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi/counts.h"

namespace tightwire::mpi {

class Places {
 public:
  // Bytes counted from the buffer's address, repeated at a stride.
  struct Rows {
    std::ptrdiff_t begin = 0;
    std::size_t bytes = 0;
    std::size_t rows = 1;
    std::ptrdiff_t stride = 0;
  };

  // Of what MPI would refuse, nothing is added. Throw MpiError, std::bad_alloc.
  void add(Count count, MPI_Datatype datatype) { add_at(0, count, datatype); }
  // `blocks` of them, one after the other.
  void add_blocks(int blocks, Count count, MPI_Datatype datatype) { add(count * blocks, datatype); }
  // As v-operations and w-operations name them.
  void add_blocks(int blocks, Counts counts, Counts displacements, MPI_Datatype datatype);
  void add_blocks(int blocks, Counts counts, Counts displacements, const MPI_Datatype* datatypes);
  // All together, one after the other.
  void add_sum(int blocks, Counts counts, MPI_Datatype datatype);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const std::vector<Rows>& rows() const { return rows_; }
  // Whether rows() has nothing but what MPI touches: else there are gaps in it that are not known.
  [[nodiscard]] bool exact() const { return exact_; }
  // All bytes lie from lowest() on, before end(). Only where not empty().
  [[nodiscard]] std::ptrdiff_t lowest() const { return lowest_; }
  [[nodiscard]] std::ptrdiff_t end() const { return end_; }

 private:
  void add_at(std::ptrdiff_t displacement, Count count, MPI_Datatype datatype);
  void add_unknown(std::ptrdiff_t displacement, Count count, MPI_Datatype datatype);
  void add_run(std::ptrdiff_t begin, std::size_t bytes);

  std::vector<Rows> rows_;
  std::ptrdiff_t lowest_ = 0;
  std::ptrdiff_t end_ = 0;
  bool exact_ = true;
};

}  // namespace tightwire::mpi
