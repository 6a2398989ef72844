#include "mpi/datatype/pack.h"

#include <algorithm>
#include <climits>
#include <mutex>

#include "mpi/communicator/private/copy.h"
#include "mpi/datatype/datatype_cache.h"
#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

// A byte type that reaches beyond 2 GiB, where counts are int.
class ContiguousBytes {
 public:
  explicit ContiguousBytes(std::size_t size) {
    constexpr std::size_t block = std::size_t{1} << 20;
    const int blocks = static_cast<int>(size / block);
    const int rest = static_cast<int>(size % block);
    MPI_Datatype megabytes = MPI_DATATYPE_NULL;
    MPI_Datatype megabyte = MPI_DATATYPE_NULL;
    check(PMPI_Type_contiguous(block, MPI_BYTE, &megabyte));
    check(PMPI_Type_contiguous(blocks, megabyte, &megabytes));
    const int lengths[] = {1, rest};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(size - static_cast<std::size_t>(rest))};
    const MPI_Datatype types[] = {megabytes, MPI_BYTE};
    check(PMPI_Type_create_struct(2, lengths, places, types, &handle_));
    check(PMPI_Type_commit(&handle_));
    check(PMPI_Type_free(&megabytes));
    check(PMPI_Type_free(&megabyte));
  }
  ~ContiguousBytes() { PMPI_Type_free(&handle_); }
  ContiguousBytes(const ContiguousBytes&) = delete;
  ContiguousBytes& operator=(const ContiguousBytes&) = delete;

  [[nodiscard]] MPI_Datatype handle() const { return handle_; }

 private:
  MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

// A message to oneself converts between a layout and bytes, however many. Only for single elements
// that MPI_Pack, which counts in int, cannot take: MPICH 4.0 fails to send records to oneself as
// bytes (an array of a resized structure is "truncated").
void convert(MPI_Comm comm, const void* from, MPI_Datatype from_type, void* to,
             MPI_Datatype to_type) {
  constexpr int tag = 6;
  int self = 0;
  check(PMPI_Comm_rank(comm, &self));
  check(PMPI_Sendrecv(from, 1, from_type, self, tag, to, 1, to_type, self, tag, comm,
                      MPI_STATUS_IGNORE));
}

// The same elements, named from an address that is not MPI_BOTTOM: MPICH 4.0 refuses to pack from
// there.
class Elements {
 public:
  Elements(std::byte* address, int count, MPI_Datatype datatype)
      : address_(address), count_(count), datatype_(datatype) {
    if (address != MPI_BOTTOM) return;
    static std::byte somewhere{};
    MPI_Aint place = 0;
    check(PMPI_Get_address(&somewhere, &place));
    place = -place;
    check(PMPI_Type_create_hindexed(1, &count, &place, datatype, &moved_));
    check(PMPI_Type_commit(&moved_));
    address_ = &somewhere;
    count_ = 1;
    datatype_ = moved_;
  }
  ~Elements() {
    if (moved_ != MPI_DATATYPE_NULL) PMPI_Type_free(&moved_);
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  [[nodiscard]] std::byte* address() const { return address_; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype datatype() const { return datatype_; }

 private:
  std::byte* address_;
  int count_;
  MPI_Datatype datatype_;
  MPI_Datatype moved_ = MPI_DATATYPE_NULL;
};

// Calls `body(offset, count, part)` for pieces whose bytes int can count where that is possible:
// `count` elements, `offset` bytes from the buffer's begin, and their part of the packed bytes.
template <class Byte, class Body>
void in_pieces(const Buffer& buffer, std::span<Byte> bytes, Body&& body) {
  if (bytes.empty()) return;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(buffer.datatype, &lower, &extent));
  const std::size_t each = bytes.size() / static_cast<std::size_t>(buffer.count);
  const auto most = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, INT_MAX / each));
  for (std::ptrdiff_t first = 0; first < buffer.count; first += most) {
    const std::ptrdiff_t some = std::min(most, buffer.count - first);
    body(first * extent, static_cast<int>(some),
         bytes.subspan(static_cast<std::size_t>(first) * each,
                       static_cast<std::size_t>(some) * each));
  }
}

// More than MPI_Pack can count goes as a message to oneself.
std::unique_lock<std::mutex> lock_for(std::size_t bytes) {
  return bytes > INT_MAX ? std::unique_lock(self().messages) : std::unique_lock<std::mutex>();
}

// Jobs that compress nothing have no private one. Nothing is sent over the program's own, which has
// the program's messages.
MPI_Comm comm_to_pack(std::size_t bytes) {
  return self().comm == MPI_COMM_NULL && bytes <= INT_MAX ? MPI_COMM_SELF : self().comm;
}

}  // namespace

void pack_by_mpi(const Buffer& buffer, std::span<std::byte> bytes) {
  const MPI_Comm comm = comm_to_pack(bytes.size());
  const auto lock = lock_for(bytes.size());
  auto* const from = static_cast<std::byte*>(buffer.address);
  in_pieces(buffer, bytes, [&](std::ptrdiff_t offset, int some, std::span<std::byte> piece) {
    if (piece.size() > INT_MAX) {
      const ContiguousBytes type(piece.size());
      return convert(comm, from + offset, buffer.datatype, piece.data(), type.handle());
    }
    const Elements user(from + offset, some, buffer.datatype);
    int position = 0;
    check(PMPI_Pack(user.address(), user.count(), user.datatype(), piece.data(),
                    static_cast<int>(piece.size()), &position, comm));
  });
}

void unpack_by_mpi(std::span<const std::byte> bytes, const Buffer& buffer) {
  const MPI_Comm comm = self().comm;
  const auto lock = lock_for(bytes.size());
  auto* const to = static_cast<std::byte*>(buffer.address);
  in_pieces(buffer, bytes, [&](std::ptrdiff_t offset, int some, std::span<const std::byte> piece) {
    if (piece.size() > INT_MAX) {
      const ContiguousBytes type(piece.size());
      return convert(comm, piece.data(), type.handle(), to + offset, buffer.datatype);
    }
    const Elements user(to + offset, some, buffer.datatype);
    int position = 0;
    check(PMPI_Unpack(piece.data(), static_cast<int>(piece.size()), &position, user.address(),
                      user.count(), user.datatype(), comm));
  });
}

void pack(const Buffer& buffer, std::span<std::byte> bytes) {
  if (const auto layout = layout_of(buffer)) return layout->pack(buffer.host(), 0, bytes);
  pack_by_mpi(buffer, bytes);
}

void unpack(std::span<const std::byte> bytes, const Buffer& buffer) {
  if (const auto layout = layout_of(buffer)) return layout->unpack(bytes, 0, buffer.host());
  unpack_by_mpi(bytes, buffer);
}

}  // namespace tightwire::mpi
