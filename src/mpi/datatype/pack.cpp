#include "mpi/datatype/pack.h"

#include <climits>
#include <mutex>

#include "mpi/communicator/private_copy.h"
#include "mpi/datatype/datatype_cache.h"
#include "mpi/datatype/mpi_pack.h"

namespace tightwire::mpi {
namespace {

// More than MPI_Pack can count goes as a message to oneself.
std::unique_lock<std::mutex> lock_for(std::size_t bytes) {
  return bytes > INT_MAX ? std::unique_lock(self().messages) : std::unique_lock<std::mutex>();
}

}  // namespace

void pack(const Buffer& buffer, std::span<std::byte> bytes) {
  if (const auto layout = layout_of(buffer)) return layout->pack(buffer.host(), 0, bytes);
  const auto lock = lock_for(bytes.size());
  mpi_pack(self().comm, buffer.address, buffer.count, buffer.datatype, bytes);
}

void unpack(std::span<const std::byte> bytes, const Buffer& buffer) {
  if (const auto layout = layout_of(buffer)) return layout->unpack(bytes, 0, buffer.host());
  const auto lock = lock_for(bytes.size());
  mpi_unpack(self().comm, bytes, buffer.address, buffer.count, buffer.datatype);
}

}  // namespace tightwire::mpi
