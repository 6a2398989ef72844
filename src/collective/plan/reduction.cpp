#include "collective/plan/reduction.h"

namespace tightwire::collective {

std::optional<Reduction> recognise(policy::Operation operation, const mpi::Buffer& own, MPI_Op op,
                                   MPI_Comm comm) {
  if (own.count <= 0 || own.datatype == MPI_DATATYPE_NULL || op == MPI_OP_NULL ||
      comm == MPI_COMM_NULL) {
    return std::nullopt;
  }
  const std::optional<mpi::PredefinedType> type = mpi::predefined(own.datatype);
  if (!type) return std::nullopt;
  const mpi::ReductionKind kind = mpi::reduction_kind(op, *type);
  if (kind == mpi::ReductionKind::unsupported) return std::nullopt;
  return Reduction{operation, own, op, *type, kind};
}

}  // namespace tightwire::collective
