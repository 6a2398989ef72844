// How long codecs take, from tables of measured speeds by class of ratio.
#include <algorithm>
#include <cmath>

#include "codec/estimate/estimate.h"

namespace tightwire::codec {
namespace {

struct Speed {
  Id codec;
  std::size_t value_size;
  double ratio;
  double encode;  // GB/s of values, one core
  double decode;
};

// Measured by ./run bench estimator --table, which prints these lines: one core of a Xeon (Sapphire
// Rapids) with AVX-512, GCC 12, on the fields of bench/fields. Sorted by codec, size, ratio.
constexpr Speed speeds[] = {
#include "codec/estimate/speeds.inc"
};

// With the entropy coder, in the same way; by ./run bench codec.
constexpr Speed coded_speeds[] = {
    {Id::exact, 4, 1, 0.5, 1.0},
    {Id::exact, 8, 1, 0.9, 1.5},
    {Id::bounded, 4, 1, 0.5, 1.0},
    {Id::bounded, 8, 1, 0.9, 1.5},
};

// Of a call, whatever the size.
constexpr double fixed_seconds = 1e-6;

// Of a codec that has no lines in the tables.
Speed typical_speed(Id codec) {
  const Traits& traits = traits_of(codec);
  return {codec, 0, 1, traits.encode_speed, traits.decode_speed};
}

double between(double a, double b, double part) {
  return a + (b - a) * part;
}

}  // namespace

void predict_times(ElementType type, std::size_t bytes, Prediction& prediction) noexcept {
  const std::size_t size = element_size(type) == 8 ? 8 : 4;
  const Speed* below = nullptr;
  const Speed* above = nullptr;
  const bool coded = prediction.second_stage == SecondStage::entropy;
  for (const Speed& speed :
       coded ? std::span<const Speed>(coded_speeds) : std::span<const Speed>(speeds)) {
    if (speed.codec != prediction.codec || speed.value_size != size) continue;
    if (speed.ratio <= prediction.ratio || below == nullptr) below = &speed;
    if (above == nullptr && speed.ratio >= prediction.ratio) above = &speed;
  }
  const Speed typical = typical_speed(prediction.codec);
  if (below == nullptr && traits_of(prediction.codec).sampled) below = &typical;
  if (below == nullptr) return;
  if (above == nullptr) above = below;
  const double width = std::log(above->ratio / below->ratio);
  const double part =
      width > 0 ? std::clamp(std::log(prediction.ratio / below->ratio) / width, 0.0, 1.0) : 0;
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  prediction.encode_seconds =
      fixed_seconds + gigabytes / between(below->encode, above->encode, part);
  prediction.decode_seconds =
      fixed_seconds + gigabytes / between(below->decode, above->decode, part);
}

}  // namespace tightwire::codec
