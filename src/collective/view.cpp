#include "collective/view.h"

#include "collective/failure.h"
#include "collective/packed.h"

namespace tightwire::collective {

std::size_t UserBuffer::bytes() const {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return 0;
  MPI_Count size = 0;
  check(PMPI_Type_size_x(datatype, &size));
  return size > 0 ? static_cast<std::size_t>(size) * static_cast<std::size_t>(count) : 0;
}

UserBuffer UserBuffer::at(std::ptrdiff_t items, int new_count) const {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(datatype, &lower, &extent));
  return {static_cast<std::byte*>(address) + items * extent, new_count, datatype};
}

ByteView::ByteView(const UserBuffer& buffer, Scratch& scratch)
    : buffer_(buffer), type_(predefined(buffer.datatype)) {
  const std::size_t size = buffer.bytes();
  if (type_) {
    bytes_ = {static_cast<std::byte*>(buffer.address), size};
  } else if (size > 0) {
    copy_ = scratch.borrow(size);
    bytes_ = copy_.bytes();
  }
}

void ByteView::load() const {
  if (!type_ && !bytes_.empty()) pack(buffer_.address, buffer_.count, buffer_.datatype, bytes_);
}

void ByteView::store() const {
  if (!type_ && !bytes_.empty()) unpack(bytes_, buffer_.address, buffer_.count, buffer_.datatype);
}

}  // namespace tightwire::collective
