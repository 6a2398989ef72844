#include "audit/sample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "codec/estimate/estimate.h"
#include "codec/estimate/value_range.h"
#include "codec/fill/find.h"
#include "codec/history/promise.h"
#include "codec/value_at.h"
#include "history/search.h"

namespace tightwire::audit {
namespace {

using Bytes = std::span<const std::byte>;

struct Errors {
  double largest = 0;
  double squares = 0;
  std::size_t finite = 0;
};

template <class T>
Errors errors_of(Bytes values, Bytes decoded) {
  Errors errors;
  for (std::size_t i = 0; i < values.size() / sizeof(T); ++i) {
    const auto value = static_cast<double>(codec::value_at<T>(values, i));
    if (!std::isfinite(value)) continue;
    const double error = std::abs(static_cast<double>(codec::value_at<T>(decoded, i)) - value);
    errors.largest = std::max(errors.largest, error);
    errors.squares += error * error;
    ++errors.finite;
  }
  return errors;
}

template <class T>
std::size_t count_fill_values(Bytes values) {
  const auto fills = codec::find_fill_values<T>(values, codec::finite_extent<T>(values), 0);
  std::size_t count = 0;
  for (std::size_t i = 0; fills.count > 0 && i < values.size() / sizeof(T); ++i) {
    const auto value = static_cast<double>(codec::value_at<T>(values, i));
    count += std::ranges::find(fills.all(), value) != fills.all().end() ? 1 : 0;
  }
  return count;
}

double psnr_of(const Errors& errors, double range) {
  if (errors.finite == 0 || errors.squares == 0) return std::numeric_limits<double>::infinity();
  return 20 * std::log10(range / std::sqrt(errors.squares / static_cast<double>(errors.finite)));
}

// What a look at the values shows of rows and components, for exact values and for a grid.
codec::Parameters with_structure(codec::ElementType type, Bytes values,
                                 codec::Parameters parameters, codec::Id codec) {
  const std::array only{codec};
  const codec::Estimate estimate = codec::estimate(type, values, parameters, only);
  parameters.row_length = estimate.row_length;
  parameters.plane_length = estimate.plane_length;
  parameters.components = estimate.components;
  return parameters;
}

struct Spaced {
  std::array<Bytes, codec::most_references> parts;
  std::size_t size = 0;

  [[nodiscard]] codec::References first(std::size_t count) const {
    return std::span(parts).first(std::min(count, size));
  }
};

Spaced spaced(codec::References earlier, std::size_t spacing) {
  Spaced result;
  for (std::size_t i = spacing - 1; i < earlier.size(); i += spacing) {
    result.parts[result.size++] = earlier[i];
  }
  return result;
}

// Fields take turns: which messages back hold the same one, a step, two steps, ... earlier. None
// where that gains nothing.
Spaced best_spaced(codec::ElementType type, Bytes values, codec::Parameters parameters,
                   codec::References earlier) {
  Spaced best;
  double best_gain = history::least_gain;
  const std::size_t most = std::min<std::size_t>(history::most_spacing, earlier.size());
  for (std::size_t spacing = 1; spacing <= most; ++spacing) {
    const Spaced tried = spaced(earlier, spacing);
    parameters.references = tried.first(history::most_while_searching);
    const double gain = history::gain_of(codec::promise_of_history(type, values, parameters));
    if (gain < best_gain) continue;
    best_gain = gain;
    best = tried;
  }
  return best;
}

}  // namespace

Tried Sampler::attempt(std::size_t choice, codec::ElementType type, Bytes values,
                       const codec::Parameters& parameters) {
  const codec::Codec& codec =
      *codec::find(is_exact(choice) ? codec::Id::exact : codec::Id::bounded);
  encoded_.resize(codec.max_encoded_size(type, values.size() / element_size(type)));
  const codec::Result encoded = codec.encode(type, values, parameters, encoded_);
  if (!encoded.ok()) return {};
  Tried tried = Tried::of(values.size(), encoded.size);
  if (is_exact(choice)) return tried;
  decoded_.resize(values.size());
  if (!codec.decode(type, std::span(encoded_).first(encoded.size), decoded_).ok()) return {};
  const bool wide = type == codec::ElementType::float64;
  const Errors errors =
      wide ? errors_of<double>(values, decoded_) : errors_of<float>(values, decoded_);
  tried.largest_error = errors.largest;
  tried.psnr = psnr_of(errors, codec::value_range(type, values).width());
  return tried;
}

// Within a bound the references are what the receiver has decoded, which is as far from these as
// the bound says; their integers on the grid are nearly the same.
Tried Sampler::in_time(std::size_t choice, codec::ElementType type, Bytes values,
                       codec::Parameters parameters, codec::References earlier) {
  if (!is_exact(choice)) {
    parameters.row_length = parameters.plane_length = 0;
    parameters.components = 1;
  }
  parameters.references = earlier;
  parameters.references = earlier.first(codec::promise_of_history(type, values, parameters).order);
  if (parameters.references.empty()) return {};
  const codec::Codec& codec =
      *codec::find(is_exact(choice) ? codec::Id::exact : codec::Id::bounded);
  encoded_.resize(codec.max_encoded_size(type, values.size() / element_size(type)));
  const codec::Result encoded = codec.encode(type, values, parameters, encoded_);
  if (!encoded.ok()) return {};
  return Tried::of(values.size(), encoded.size);
}

Samples Sampler::take(codec::ElementType type, Bytes values, unsigned terms,
                      codec::References earlier) {
  Samples samples;
  samples.count = 1;
  samples.values = values.size() / element_size(type);
  codec::Parameters exact = with_structure(type, values, {}, codec::Id::exact);
  const Spaced spaced = best_spaced(type, values, exact, earlier);
  // What is worse than without is not done.
  const auto try_both = [&](std::size_t choice, const codec::Parameters& parameters) {
    Tried& alone = samples.tried[choice];
    alone = attempt(choice, type, values, parameters);
    if (earlier.empty() || alone.values == 0) return;
    const Tried predicted = in_time(choice, type, values, parameters, spaced.first(spaced.size));
    samples.in_time[choice] = predicted.ratio() > alone.ratio() ? predicted : alone;
  };
  try_both(0, exact);
  exact.second_stage = codec::SecondStage::entropy;
  try_both(1, exact);
  if (!codec::is_floating_point(type)) return samples;
  samples.fill_values = type == codec::ElementType::float64 ? count_fill_values<double>(values)
                                                            : count_fill_values<float>(values);
  const codec::ValueRange range = codec::value_range(type, values);
  codec::Parameters bounded;
  bounded.alone = terms == 1;
  bounded.terms = terms;
  if (range.width() > 0 && std::isfinite(range.width()) && terms == 1) {
    bounded.error_bound = 1e-4 * range.width();
    bounded = with_structure(type, values, bounded, codec::Id::bounded);
  }
  for (std::size_t choice = exact_choices; choice < choice_count; ++choice) {
    const double whole = is_relative(choice) ? range.width() : 1;
    bounded.error_bound = bound_of(choice) * whole / terms;
    if (!(bounded.error_bound > 0) || !std::isfinite(bounded.error_bound)) continue;
    if (range.wiped_out_by(bounded.error_bound)) continue;
    try_both(choice, bounded);
  }
  return samples;
}

}  // namespace tightwire::audit
