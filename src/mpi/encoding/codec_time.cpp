#include "mpi/encoding/codec_time.h"

#include <algorithm>
#include <vector>

#include "codec/estimate/estimate.h"
#include "mpi/encoding/own_speeds.h"
#include "os/thread_time.h"
#include "runtime/runtime.h"
#include "wire/pack.h"

namespace tightwire::mpi {
namespace {

constexpr std::size_t piece_count = policy::OwnSpeed::first_known;
constexpr std::size_t shortest_piece = std::size_t{32} << 10;
constexpr std::size_t longest_piece = std::size_t{64} << 10;

void encode_and_tell(std::span<const std::byte> values, const codec::Encoding& encoding,
                     std::span<std::byte> frame) {
  const double begin = os::thread_seconds();
  const std::size_t size =
      wire::pack(*encoding.codec, encoding.type, values, encoding.parameters, 0, frame);
  const double took = os::thread_seconds() - begin;
  if (size >= values.size()) return;
  codec::Prediction made{encoding.codec->id(),
                         static_cast<double>(values.size()) / static_cast<double>(size)};
  codec::predict_times(encoding.type, values.size(), made);
  own_speeds().add({made.codec}, made.encode_seconds, took);
}

}  // namespace

std::optional<double> own_codec_time(std::span<const std::byte> values,
                                     const codec::Encoding& encoding) {
  if (runtime::is_deterministic()) return std::nullopt;
  const codec::Id codec = encoding.codec->id();
  if (const auto known = own_speeds().usual(codec)) return known;
  if (values.size() < piece_count * shortest_piece || !own_speeds().is_to_be_tried(codec)) {
    return std::nullopt;
  }
  const std::size_t stride = values.size() / piece_count / sizeof(double) * sizeof(double);
  const std::size_t piece = std::min(stride, longest_piece);
  std::vector<std::byte> frame(wire::packing_size(*encoding.codec, encoding.type, piece));
  for (std::size_t i = 0; i < piece_count; ++i) {
    encode_and_tell(values.subspan(i * stride, piece), encoding, frame);
  }
  return own_speeds().usual(codec);
}

}  // namespace tightwire::mpi
