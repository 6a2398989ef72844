#include "p2p/element.h"

#include "p2p/contents.h"

namespace tightwire::p2p {
namespace {

using collective::PredefinedType;

bool same(const PredefinedType& a, const PredefinedType& b) {
  return a.type_class == b.type_class && a.element == b.element;
}

}  // namespace

std::optional<PredefinedType> element_of(MPI_Datatype datatype) {
  if (const auto known = collective::predefined(datatype)) return known;
  const Contents contents(datatype);
  std::optional<PredefinedType> element;
  for (const MPI_Datatype part : contents.types()) {
    const auto of_part = element_of(part);
    if (!of_part || (element && !same(*element, *of_part))) return std::nullopt;
    element = of_part;
  }
  return element;
}

}  // namespace tightwire::p2p
