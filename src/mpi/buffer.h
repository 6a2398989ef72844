// A buffer as the program names it in a call of MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "mpi/device/memory_space.h"
#include "mpi/device/pieces.h"

namespace tightwire::mpi {

// Made where a call enters, and handed on instead of a pointer. `address` is for MPI, which takes
// memory of any space; whoever reads or writes the values goes through host() or host_bytes().
struct Buffer {
  Buffer() = default;
  // Buffers to send are const in MPI's calls, and are only read here too.
  Buffer(const void* of_values, std::ptrdiff_t items, MPI_Datatype type)
      : address(const_cast<void*>(of_values)), count(items), datatype(type) {}

  void* address = nullptr;
  std::ptrdiff_t count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;

  // Whether MPI would take it; what it would not is for MPI to complain of.
  [[nodiscard]] bool valid() const {
    return count >= 0 && datatype != MPI_DATATYPE_NULL && !in_place();
  }
  [[nodiscard]] bool in_place() const { return address == MPI_IN_PLACE; }

  // Bytes of the signature: the same at sender and receiver though their types may differ. 0 for
  // what is invalid. Throws MpiError.
  [[nodiscard]] std::size_t bytes() const;

  // The address as memory that the processor may touch. Throws MpiError for memory of another
  // space, and says so.
  [[nodiscard]] std::byte* host() const {
    if (const auto pieces = pieces_at(address)) pieces->wait_for_all();
    return host_in_pieces();
  }
  // The same for who waits for what of it he touches (device/pieces.h).
  [[nodiscard]] std::byte* host_in_pieces() const {
    if (memory_space_of(address) != MemorySpace::host) refuse();
    return static_cast<std::byte*>(address);
  }
  // The values of a predefined type, which lie one after another. Throws MpiError as host() does,
  // but not where there are none.
  [[nodiscard]] std::span<std::byte> host_bytes() const {
    const std::size_t size = bytes();
    return size > 0 ? std::span(host(), size) : std::span<std::byte>();
  }

  // The buffer `items` items further on, as displacements count. Throws MpiError.
  [[nodiscard]] Buffer at(std::ptrdiff_t items, std::ptrdiff_t new_count) const;
  // The buffer `bytes` bytes further on; from MPI_BOTTOM on, an address.
  [[nodiscard]] Buffer shifted(std::ptrdiff_t bytes, std::ptrdiff_t new_count,
                               MPI_Datatype type) const;

 private:
  [[noreturn]] static void refuse();
};

// This rank's values of a reduction: in place, they are where the result will be.
[[nodiscard]] inline Buffer own_values(const void* sendbuf, void* recvbuf, std::ptrdiff_t count,
                                       MPI_Datatype datatype) {
  return {sendbuf == MPI_IN_PLACE ? recvbuf : const_cast<void*>(sendbuf), count, datatype};
}

}  // namespace tightwire::mpi
