#include "interpose/audit/prepared.h"

#include "mpi/datatype/element_type.h"
#include "mpi/error.h"

namespace tightwire::auditor {

// A duplicate would call the program's functions for the attributes of its type.
HeldType::HeldType(MPI_Datatype type) : type_(type) {
  if (type == MPI_DATATYPE_NULL || mpi::predefined(type)) return;
  MPI_Datatype own = MPI_DATATYPE_NULL;
  mpi::check(PMPI_Type_contiguous(1, type, &own));
  own_ = std::shared_ptr<void>(nullptr, [own](void*) mutable { PMPI_Type_free(&own); });
  mpi::check(PMPI_Type_commit(&own));
  type_ = own;
}

HeldBuffer::HeldBuffer(const mpi::Buffer& buffer) : buffer_(buffer), type_(buffer.datatype) {}

HeldBlocks::HeldBlocks(const collective::Blocks& blocks, std::size_t number)
    : blocks_(blocks.numbered(number)) {
  if (blocks_.in_place()) return;
  blocks_.keep_arrays();
  for (MPI_Datatype& type : blocks_.types()) {
    types_.emplace_back(type);
    type = types_.back().get();
  }
}

}  // namespace tightwire::auditor
