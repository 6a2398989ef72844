#include "p2p/packing.h"

#include <climits>
#include <mutex>

#include "collective/failure.h"
#include "collective/packed.h"
#include "p2p/engine.h"

namespace tightwire::p2p {
namespace {

using collective::check;
using collective::UserBuffer;

// The same memory, named from an address that is not MPI_BOTTOM: MPICH 4.0 refuses to pack from
// there.
class FromSomewhere {
 public:
  explicit FromSomewhere(const UserBuffer& buffer) : buffer_(buffer) {
    if (buffer.address != MPI_BOTTOM) return;
    static std::byte somewhere{};
    MPI_Aint place = 0;
    check(PMPI_Get_address(&somewhere, &place));
    place = -place;
    const int count = static_cast<int>(buffer.count);
    check(PMPI_Type_create_hindexed(1, &count, &place, buffer.datatype, &moved_));
    check(PMPI_Type_commit(&moved_));
    buffer_ = {&somewhere, 1, moved_};
  }
  ~FromSomewhere() {
    if (moved_ != MPI_DATATYPE_NULL) PMPI_Type_free(&moved_);
  }
  FromSomewhere(const FromSomewhere&) = delete;
  FromSomewhere& operator=(const FromSomewhere&) = delete;

  [[nodiscard]] const UserBuffer& buffer() const { return buffer_; }

 private:
  UserBuffer buffer_;
  MPI_Datatype moved_ = MPI_DATATYPE_NULL;
};

// More than MPI_Pack can count goes as a message to oneself.
std::unique_lock<std::mutex> lock_for(std::size_t bytes) {
  return bytes > INT_MAX ? std::unique_lock(engine().self_mutex) : std::unique_lock<std::mutex>();
}

}  // namespace

void pack(const UserBuffer& buffer, std::span<std::byte> bytes) {
  const FromSomewhere from(buffer);
  const UserBuffer& user = from.buffer();
  const auto lock = lock_for(bytes.size());
  collective::pack(engine().self, user.address, user.count, user.datatype, bytes);
}

void unpack(std::span<const std::byte> bytes, const UserBuffer& buffer) {
  const FromSomewhere to(buffer);
  const UserBuffer& user = to.buffer();
  const auto lock = lock_for(bytes.size());
  collective::unpack(engine().self, bytes, user.address, user.count, user.datatype);
}

}  // namespace tightwire::p2p
