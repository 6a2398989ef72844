// MPI's constructors of datatypes, each by its plain form or by MPI 4's with wide counts.
#pragma once

#include <mpi.h>

#include <vector>

namespace datatypes {

using Lengths = std::vector<int>;

#if MPI_VERSION >= 4
template <class T>
std::vector<MPI_Count> widened(const std::vector<T>& numbers) {
  return {numbers.begin(), numbers.end()};
}
#define TIGHTWIRE_WIDE(call) \
  if (wide) {                \
    call;                    \
    return made;             \
  }
#else
#define TIGHTWIRE_WIDE(call) static_cast<void>(wide)
#endif

inline MPI_Datatype contiguous(bool wide, int count, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  TIGHTWIRE_WIDE(MPI_Type_contiguous_c(count, type, &made));
  MPI_Type_contiguous(count, type, &made);
  return made;
}

inline MPI_Datatype vector(bool wide, int count, int length, int stride, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  TIGHTWIRE_WIDE(MPI_Type_vector_c(count, length, stride, type, &made));
  MPI_Type_vector(count, length, stride, type, &made);
  return made;
}

inline MPI_Datatype hvector(bool wide, int count, int length, MPI_Aint stride, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  TIGHTWIRE_WIDE(MPI_Type_create_hvector_c(count, length, stride, type, &made));
  MPI_Type_create_hvector(count, length, stride, type, &made);
  return made;
}

inline MPI_Datatype resized(bool wide, MPI_Aint lower, MPI_Aint extent, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  TIGHTWIRE_WIDE(MPI_Type_create_resized_c(type, lower, extent, &made));
  MPI_Type_create_resized(type, lower, extent, &made);
  return made;
}

inline MPI_Datatype indexed(bool wide, const Lengths& lengths, const std::vector<int>& places,
                            MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(lengths.size());
  TIGHTWIRE_WIDE(
      MPI_Type_indexed_c(count, widened(lengths).data(), widened(places).data(), type, &made));
  MPI_Type_indexed(count, lengths.data(), places.data(), type, &made);
  return made;
}

inline MPI_Datatype hindexed(bool wide, const Lengths& lengths, const std::vector<MPI_Aint>& places,
                             MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(lengths.size());
  TIGHTWIRE_WIDE(MPI_Type_create_hindexed_c(count, widened(lengths).data(), widened(places).data(),
                                            type, &made));
  MPI_Type_create_hindexed(count, lengths.data(), places.data(), type, &made);
  return made;
}

inline MPI_Datatype indexed_block(bool wide, int length, const std::vector<int>& places,
                                  MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(places.size());
  TIGHTWIRE_WIDE(
      MPI_Type_create_indexed_block_c(count, length, widened(places).data(), type, &made));
  MPI_Type_create_indexed_block(count, length, places.data(), type, &made);
  return made;
}

inline MPI_Datatype hindexed_block(bool wide, int length, const std::vector<MPI_Aint>& places,
                                   MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(places.size());
  TIGHTWIRE_WIDE(
      MPI_Type_create_hindexed_block_c(count, length, widened(places).data(), type, &made));
  MPI_Type_create_hindexed_block(count, length, places.data(), type, &made);
  return made;
}

inline MPI_Datatype structure(bool wide, const Lengths& lengths,
                              const std::vector<MPI_Aint>& places,
                              const std::vector<MPI_Datatype>& types) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(types.size());
  TIGHTWIRE_WIDE(MPI_Type_create_struct_c(count, widened(lengths).data(), widened(places).data(),
                                          types.data(), &made));
  MPI_Type_create_struct(count, lengths.data(), places.data(), types.data(), &made);
  return made;
}

inline MPI_Datatype subarray(bool wide, const Lengths& sizes, const Lengths& subsizes,
                             const Lengths& starts, int order, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const auto dimensions = static_cast<int>(sizes.size());
  TIGHTWIRE_WIDE(MPI_Type_create_subarray_c(dimensions, widened(sizes).data(),
                                            widened(subsizes).data(), widened(starts).data(), order,
                                            type, &made));
  MPI_Type_create_subarray(dimensions, sizes.data(), subsizes.data(), starts.data(), order, type,
                           &made);
  return made;
}

#undef TIGHTWIRE_WIDE

}  // namespace datatypes
