#include "collective/packed.h"

#include <climits>

#include "collective/failure.h"

namespace tightwire::collective {
namespace {

// A byte type that reaches beyond 2 GiB, where counts are int.
class ByteRow {
 public:
  explicit ByteRow(std::size_t size) {
    constexpr std::size_t block = std::size_t{1} << 20;
    const int blocks = static_cast<int>(size / block);
    const int rest = static_cast<int>(size % block);
    MPI_Datatype row = MPI_DATATYPE_NULL;
    MPI_Datatype megabyte = MPI_DATATYPE_NULL;
    check(PMPI_Type_contiguous(block, MPI_BYTE, &megabyte));
    check(PMPI_Type_contiguous(blocks, megabyte, &row));
    const int lengths[] = {1, rest};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(size - static_cast<std::size_t>(rest))};
    const MPI_Datatype types[] = {row, MPI_BYTE};
    check(PMPI_Type_create_struct(2, lengths, places, types, &handle_));
    check(PMPI_Type_commit(&handle_));
    check(PMPI_Type_free(&row));
    check(PMPI_Type_free(&megabyte));
  }
  ~ByteRow() { PMPI_Type_free(&handle_); }
  ByteRow(const ByteRow&) = delete;
  ByteRow& operator=(const ByteRow&) = delete;

  [[nodiscard]] MPI_Datatype handle() const { return handle_; }

 private:
  MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

}  // namespace

// A message to oneself converts between any two layouts of one signature, of any size; MPI_Pack
// counts in int.
void convert(Communicator& communicator, const void* from, int from_count, MPI_Datatype from_type,
             void* to, int to_count, MPI_Datatype to_type) {
  constexpr int tag = 6;
  const int self = communicator.rank;
  check(PMPI_Sendrecv(from, from_count, from_type, self, tag, to, to_count, to_type, self, tag,
                      communicator.comm, MPI_STATUS_IGNORE));
}

// MPI_Pack wherever int can count the bytes: MPICH 4.0 fails to send records to oneself as bytes
// (an array of a resized structure is "truncated").
void pack(Communicator& communicator, const void* buffer, int count, MPI_Datatype datatype,
          std::span<std::byte> bytes) {
  if (bytes.size() <= INT_MAX) {
    int position = 0;
    check(PMPI_Pack(buffer, count, datatype, bytes.data(), static_cast<int>(bytes.size()),
                    &position, communicator.comm));
    return;
  }
  const ByteRow row(bytes.size());
  convert(communicator, buffer, count, datatype, bytes.data(), 1, row.handle());
}

void unpack(Communicator& communicator, std::span<const std::byte> bytes, void* buffer, int count,
            MPI_Datatype datatype) {
  if (bytes.size() <= INT_MAX) {
    int position = 0;
    check(PMPI_Unpack(bytes.data(), static_cast<int>(bytes.size()), &position, buffer, count,
                      datatype, communicator.comm));
    return;
  }
  const ByteRow row(bytes.size());
  convert(communicator, bytes.data(), 1, row.handle(), buffer, count, datatype);
}

}  // namespace tightwire::collective
