#include "collective/operation/on_devices/on_either_side.h"

#include <span>

#include "mpi/datatype/predefined_type.h"
#include "mpi/error.h"

namespace tightwire::collective {

std::shared_ptr<mpi::CodedBuffer> device_side_of(const mpi::Buffer& first) {
  return mpi::predefined(first.datatype) ? mpi::coded_buffer_at(first.address) : nullptr;
}

void fetch_part(const mpi::Buffer& part, const void* image) {
  const auto side = mpi::coded_buffer_at(image);
  if (side != nullptr && side->is_left()) side->fetch(std::span(part.host(), part.bytes()));
}

void finish(const DeviceSides& sides, const Work& work) {
  for (const auto& side : {sides.from, sides.to}) {
    if (side != nullptr && side->has_failed()) throw mpi::MpiError{MPI_ERR_BUFFER};
  }
  if (sides.to != nullptr && !work.health.failed()) sides.to->set_decoded();
}

}  // namespace tightwire::collective
