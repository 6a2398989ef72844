// What is known of a datatype, found out once and kept with the type.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <span>

#include "mpi/buffer.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/datatype/strided_layout.h"

namespace tightwire::mpi {

struct CachedDatatype {
  std::optional<PredefinedType> element;  // as element_of()
  std::optional<StridedLayout> item;
  std::ptrdiff_t extent = 0;  // from one item to the next
};

// Facts are an attribute of the datatype: they go with it, so that another type of the same handle
// cannot have them, and are shared by its duplicates. Between open_datatype_cache() and
// close_datatype_cache(). Thread safe. Throws MpiError, std::bad_alloc.
[[nodiscard]] std::shared_ptr<const CachedDatatype> cached_datatype(MPI_Datatype datatype);
void open_datatype_cache();
void close_datatype_cache();

// One that is not committed is for MPI to complain of. Between the same two calls.
[[nodiscard]] bool is_committed(MPI_Datatype datatype);

// As element_of().
[[nodiscard]] std::optional<PredefinedType> element_of_message(MPI_Datatype datatype);
// The layout of all items of a buffer, counted from its address; nothing where MPI must pack it.
[[nodiscard]] std::optional<StridedLayout> layout_of(const Buffer& buffer);
// The memory of a buffer's layout, if that is contiguous.
[[nodiscard]] std::optional<std::span<std::byte>> contiguous_memory_of(const StridedLayout& layout,
                                                                       const Buffer& buffer);

}  // namespace tightwire::mpi
