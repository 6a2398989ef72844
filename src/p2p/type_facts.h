// What is known of a datatype, found out once and kept with the type.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <span>

#include "collective/datatype.h"
#include "collective/view.h"
#include "p2p/layout.h"

namespace tightwire::p2p {

struct TypeFacts {
  std::optional<collective::PredefinedType> element;  // as element_of()
  std::optional<Layout> item;
  std::ptrdiff_t extent = 0;  // from one item to the next
};

// Facts are an attribute of the datatype: they go with it, so that another type of the same handle
// cannot have them, and are shared by its duplicates. Between open_type_facts() and
// close_type_facts(). Thread safe. Throws MpiError, std::bad_alloc.
[[nodiscard]] std::shared_ptr<const TypeFacts> facts_of(MPI_Datatype datatype);
void open_type_facts();
void close_type_facts();

// As element_of().
[[nodiscard]] std::optional<collective::PredefinedType> element_of_message(MPI_Datatype datatype);
// The layout of all items of a buffer, counted from its address; nothing where MPI must pack it.
[[nodiscard]] std::optional<Layout> layout_of(const collective::UserBuffer& buffer);
// The memory of a layout, if it is one row.
[[nodiscard]] std::optional<std::span<std::byte>> row_of(const Layout& layout, void* address);

}  // namespace tightwire::p2p
