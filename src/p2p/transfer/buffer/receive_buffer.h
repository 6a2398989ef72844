// A buffer of the program as a place for the bytes of a message's signature.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>

#include "mpi/buffer.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/datatype/strided_layout.h"

namespace tightwire::p2p {

class ReceiveBuffer {
 public:
  // Type::kept: the program may free a derived datatype before the message is here. Throws
  // MpiError.
  enum class Type : bool { borrowed, kept };
  ReceiveBuffer(const mpi::Buffer& buffer, Type type);
  ~ReceiveBuffer();
  ReceiveBuffer(ReceiveBuffer&& other) noexcept;
  ReceiveBuffer& operator=(ReceiveBuffer&&) = delete;
  ReceiveBuffer(const ReceiveBuffer&) = delete;
  ReceiveBuffer& operator=(const ReceiveBuffer&) = delete;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const mpi::Buffer& buffer() const { return buffer_; }
  // Memory of a device, contiguous bytes(), to which write() copies.
  [[nodiscard]] bool on_device() const { return on_device_; }
  // The bytes lie in the program's buffer one after another, and the processor may touch them.
  [[nodiscard]] bool contiguous() const { return contiguous_.has_value(); }
  // write_part() may be used.
  [[nodiscard]] bool by_parts() const { return contiguous() || layout_.has_value(); }

  // From the first byte of the program's that a message may change to the last, with what lies
  // between. Throws MpiError.
  [[nodiscard]] std::span<const std::byte> reach() const;

  // Only where contiguous, or for MPI on a device.
  [[nodiscard]] std::span<std::byte> bytes() const {
    return on_device_ ? std::span(static_cast<std::byte*>(buffer_.address), size_) : *contiguous_;
  }

  // Puts bytes at the front; the rest of the buffer stays as it is.
  void write(std::span<const std::byte> bytes) const;
  // Puts bytes where byte `begin` of the signature and those behind it belong. Never throws; any
  // number of threads at once.
  void write_part(std::size_t begin, std::span<const std::byte> bytes) const;

 private:
  void make_own_type();
  void write_part_of_item(std::size_t item, std::span<const std::byte> bytes) const;

  mpi::Buffer buffer_;
  bool predefined_ = false;
  bool on_device_ = false;
  std::optional<mpi::StridedLayout> layout_;
  std::optional<std::span<std::byte>> contiguous_;
  bool own_type_ = false;
  std::size_t item_ = 0;  // size of one item of the datatype
  std::size_t size_ = 0;
};

// The size of a message; 0 for arguments that MPI will complain of.
[[nodiscard]] inline std::size_t signature_bytes(MPI_Datatype datatype, int count) {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return 0;
  const std::size_t size = mpi::type_size(datatype);
  return size == mpi::no_size ? 0 : size * static_cast<std::size_t>(count);
}

}  // namespace tightwire::p2p
