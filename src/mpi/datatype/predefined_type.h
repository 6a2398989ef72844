// What tightwire knows of MPI's predefined datatypes and operations.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/codec.h"

namespace tightwire::mpi {

// Which operations MPI allows on a type (MPI 4.0, section 6.9.2).
enum class TypeClass : std::uint8_t { integer, floating, logical, complex, byte, pair, other };

struct PredefinedType {
  TypeClass type_class = TypeClass::other;
  codec::ElementType element = codec::ElementType::bytes;
  std::size_t item_size = 0;  // bytes of one item, equal to its extent
};

// Nothing for derived types, and for predefined ones with gaps (MPI_DOUBLE_INT and the like).
[[nodiscard]] std::optional<PredefinedType> predefined(MPI_Datatype datatype);

// Bytes of one item's signature, of derived types as well. `no_size` for what MPI complains of, and
// what is larger than it can say. (Every message asks: a number comes back sooner than an
// optional.)
inline constexpr std::size_t no_size = static_cast<std::size_t>(-1);
[[nodiscard]] std::size_t type_size(MPI_Datatype datatype);

// Float, double, or complex pairs of them: what an error bound may apply to.
[[nodiscard]] bool is_boundable(const PredefinedType& type);

// Whether sums and products of it are rounded.
[[nodiscard]] constexpr bool is_rounded(const PredefinedType& type) {
  return type.type_class == TypeClass::floating || type.type_class == TypeClass::complex;
}

// A reduction that tightwire can carry out itself.
enum class ReductionKind : std::uint8_t {
  unsupported,  // not commutative, or an operation that MPI does not allow on the type
  sum,
  min,
  max,
  other,  // any commutative operation, applied by MPI_Reduce_local
};
[[nodiscard]] ReductionKind reduction_kind(MPI_Op op, const PredefinedType& type);
// Whether the program made it.
[[nodiscard]] bool is_users(MPI_Op op);

}  // namespace tightwire::mpi
