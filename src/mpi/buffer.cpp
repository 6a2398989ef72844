#include "mpi/buffer.h"

#include <cstdint>

#include "mpi/datatype/predefined_type.h"
#include "mpi/error.h"
#include "runtime/log.h"

namespace tightwire::mpi {

std::size_t Buffer::bytes() const {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return 0;
  const std::size_t size = type_size(datatype);
  if (size == no_size) throw MpiError{MPI_ERR_TYPE};
  return size * static_cast<std::size_t>(count);
}

Buffer Buffer::at(std::ptrdiff_t items, std::ptrdiff_t new_count) const {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(datatype, &lower, &extent));
  return {static_cast<std::byte*>(address) + items * extent, new_count, datatype};
}

// MPI_BOTTOM is nullptr, from which no pointer may be reckoned.
Buffer Buffer::shifted(std::ptrdiff_t bytes, std::ptrdiff_t new_count, MPI_Datatype type) const {
  const auto place = reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(bytes);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return {reinterpret_cast<const void*>(place), new_count, type};
}

void Buffer::refuse() {
  runtime::log(
      "a buffer lies in the memory of a GPU, where messages that may be compressed cannot be put: "
      "TIGHTWIRE_POINT_TO_POINT=off leaves those between two ranks to MPI, TIGHTWIRE_MODE=raw all");
  throw MpiError{MPI_ERR_BUFFER};
}

}  // namespace tightwire::mpi
