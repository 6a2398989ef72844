#include "mpi/datatype/predefined_type.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace tightwire::mpi {
namespace {

using codec::ElementType;

struct Known {
  MPI_Datatype handle;
  PredefinedType type;
};

// By the handles, which are pointers or numbers. Needs no memory, so that a type can be looked up
// anywhere, and little time, since every message asks for its type.
class Table {
 public:
  // Of handles for one type the first counts.
  void add(const Known& known) {
    Known& place = known_[place_of(known.handle)];
    if (place.type.item_size != 0) return;
    place = known;
    ++size_;
    assert(size_ < known_.size());
  }
  [[nodiscard]] const Known* find(MPI_Datatype handle) const {
    const Known& known = known_[place_of(handle)];
    return known.type.item_size == 0 ? nullptr : &known;
  }

 private:
  // Where it is, or a free place; there always is one.
  [[nodiscard]] std::size_t place_of(MPI_Datatype handle) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &handle, sizeof(MPI_Datatype));
    std::size_t place = bits * 0x9E3779B97F4A7C15U >> (64 - places_bits);
    while (known_[place].type.item_size != 0 && known_[place].handle != handle) {
      place = (place + 1) % known_.size();
    }
    return place;
  }

  static constexpr unsigned places_bits = 8;
  std::array<Known, std::size_t{1} << places_bits> known_{};
  std::size_t size_ = 0;
};

ElementType integer_of(std::size_t size) {
  switch (size) {
    case 1:
      return ElementType::int8;
    case 2:
      return ElementType::int16;
    case 4:
      return ElementType::int32;
    case 8:
      return ElementType::int64;
    default:
      return ElementType::bytes;
  }
}

ElementType floating_of(std::size_t size) {
  if (size == 4) return ElementType::float32;
  return size == 8 ? ElementType::float64 : ElementType::bytes;
}

ElementType element_of(TypeClass type_class, std::size_t size) {
  switch (type_class) {
    case TypeClass::integer:
    case TypeClass::logical:
      return integer_of(size);
    case TypeClass::floating:
      return floating_of(size);
    case TypeClass::complex:
      return floating_of(size / 2);
    case TypeClass::byte:
    case TypeClass::pair:
    case TypeClass::other:
      return ElementType::bytes;
  }
  return ElementType::bytes;
}

// Types that this MPI does not have are MPI_DATATYPE_NULL; those with gaps are left out.
void add(Table& table, TypeClass type_class, std::initializer_list<MPI_Datatype> types) {
  for (MPI_Datatype handle : types) {
    if (handle == MPI_DATATYPE_NULL) continue;
    int size = 0;
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    PMPI_Type_size(handle, &size);
    PMPI_Type_get_extent(handle, &lower, &extent);
    if (size <= 0 || lower != 0 || extent != size) continue;
    const auto bytes = static_cast<std::size_t>(size);
    table.add({handle, {type_class, element_of(type_class, bytes), bytes}});
  }
}

void fill(Table& table) {
  add(table, TypeClass::floating,
      {MPI_DOUBLE, MPI_FLOAT, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8,
       MPI_LONG_DOUBLE});
  add(table, TypeClass::integer, {MPI_INT,           MPI_LONG,          MPI_UNSIGNED,
                                  MPI_UNSIGNED_LONG, MPI_LONG_LONG,     MPI_INT8_T,
                                  MPI_INT16_T,       MPI_INT32_T,       MPI_INT64_T,
                                  MPI_UINT8_T,       MPI_UINT16_T,      MPI_UINT32_T,
                                  MPI_UINT64_T,      MPI_SHORT,         MPI_UNSIGNED_SHORT,
                                  MPI_SIGNED_CHAR,   MPI_UNSIGNED_CHAR, MPI_UNSIGNED_LONG_LONG,
                                  MPI_INTEGER,       MPI_INTEGER1,      MPI_INTEGER2,
                                  MPI_INTEGER4,      MPI_INTEGER8,      MPI_AINT,
                                  MPI_OFFSET,        MPI_COUNT});
  add(table, TypeClass::byte, {MPI_BYTE});
  add(table, TypeClass::logical, {MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL});
  add(table, TypeClass::complex,
      {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX,
       MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX,
       MPI_COMPLEX8, MPI_COMPLEX16});
  add(table, TypeClass::pair,
      {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
       MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER});
  add(table, TypeClass::other, {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED});
}

// Filled at the first question; what asks afterwards reads one flag, and no guard of a static.
constinit Table all_known;
constinit std::atomic<bool> is_filled{false};

[[gnu::noinline]] void fill_once() {
  static const bool once = [] {
    fill(all_known);
    return true;
  }();
  is_filled.store(once, std::memory_order_release);
}

const Table& table() {
  if (!is_filled.load(std::memory_order_acquire)) fill_once();
  return all_known;
}

enum class OpGroup : std::uint8_t { sum, product, extremum, logical, bitwise, location, user };

OpGroup group_of(MPI_Op op) {
  if (op == MPI_SUM) return OpGroup::sum;
  if (op == MPI_PROD) return OpGroup::product;
  if (op == MPI_MIN || op == MPI_MAX) return OpGroup::extremum;
  if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR) return OpGroup::logical;
  if (op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR) return OpGroup::bitwise;
  if (op == MPI_MINLOC || op == MPI_MAXLOC) return OpGroup::location;
  return OpGroup::user;
}

bool allowed(OpGroup group, TypeClass type_class) {
  switch (group) {
    case OpGroup::sum:
    case OpGroup::product:
      return type_class == TypeClass::integer || type_class == TypeClass::floating ||
             type_class == TypeClass::complex;
    case OpGroup::extremum:
      return type_class == TypeClass::integer || type_class == TypeClass::floating;
    case OpGroup::logical:
      return type_class == TypeClass::integer || type_class == TypeClass::logical;
    case OpGroup::bitwise:
      return type_class == TypeClass::integer || type_class == TypeClass::byte;
    case OpGroup::location:
      return type_class == TypeClass::pair;
    case OpGroup::user:
      return true;
  }
  return false;
}

// MPI_REPLACE and MPI_NO_OP are for one-sided calls only.
bool commutative_user_op(MPI_Op op) {
  if (op == MPI_REPLACE || op == MPI_NO_OP) return false;
  int commutes = 0;
  return PMPI_Op_commutative(op, &commutes) == MPI_SUCCESS && commutes != 0;
}

[[gnu::noinline]] std::size_t size_by_mpi(MPI_Datatype datatype) {
  MPI_Count size = 0;
  if (PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0) return no_size;
  return static_cast<std::size_t>(size);
}

}  // namespace

std::optional<PredefinedType> predefined(MPI_Datatype datatype) {
  const Known* const known = table().find(datatype);
  return known == nullptr ? std::nullopt : std::optional(known->type);
}

std::size_t type_size(MPI_Datatype datatype) {
  const Known* const known = table().find(datatype);
  return known != nullptr ? known->type.item_size : size_by_mpi(datatype);
}

bool is_boundable(const PredefinedType& type) {
  return is_rounded(type) && codec::is_floating_point(type.element);
}

bool is_users(MPI_Op op) {
  return group_of(op) == OpGroup::user;
}

ReductionKind reduction_kind(MPI_Op op, const PredefinedType& type) {
  const OpGroup group = group_of(op);
  if (!allowed(group, type.type_class)) return ReductionKind::unsupported;
  if (group == OpGroup::user) {
    return commutative_user_op(op) ? ReductionKind::other : ReductionKind::unsupported;
  }
  if (group == OpGroup::sum) return ReductionKind::sum;
  if (op == MPI_MIN) return ReductionKind::min;
  return op == MPI_MAX ? ReductionKind::max : ReductionKind::other;
}

}  // namespace tightwire::mpi
