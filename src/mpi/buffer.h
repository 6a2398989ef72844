// A buffer of the program as a row of bytes.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "mpi/communicator/communicator.h"
#include "mpi/datatype/predefined_type.h"

namespace tightwire::mpi {

// A buffer as the program names it.
struct Buffer {
  void* address = nullptr;
  std::ptrdiff_t count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;

  // Whether MPI would take it; what it would not is for MPI to complain of.
  [[nodiscard]] bool valid() const {
    return count >= 0 && datatype != MPI_DATATYPE_NULL && address != MPI_IN_PLACE;
  }

  // Bytes of the signature: the same at sender and receiver though their types may differ. 0 for
  // what is invalid. Throws MpiError.
  [[nodiscard]] std::size_t bytes() const;

  // The buffer `items` items further on, as displacements count. Throws MpiError.
  [[nodiscard]] Buffer at(std::ptrdiff_t items, std::ptrdiff_t new_count) const;
};

// This rank's values of a reduction: in place, they are where the result will be.
[[nodiscard]] inline Buffer own_values(const void* sendbuf, void* recvbuf, std::ptrdiff_t count,
                                       MPI_Datatype datatype) {
  return {sendbuf == MPI_IN_PLACE ? recvbuf : const_cast<void*>(sendbuf), count, datatype};
}

// The buffer's own memory where it is a row of bytes already, else a packed copy.
class ByteView {
 public:
  ByteView(const Buffer& buffer, Communicator& communicator);

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  // Nothing for derived types.
  [[nodiscard]] const std::optional<PredefinedType>& type() const { return type_; }

  // From the buffer into bytes(), before sending; and back, after receiving.
  void load() const;
  void store() const;

 private:
  Communicator* communicator_;
  Buffer buffer_;
  std::optional<PredefinedType> type_;
  Scratch::Lease copy_;
  std::span<std::byte> bytes_;
};

// Copies a message that a rank would send to itself; the two may differ in their types. Throws
// MpiError, for a message longer than its destination too.
void copy(const Buffer& from, const Buffer& to, Communicator& communicator);

}  // namespace tightwire::mpi
