// For MPI 4's entry points with counts wider than int (MPI_Allreduce_c ...), served by the same
// handlers. mpi4py uses no others where MPI has them.
#pragma once

#include <mpi.h>

#include <climits>

#include "mpi/datatype/wide_counts.h"
#include "mpi/error.h"

namespace tightwire::interpose {

[[nodiscard]] constexpr bool fits_int(MPI_Count count) {
  return count <= INT_MAX;
}

#if MPI_VERSION >= 4

// Elements of a buffer counted in int: beyond that, one element of a derived type, which has the
// same signature and so meets whatever the other rank says.
class Elements {
 public:
  Elements(MPI_Count count, MPI_Datatype type)
      : count_(fits_int(count) ? static_cast<int>(count) : -1), type_(type) {
    if (fits_int(count) || !make_type(count)) return;
    count_ = 1;
    type_ = derived_;
  }
  ~Elements() {
    if (derived_ != MPI_DATATYPE_NULL) PMPI_Type_free(&derived_);
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  // False where MPI does not take the type; nor will it take the count, then.
  bool make_type(MPI_Count count) noexcept {
    try {
      derived_ = mpi::elements_in_a_row(count, type_);
      return true;
    } catch (const mpi::MpiError&) {
      return false;
    }
  }

  int count_;
  MPI_Datatype type_;
  MPI_Datatype derived_ = MPI_DATATYPE_NULL;
};

#endif

}  // namespace tightwire::interpose
