#include "mpi/datatype/wide_counts.h"

#include <array>
#include <climits>

#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

MPI_Datatype contiguous(Count count, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check(PMPI_Type_contiguous(static_cast<int>(count), type, &made));
  return made;
}

// Rows of as many as an int counts, and what remains behind them.
MPI_Datatype in_rows(Count count, MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(type, &lower_bound, &extent));
  const Count rows = count / INT_MAX;
  MPI_Datatype row = contiguous(INT_MAX, type);
  std::array<MPI_Datatype, 2> parts{contiguous(rows, row), contiguous(count % INT_MAX, type)};
  const std::array<int, 2> one_of_each{1, 1};
  const std::array<MPI_Aint, 2> places{0, rows * INT_MAX * extent};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check(PMPI_Type_create_struct(2, one_of_each.data(), places.data(), parts.data(), &made));
  PMPI_Type_free(&row);
  for (MPI_Datatype& part : parts) PMPI_Type_free(&part);
  return made;
}

}  // namespace

bool knows_wide_counts() {
  static const bool known = [] {
    int version = 0;
    int minor = 0;
    return PMPI_Get_version(&version, &minor) == MPI_SUCCESS && version >= 4;
  }();
  return known;
}

MPI_Datatype elements_in_a_row(Count count, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
#if MPI_VERSION >= 4
  if (knows_wide_counts()) {
    check(PMPI_Type_contiguous_c(count, type, &made));
  } else {
    made = in_rows(count, type);
  }
#else
  made = in_rows(count, type);
#endif
  check(PMPI_Type_commit(&made));
  return made;
}

}  // namespace tightwire::mpi
