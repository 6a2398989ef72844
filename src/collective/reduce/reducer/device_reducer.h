// Reductions whose ranks have their values on GPUs, and are to have the result there: sums of
// streams of the device profile, made where the values are.
#pragma once

#include <memory>

#include "collective/reduce/frame_reducer.h"

namespace tightwire::collective {

// Of a plan of plan_reduction_on_devices(). `own` and `result` are images: they are looked up by
// their addresses (mpi/device/coded_buffer.h). What a device cannot do is done by the processor, to
// the same bytes. A result on the host is decoded there.
[[nodiscard]] std::unique_ptr<FrameReducer> make_device_reducer(const codec::Encoding& encoding,
                                                                const mpi::Buffer& own,
                                                                const mpi::Buffer& result,
                                                                int rank);

}  // namespace tightwire::collective
