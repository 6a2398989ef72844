// Contiguous bytes as MPI counts them: beyond what int can count, or in two places, one derived
// type.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace tightwire::mpi {

class ByteSegments {
 public:
  ByteSegments() = default;
  // Throws MpiError.
  explicit ByteSegments(std::span<const std::byte> first, std::span<const std::byte> second = {});
  ~ByteSegments();
  ByteSegments(ByteSegments&& other) noexcept;
  ByteSegments& operator=(ByteSegments&& other) noexcept;
  ByteSegments(const ByteSegments&) = delete;
  ByteSegments& operator=(const ByteSegments&) = delete;

  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  void* address_ = nullptr;
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  bool own_type_ = false;
};

}  // namespace tightwire::mpi
