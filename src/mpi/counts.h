// Counts and displacements of a v-operation as the program gives them, int or one of MPI 4's wider
// types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tightwire::mpi {

using Count = std::ptrdiff_t;

// Refers to the program's array, which must stay.
class Counts {
 public:
  template <class Integer>
  requires std::is_integral_v<Integer> Counts(const Integer* array)
      : array_(array), wide_(sizeof(Integer) == sizeof(std::int64_t)) {
    static_assert(sizeof(Integer) == sizeof(std::int64_t) || sizeof(Integer) == sizeof(int));
  }

  [[nodiscard]] bool given() const { return array_ != nullptr; }
  [[nodiscard]] Count operator[](int rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return wide_ ? static_cast<Count>(static_cast<const std::int64_t*>(array_)[at])
                 : static_cast<const int*>(array_)[at];
  }
  [[nodiscard]] bool any_negative(int ranks) const {
    for (int rank = 0; rank < ranks; ++rank) {
      if ((*this)[rank] < 0) return true;
    }
    return false;
  }

 private:
  const void* array_;
  bool wide_;
};

}  // namespace tightwire::mpi
