#include "mpi/byte_view.h"

#include <cstring>

#include "mpi/datatype/pack.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/error.h"

namespace tightwire::mpi {

ByteView::ByteView(const Buffer& buffer, Communicator& communicator)
    : buffer_(buffer), type_(predefined(buffer.datatype)) {
  const std::size_t size = buffer.bytes();
  if (type_) {
    if (size > 0) bytes_ = {buffer.host_in_pieces(), size};
  } else if (size > 0) {
    copy_ = communicator.scratch.insist(size);
    bytes_ = copy_.bytes();
  }
}

void ByteView::load() const {
  if (type_) return wait_for_pieces(bytes_);
  load_in_pieces();
}

void ByteView::load_in_pieces() const {
  if (type_ || bytes_.empty()) return;
  fetch_left(buffer_);
  pack_by_mpi(buffer_, bytes_);
}

void ByteView::store() const {
  if (!type_ && !bytes_.empty()) unpack_by_mpi(bytes_, buffer_);
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
