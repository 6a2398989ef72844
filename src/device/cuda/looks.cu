#include <algorithm>

#include "device/cuda/lanes.cuh"
#include "device/cuda/looks.h"
#include "device/profile.h"

namespace tightwire::device {
namespace {

constexpr unsigned threads = RangeMemory::parts;
constexpr std::uint64_t most_blocks = 2048;

__device__ RangeMemory& range_memory() {
  __shared__ __align__(16) unsigned char shared[sizeof(RangeMemory)];
  return *reinterpret_cast<RangeMemory*>(shared);
}

template <class T>
__global__ void __launch_bounds__(threads)
    add_ranges(const T* values, std::uint64_t count, OrderedRange* ranges, unsigned which) {
  CudaLanes lanes;
  const OrderedRange all{OrderedRange::lowest, OrderedRange::highest};
  const OrderedRange outer = which == 0 ? all : ranges[which - 1];
  constexpr std::uint64_t step = Extent<T>::values;
  for (std::uint64_t first = blockIdx.x * step; first < count; first += gridDim.x * step) {
    const std::uint64_t left = count - first;
    add_range(lanes, values + first, static_cast<unsigned>(left < step ? left : step), outer,
              range_memory(), ranges[which]);
  }
}

template <class T>
__global__ void take_pieces(const T* values, Pieces pieces, T* out) {
  CudaLanes lanes;
  const std::uint32_t piece = blockIdx.x;
  take_piece(lanes, values, pieces, piece, out + std::uint64_t{piece} * pieces.length);
}

__global__ void begin_ranges(OrderedRange* ranges) {
  ranges[threadIdx.x] = OrderedRange{};
}

}  // namespace

cudaError_t find_ranges(codec::ElementType type, const void* d_values, std::uint64_t count,
                        OrderedRange* d_ranges, unsigned ranges, cudaStream_t stream) {
  begin_ranges<<<1, ranges, 0, stream>>>(d_ranges);
  if (count == 0) return cudaGetLastError();
  const auto run = [&]<class T>(const T* values) {
    const std::uint64_t chunks = (count - 1) / Extent<T>::values + 1;
    const auto blocks = static_cast<unsigned>(std::min(chunks, most_blocks));
    for (unsigned which = 0; which < ranges; ++which) {
      add_ranges<T><<<blocks, threads, 0, stream>>>(values, count, d_ranges, which);
    }
    return cudaGetLastError();
  };
  if (type == codec::ElementType::float32) return run(static_cast<const float*>(d_values));
  return run(static_cast<const double*>(d_values));
}

cudaError_t take_sample(codec::ElementType type, const void* d_values, const Pieces& pieces,
                        void* d_out, cudaStream_t stream) {
  if (pieces.pieces == 0) return cudaSuccess;
  const auto run = [&]<class T>(const T* values) {
    take_pieces<T><<<pieces.pieces, 64, 0, stream>>>(values, pieces, static_cast<T*>(d_out));
    return cudaGetLastError();
  };
  if (type == codec::ElementType::float32) return run(static_cast<const float*>(d_values));
  return run(static_cast<const double*>(d_values));
}

}  // namespace tightwire::device
