#include "audit/sample.h"

#include <algorithm>
#include <cmath>

#include "codec/estimate/estimate.h"
#include "codec/estimate/value_range.h"
#include "codec/fill/find.h"
#include "codec/value_at.h"

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

}  // namespace

Tried Sampler::attempt(std::size_t choice, codec::ElementType type, Bytes values,
                       const codec::Parameters& parameters) {
  const codec::Codec& codec =
      *codec::find(is_exact(choice) ? codec::Id::exact : codec::Id::bounded);
  encoded_.resize(codec.max_encoded_size(type, values.size() / element_size(type)));
  const codec::Result encoded = codec.encode(type, values, parameters, encoded_);
  if (!encoded.ok()) return {};
  Tried tried;
  tried.values = static_cast<double>(values.size());
  // What does not shrink is sent as it is.
  tried.encoded = static_cast<double>(std::min(encoded.size, values.size()));
  tried.least = tried.most = tried.ratio();
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

Samples Sampler::take(codec::ElementType type, Bytes values, unsigned terms) {
  Samples samples;
  samples.count = 1;
  samples.values = values.size() / element_size(type);
  codec::Parameters exact = with_structure(type, values, {}, codec::Id::exact);
  samples.tried[0] = attempt(0, type, values, exact);
  exact.second_stage = codec::SecondStage::entropy;
  samples.tried[1] = attempt(1, type, values, exact);
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
    samples.tried[choice] = attempt(choice, type, values, bounded);
  }
  return samples;
}

}  // namespace tightwire::audit
