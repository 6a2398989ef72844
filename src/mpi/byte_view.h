// A buffer of the program as contiguous bytes, for collectives.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/communicator/communicator.h"
#include "mpi/datatype/predefined_type.h"

namespace tightwire::mpi {

// The buffer's own memory where it is contiguous, else a packed copy.
class ByteView {
 public:
  ByteView(const Buffer& buffer, Communicator& communicator);

  // To be read after one of the two loads.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  // Nothing for derived types.
  [[nodiscard]] const std::optional<PredefinedType>& type() const { return type_; }

  // From the buffer into bytes(), before sending; and back, after receiving.
  void load() const;
  void store() const;
  // As load(), for who waits for what of them is still on its way from a device (device/pieces.h).
  void load_in_pieces() const;

 private:
  Buffer buffer_;
  std::optional<PredefinedType> type_;
  BufferPool::Lease copy_;
  std::span<std::byte> bytes_;
};

// Copies a message that a rank would send to itself; the two may differ in their types. Throws
// MpiError, for a message longer than its destination too.
void copy(const Buffer& from, const Buffer& to, Communicator& communicator);

}  // namespace tightwire::mpi
