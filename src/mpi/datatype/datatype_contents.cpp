#include "mpi/datatype/datatype_contents.h"

#include "mpi/datatype/wide_counts.h"
#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

// How many of each MPI keeps of a datatype's making.
struct Envelope {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count counts = 0;  // of types that were made with wide counts
  MPI_Count types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

Envelope envelope_of(MPI_Datatype datatype) {
  Envelope e;
#if MPI_VERSION >= 4
  if (knows_wide_counts()) {
    check(PMPI_Type_get_envelope_c(datatype, &e.integers, &e.addresses, &e.counts, &e.types,
                                   &e.combiner));
    return e;
  }
#endif
  int integers = 0;
  int addresses = 0;
  int types = 0;
  check(PMPI_Type_get_envelope(datatype, &integers, &addresses, &types, &e.combiner));
  e.integers = integers;
  e.addresses = addresses;
  e.types = types;
  return e;
}

void get_contents(MPI_Datatype datatype, const Envelope& e, std::vector<int>& integers,
                  std::vector<MPI_Aint>& addresses, [[maybe_unused]] std::vector<MPI_Count>& counts,
                  std::vector<MPI_Datatype>& types) {
#if MPI_VERSION >= 4
  if (knows_wide_counts()) {
    check(PMPI_Type_get_contents_c(datatype, e.integers, e.addresses, e.counts, e.types,
                                   integers.data(), addresses.data(), counts.data(), types.data()));
    return;
  }
#endif
  check(PMPI_Type_get_contents(datatype, static_cast<int>(e.integers),
                               static_cast<int>(e.addresses), static_cast<int>(e.types),
                               integers.data(), addresses.data(), types.data()));
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

}  // namespace

DatatypeContents::DatatypeContents(MPI_Datatype datatype) {
  const Envelope e = envelope_of(datatype);
  combiner_ = e.combiner;
  if (combiner_ == MPI_COMBINER_NAMED) return;
  wide_ = e.counts > 0;
  // One more of each, since MPI may refuse the address of nothing.
  std::vector<int> integers(static_cast<std::size_t>(e.integers) + 1);
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(e.addresses) + 1);
  std::vector<MPI_Count> counts(static_cast<std::size_t>(e.counts) + 1);
  std::vector<MPI_Datatype> types(static_cast<std::size_t>(e.types) + 1, MPI_DATATYPE_NULL);
  get_contents(datatype, e, integers, addresses, counts, types);
  types.pop_back();
  types_ = std::move(types);
  numbers_.reserve(integers.size() + addresses.size() + counts.size());
  numbers_.insert(numbers_.end(), integers.begin(), integers.end() - 1);
  numbers_.insert(numbers_.end(), addresses.begin(), addresses.end() - 1);
  numbers_.insert(numbers_.end(), counts.begin(), counts.end() - 1);
}

DatatypeContents::~DatatypeContents() {
  for (const MPI_Datatype type : types_) free_if_derived(type);
}

}  // namespace tightwire::mpi
