#include "mpi/datatype/element_type.h"

#include "mpi/datatype/datatype_contents.h"

namespace tightwire::mpi {
namespace {

bool same(const PredefinedType& a, const PredefinedType& b) {
  return a.type_class == b.type_class && a.element == b.element;
}

}  // namespace

std::optional<PredefinedType> element_of(MPI_Datatype datatype) {
  if (const auto known = predefined(datatype)) return known;
  const DatatypeContents contents(datatype);
  std::optional<PredefinedType> element;
  for (const MPI_Datatype part : contents.types()) {
    const auto of_part = element_of(part);
    if (!of_part || (element && !same(*element, *of_part))) return std::nullopt;
    element = of_part;
  }
  return element;
}

}  // namespace tightwire::mpi
