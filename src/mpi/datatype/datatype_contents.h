// How a datatype was made, as MPI tells it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tightwire::mpi {

// Throws MpiError.
class DatatypeContents {
 public:
  explicit DatatypeContents(MPI_Datatype datatype);
  ~DatatypeContents();
  DatatypeContents(const DatatypeContents&) = delete;
  DatatypeContents& operator=(const DatatypeContents&) = delete;

  // MPI_COMBINER_NAMED: there is nothing in it.
  [[nodiscard]] int combiner() const { return combiner_; }
  // Valid as long as this is.
  [[nodiscard]] const std::vector<MPI_Datatype>& types() const { return types_; }
  // The integers, addresses and wide counts of MPI_Type_get_contents, in this order.
  [[nodiscard]] const std::vector<MPI_Count>& numbers() const { return numbers_; }
  // Made by one of MPI 4's functions with wide counts.
  [[nodiscard]] bool wide() const { return wide_; }

 private:
  int combiner_ = MPI_COMBINER_NAMED;
  bool wide_ = false;
  std::vector<MPI_Count> numbers_;
  std::vector<MPI_Datatype> types_;
};

}  // namespace tightwire::mpi
