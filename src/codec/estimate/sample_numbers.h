// The integers that codecs make of a message, and what a sample says of them.
#pragma once

#include <cmath>
#include <optional>

#include "codec/bounded/fitted_grid.h"
#include "codec/bounded/header_grid.h"
#include "codec/codec.h"
#include "codec/estimate/integers.h"
#include "codec/estimate/sample.h"
#include "codec/exact/transform.h"
#include "codec/fill/find.h"

namespace tightwire::codec {

// Of a message of which an estimate was made for another codec.
using Known = std::optional<Structure>;

template <class Integers>
BlockEstimate sample(const Integers& integers, std::size_t count, std::size_t size,
                     const Known& structure, bool alone) {
  const auto bits = static_cast<unsigned>(size * 8);
  if (!structure) return sample_any(integers, count, bits, alone);
  const Distances apart{structure->row_length, structure->plane_length};
  return sample_apart(integers, count, bits, structure->components, apart);
}

// The grid that the encoder would take if the sample were all that it sees. Of a message of records
// this is not true, and they are few.
template <class V>
bounded::Grid<V> likely_grid(std::span<const std::byte> values, const Parameters& parameters) {
  if (!parameters.alone || parameters.terms != 1) {
    return bounded::make_grid<V>(parameters.error_bound, parameters.terms);
  }
  const auto sample = Sample::of<V>(values);
  const bounded::FittedGrid fitted = bounded::fit_grid<V>(
      parameters.error_bound, fill_values_of(sample, parameters.error_bound), sample);
  if (!fitted.usable) return {};
  bounded::Header header;
  bounded::put_into(header, fitted);
  bounded::Grid<V> grid = bounded::grid_to_encode<V>(header);
  constexpr double beyond_the_sample = 8;
  const double limit = beyond_the_sample * static_cast<double>(grid.limit);
  grid.limit = static_cast<typename bounded::Grid<V>::Int>(std::min(limit, fitted.most));
  return grid;
}

inline std::size_t sampled(std::size_t count) {
  return std::min(count, Sample::most);
}

// What shows on a fine grid: bits say little of how far numbers about zero are from each other, and
// nothing where there are fill values. Or a structure that is known, if it is better there.
template <class V>
BlockEstimate sample_finely(std::span<const std::byte> values, const Structure& known = {}) {
  constexpr double fine = 1.0 / (1 << 17);
  const std::size_t count = values.size() / sizeof(V);
  Parameters parameters;
  parameters.alone = true;
  parameters.error_bound = fine * fill_values_of(Sample::of<V>(values), 0).others.width();
  if (!std::isfinite(parameters.error_bound) || !(parameters.error_bound > 0)) return {};
  const GridIntegers<V> integers(values, likely_grid<V>(values, parameters));
  if (!integers.usable()) return {};
  constexpr unsigned bits = sizeof(V) * 8;
  BlockEstimate estimate = Sampler(integers, count, bits).estimate(std::nullopt);
  estimate.values_read += sampled(count);
  if (known.row_length == 0) return estimate;
  const Distances apart{known.row_length, known.plane_length};
  return better_of(estimate, sample_apart(integers, count, bits, 1, apart), 1);
}

// What shows in the order of the values: all there is of small ones, which a bound hides.
template <class V>
BlockEstimate sample_in_order(std::span<const std::byte> values) {
  const OrderedIntegers<V> integers(values);
  return Sampler(integers, values.size() / sizeof(V), sizeof(V) * 8).estimate(std::nullopt);
}

// Of fewer values a second look at another kind of integers takes longer than it may gain.
constexpr std::size_t worth_two_looks = 16384;

// With the rows and planes that integers of another kind show, if they are better for these.
template <class Integers>
BlockEstimate or_as(const BlockEstimate& other, const BlockEstimate& plain,
                    const Integers& integers, std::size_t count, std::size_t size) {
  BlockEstimate estimate = plain;
  estimate.values_read += other.values_read;
  const Distances apart{other.structure.row_length, other.structure.plane_length};
  const Structure& found = plain.structure;
  if (apart.row == 0) return estimate;
  if (apart.row == found.row_length && apart.plane == found.plane_length) return estimate;
  const auto bits = static_cast<unsigned>(size * 8);
  return better_of(estimate, sample_apart(integers, count, bits, 1, apart), 1);
}

template <class V>
BlockEstimate sample_bounded(std::span<const std::byte> values, const Parameters& parameters,
                             bool& usable) {
  const GridIntegers<V> integers(values, likely_grid<V>(values, parameters));
  usable = integers.usable();
  if (!usable) return {};
  const bool alone = parameters.alone && parameters.terms == 1;
  BlockEstimate estimate =
      sample(integers, values.size() / sizeof(V), sizeof(V), std::nullopt, alone);
  const bool look_again = alone && values.size() / sizeof(V) > worth_two_looks;
  if (look_again && estimate.structure.components == 1) {
    estimate =
        or_as(sample_in_order<V>(values), estimate, integers, values.size() / sizeof(V), sizeof(V));
  }
  if (parameters.alone) estimate.values_read += sampled(values.size() / sizeof(V));
  return estimate;
}

// What becomes of quotients are integers of a fine grid.
template <class V, class Integers>
BlockEstimate sample_exact_numbers(const Integers& integers, std::span<const std::byte> values,
                                   const BlockEstimate& plain) {
  if (plain.structure.components > 1 || values.size() / sizeof(V) <= worth_two_looks) return plain;
  const auto type = sizeof(V) == 4 ? ElementType::float32 : ElementType::float64;
  if (exact::choose_transform(type, values).kind != exact::TransformKind::quotients) {
    return or_as(sample_finely<V>(values), plain, integers, values.size() / sizeof(V), sizeof(V));
  }
  BlockEstimate estimate = plain;
  const BlockEstimate fine = sample_finely<V>(values, plain.structure);
  estimate.values_read += fine.values_read;
  if (fine.structure.row_length != 0) estimate.structure = fine.structure;
  return estimate;
}

inline BlockEstimate sample_exact(ElementType type, std::span<const std::byte> values,
                                  const Known& structure) {
  const std::size_t size = element_size(type);
  return with_ordered_integers(type, values, [&](const auto& integers) {
    const BlockEstimate plain = sample(integers, values.size() / size, size, structure, true);
    if (structure) return plain;
    if (type == ElementType::float32) return sample_exact_numbers<float>(integers, values, plain);
    if (type == ElementType::float64) return sample_exact_numbers<double>(integers, values, plain);
    return plain;
  });
}

}  // namespace tightwire::codec
