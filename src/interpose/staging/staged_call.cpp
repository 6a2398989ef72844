#include "interpose/staging/staged_call.h"

#include <algorithm>

#include "mpi/status.h"
#include "runtime/device_traffic.h"

namespace tightwire::staging {
namespace {

bool is_sent(Use use) {
  return use == Use::sends || use == Use::both;
}

template <class Copy>
void naming(const StagedBuffer& buffer, Copy copy) {
  try {
    copy();
  } catch (const mpi::driver::Error& error) {
    throw BufferError{buffer.name, error};
  }
}

}  // namespace

void StagedCall::fetch(Wanted wanted) {
  for (StagedBuffer& buffer : buffers) {
    naming(buffer, [&] {
      if (!is_sent(buffer.use)) return buffer.image.prepare();
      if (buffer.may_stay && buffer.image.leave_on_device()) return;
      const bool comes_later =
          buffer.may_stay && wanted == Wanted::when_read && buffer.image.begin_to_fetch();
      if (!comes_later) buffer.image.fetch();
      runtime::device_traffic().to_host += buffer.image.bytes();
    });
  }
  under_way = true;
}

void StagedCall::put(const MPI_Status& status) {
  if (!std::exchange(under_way, false) || (by_status && mpi::is_cancelled(status))) return;
  for (StagedBuffer& buffer : buffers) {
    if (buffer.use == Use::sends) continue;
    std::size_t bytes = buffer.image.bytes();
    if (by_status) bytes = std::min(bytes, mpi::bytes_of(status));
    if (buffer.image.is_decoded()) continue;
    naming(buffer, [&] { buffer.image.put(bytes); });
    runtime::device_traffic().to_device += bytes;
  }
}

}  // namespace tightwire::staging
