// What is found out of a message on a CUDA device before it is encoded. Buffers, order and errors
// are as in codec.h.
#pragma once

#include "codec/codec.h"
#include "device/cuda/runtime.h"
#include "device/kernels/range.h"
#include "device/kernels/sample.h"

namespace tightwire::device {

// Of the finite values, floats or doubles: their range, that of those inside of it, and so on.
cudaError_t find_ranges(codec::ElementType type, const void* d_values, std::uint64_t count,
                        OrderedRange* d_ranges, unsigned ranges, cudaStream_t stream);

// `d_out` has room for all pieces, one behind the other.
cudaError_t take_sample(codec::ElementType type, const void* d_values, const Pieces& pieces,
                        void* d_out, cudaStream_t stream);

}  // namespace tightwire::device
