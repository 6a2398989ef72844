// A row of bytes as MPI counts it: beyond what int can count, or in two places, one derived type.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace tightwire::p2p {

class Row {
 public:
  Row() = default;
  // Throws MpiError.
  explicit Row(std::span<const std::byte> first, std::span<const std::byte> second = {});
  ~Row();
  Row(Row&& other) noexcept;
  Row& operator=(Row&& other) noexcept;
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  void* address_ = nullptr;
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  bool own_type_ = false;
};

}  // namespace tightwire::p2p
