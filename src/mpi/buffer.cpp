#include "mpi/buffer.h"

#include <cstring>

#include "mpi/datatype/mpi_pack.h"
#include "mpi/error.h"

namespace tightwire::mpi {

std::size_t Buffer::bytes() const {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return 0;
  MPI_Count size = 0;
  check(PMPI_Type_size_x(datatype, &size));
  return size > 0 ? static_cast<std::size_t>(size) * static_cast<std::size_t>(count) : 0;
}

Buffer Buffer::at(std::ptrdiff_t items, std::ptrdiff_t new_count) const {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(datatype, &lower, &extent));
  return {static_cast<std::byte*>(address) + items * extent, new_count, datatype};
}

ByteView::ByteView(const Buffer& buffer, Communicator& communicator)
    : communicator_(&communicator), buffer_(buffer), type_(predefined(buffer.datatype)) {
  const std::size_t size = buffer.bytes();
  if (type_) {
    bytes_ = {static_cast<std::byte*>(buffer.address), size};
  } else if (size > 0) {
    copy_ = communicator.scratch.borrow(size);
    bytes_ = copy_.bytes();
  }
}

void ByteView::load() const {
  if (!type_ && !bytes_.empty())
    mpi_pack(communicator_->comm, buffer_.address, buffer_.count, buffer_.datatype, bytes_);
}

void ByteView::store() const {
  if (!type_ && !bytes_.empty())
    mpi_unpack(communicator_->comm, bytes_, buffer_.address, buffer_.count, buffer_.datatype);
}

void copy(const Buffer& from, const Buffer& to, Communicator& communicator) {
  const ByteView source(from, communicator);
  const ByteView target(to, communicator);
  const std::size_t size = source.bytes().size();
  if (size == 0) return;
  if (size > target.bytes().size()) throw MpiError{MPI_ERR_TRUNCATE};
  if (size < target.bytes().size()) target.load();  // what no value came for stays as it is
  source.load();
  std::memmove(target.bytes().data(), source.bytes().data(), size);
  target.store();
}

}  // namespace tightwire::mpi
