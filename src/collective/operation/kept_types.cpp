#include "collective/operation/kept_types.h"

#include "mpi/datatype/predefined_type.h"
#include "mpi/error.h"

namespace tightwire::collective {

KeptTypes::~KeptTypes() {
  for (MPI_Datatype& each : kept_) PMPI_Type_free(&each);
}

// One item of the type, not a duplicate: that would run the program's attribute copy functions.
void KeptTypes::keep_type(MPI_Datatype& datatype) {
  if (datatype == MPI_DATATYPE_NULL || mpi::predefined(datatype)) return;
  MPI_Datatype& kept = kept_.emplace_back(MPI_DATATYPE_NULL);
  mpi::check(PMPI_Type_contiguous(1, datatype, &kept));
  mpi::check(PMPI_Type_commit(&kept));
  datatype = kept;
}

}  // namespace tightwire::collective
