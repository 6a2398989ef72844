#include "p2p/packing.h"

#include <climits>
#include <mutex>

#include "collective/packed.h"
#include "p2p/engine.h"
#include "p2p/type_facts.h"

namespace tightwire::p2p {
namespace {

using collective::UserBuffer;

// More than MPI_Pack can count goes as a message to oneself.
std::unique_lock<std::mutex> lock_for(std::size_t bytes) {
  return bytes > INT_MAX ? std::unique_lock(engine().self_mutex) : std::unique_lock<std::mutex>();
}

}  // namespace

void pack(const UserBuffer& buffer, std::span<std::byte> bytes) {
  if (const auto layout = layout_of(buffer)) return layout->pack(buffer.address, 0, bytes);
  const auto lock = lock_for(bytes.size());
  collective::pack(engine().self, buffer.address, buffer.count, buffer.datatype, bytes);
}

void unpack(std::span<const std::byte> bytes, const UserBuffer& buffer) {
  if (const auto layout = layout_of(buffer)) return layout->unpack(bytes, 0, buffer.address);
  const auto lock = lock_for(bytes.size());
  collective::unpack(engine().self, bytes, buffer.address, buffer.count, buffer.datatype);
}

}  // namespace tightwire::p2p
