#include "p2p/element.h"

#include <vector>

namespace tightwire::p2p {
namespace {

using collective::PredefinedType;

#if MPI_VERSION >= 4
using Count = MPI_Count;  // the wide form is for types that were made with wide counts, too
#else
using Count = int;
#endif

// How many of each MPI keeps of a datatype's making.
struct Envelope {
  Count integers = 0;
  Count addresses = 0;
  Count counts = 0;
  Count types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

Envelope envelope_of(MPI_Datatype datatype) {
  Envelope e;
#if MPI_VERSION >= 4
  PMPI_Type_get_envelope_c(datatype, &e.integers, &e.addresses, &e.counts, &e.types, &e.combiner);
#else
  PMPI_Type_get_envelope(datatype, &e.integers, &e.addresses, &e.types, &e.combiner);
#endif
  return e;
}

// The types that it was made of.
std::vector<MPI_Datatype> parts_of(MPI_Datatype datatype) {
  const Envelope e = envelope_of(datatype);
  if (e.combiner == MPI_COMBINER_NAMED || e.types == 0) return {};
  std::vector<int> integers(static_cast<std::size_t>(e.integers) + 1);
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(e.addresses) + 1);
  std::vector<MPI_Datatype> types(static_cast<std::size_t>(e.types));
#if MPI_VERSION >= 4
  std::vector<MPI_Count> counts(static_cast<std::size_t>(e.counts) + 1);
  PMPI_Type_get_contents_c(datatype, e.integers, e.addresses, e.counts, e.types, integers.data(),
                           addresses.data(), counts.data(), types.data());
#else
  PMPI_Type_get_contents(datatype, e.integers, e.addresses, e.types, integers.data(),
                         addresses.data(), types.data());
#endif
  return types;
}

// Handles of derived types that MPI_Type_get_contents gives are new ones; those of named and of
// parametrised Fortran types are MPI's own.
void free_if_derived(MPI_Datatype datatype) {
  switch (envelope_of(datatype).combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
      return;
    default:
      PMPI_Type_free(&datatype);
  }
}

bool same(const PredefinedType& a, const PredefinedType& b) {
  return a.type_class == b.type_class && a.element == b.element;
}

}  // namespace

std::optional<PredefinedType> element_of(MPI_Datatype datatype) {
  if (const auto known = collective::predefined(datatype)) return known;
  const std::vector<MPI_Datatype> parts = parts_of(datatype);
  std::optional<PredefinedType> element;
  bool alike = !parts.empty();
  for (const MPI_Datatype part : parts) {
    const auto of_part = element_of(part);
    alike = alike && of_part && (!element || same(*element, *of_part));
    if (!element) element = of_part;
    free_if_derived(part);
  }
  return alike ? element : std::nullopt;
}

}  // namespace tightwire::p2p
