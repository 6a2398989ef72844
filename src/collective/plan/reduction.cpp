#include "collective/plan/reduction.h"

namespace tightwire::collective {
namespace {

// Open MPI's vector code (its component op/avx) adds integers of 8 and 16 bits with saturation, but
// the last few of 8 bits in a buffer without. So a sum that does not fit depends on the order of
// the ranks and on where the values are cut. By the MPI rather than by what this processor does:
// all ranks must say the same.
bool only_mpi_knows_the_sum([[maybe_unused]] mpi::ReductionKind kind,
                            [[maybe_unused]] const mpi::PredefinedType& type) {
#ifdef OPEN_MPI
  return kind == mpi::ReductionKind::sum && type.type_class == mpi::TypeClass::integer &&
         type.item_size <= 2;
#else
  return false;
#endif
}

}  // namespace

std::optional<Reduction> recognise(policy::Operation operation, const mpi::Buffer& own, MPI_Op op,
                                   MPI_Comm comm) {
  if (own.count <= 0 || own.datatype == MPI_DATATYPE_NULL || op == MPI_OP_NULL ||
      comm == MPI_COMM_NULL) {
    return std::nullopt;
  }
  const std::optional<mpi::PredefinedType> type = mpi::predefined(own.datatype);
  if (!type) return std::nullopt;
  const mpi::ReductionKind kind = mpi::reduction_kind(op, *type);
  if (kind == mpi::ReductionKind::unsupported || only_mpi_knows_the_sum(kind, *type)) {
    return std::nullopt;
  }
  return Reduction{operation, own, op, *type, kind};
}

}  // namespace tightwire::collective
