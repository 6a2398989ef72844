// What each codec would make of a message, from a sample of it: for deciding whether and how to
// compress. Also finds the lengths of its rows and planes and its components, for Parameters.
//
// Reads at most 1 % of the values, but at least 4096 and at most 65536 of them, lz4 up to 4096
// more; up to twice as many where there are rows, and three times where it seems that there are
// components. Up to twice as many again of more than 16384 floating-point values alone that seem to
// have no components: rows that a coarse bound hides show in the order of the values, and those
// that bits hide on a fine grid. Pure functions; any number of threads at once; no allocation, no
// error: where nothing can be said, the ratio is 1.
#pragma once

#include <algorithm>
#include <array>

#include "codec/bounded/layout.h"
#include "codec/codec.h"
#include "codec/traits.h"

namespace tightwire::codec {

// Raw among them.
inline constexpr auto sampled_count =
    static_cast<std::size_t>(std::ranges::count(all_traits, true, &Traits::sampled));

// The codecs that can be predicted, raw aside: those that codecs.def says a sample tells of. zstd
// and lz4 cost the most, as they are tried on the sample.
inline constexpr auto predictable = [] {
  std::array<Id, sampled_count - 1> ids{};
  std::size_t size = 0;
  for (const Traits& codec : all_traits) {
    if (codec.sampled && codec.id != Id::raw) ids[size++] = codec.id;
  }
  return ids;
}();
// Those of them that keep every bit.
inline constexpr auto predictable_exact = [] {
  constexpr auto is_exact = [](Id id) { return !traits_of(id).lossy; };
  std::array<Id, std::ranges::count_if(predictable, is_exact)> ids{};
  std::ranges::copy_if(predictable, ids.begin(), is_exact);
  return ids;
}();

struct Prediction {
  Id codec = Id::raw;
  double ratio = 1;           // size of the values / size of the encoding
  double encode_seconds = 0;  // on one core like the one that speeds.inc was measured on
  double decode_seconds = 0;
  SecondStage second_stage = SecondStage::none;
  // How often such values have been encoded so (EstimateMemory::observe), and how many times as
  // long as encode_seconds that took, 0: not known.
  std::uint32_t observed = 0;
  double times_as_long = 0;
};

// Codecs that Parameters::second_stage means something to.
inline constexpr std::size_t staged_count = 2;

struct Estimate {
  std::uint32_t row_length = 0;    // 0: none found, or of no use
  std::uint32_t plane_length = 0;  // the same
  std::uint32_t components = 1;    // for Parameters::components
  // What predicts most of the sampled blocks best, with the parameters' bound if there is one.
  bounded::Predictor predictor = bounded::Predictor::none;
  std::size_t values_read = 0;
  // raw, then what was asked for and supports the type.
  std::array<Prediction, sampled_count + staged_count> predictions{};
  std::size_t size = 0;

  [[nodiscard]] std::span<const Prediction> all() const { return {predictions.data(), size}; }
  [[nodiscard]] std::span<Prediction> all() { return {predictions.data(), size}; }
  // Without a second stage; nullptr if there is none.
  [[nodiscard]] const Prediction* of(Id codec) const;
};

// Rows, planes and components that parameters name are ignored. `bounded` is predicted only within
// parameters.error_bound > 0; where it is, rows and predictor are those for its integers, else
// those for exact values. With parameters.second_stage, what has one is predicted without and with
// it.
[[nodiscard]] Estimate estimate(ElementType type, std::span<const std::byte> values,
                                const Parameters& parameters,
                                std::span<const Id> codecs = predictable) noexcept;

// Whether an estimate can say something of the codec.
[[nodiscard]] bool predictable_for(Id codec, ElementType type,
                                   const Parameters& parameters) noexcept;

// Fills in the seconds for `bytes` of values of the type at prediction.ratio.
void predict_times(ElementType type, std::size_t bytes, Prediction& prediction) noexcept;

}  // namespace tightwire::codec
