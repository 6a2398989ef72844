// Buffers of a collective that GPUs carry out: each is in memory of a GPU, or of the host alone.
#pragma once

#include <memory>

#include "collective/transfer/work.h"
#include "mpi/buffer.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {

// The GPU's side of images from which a rank sends and to which it receives; nullptr where there is
// none, or it does not code there.
struct DeviceSides {
  std::shared_ptr<mpi::CodedBuffer> from;
  std::shared_ptr<mpi::CodedBuffer> to;
};

// `first`: the first part of an image. Other types than predefined ones are packed on the host.
[[nodiscard]] std::shared_ptr<mpi::CodedBuffer> device_side_of(const mpi::Buffer& first);

// A part of the image that begins at `image`: its values come there, if they have been left on a
// GPU. Throws MpiError.
void fetch_part(const mpi::Buffer& part, const void* image);

// When all is over: what has come is where it belongs, unless something failed. Throws MpiError
// where something could not be copied, of which others have been told.
void finish(const DeviceSides& sides, const Work& work);

}  // namespace tightwire::collective
