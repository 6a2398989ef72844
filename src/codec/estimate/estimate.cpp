#include "codec/estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codec/estimate/sample_numbers.h"
#include "codec/estimate/trial.h"
#include "codec/exact/layout.h"
#include "codec/exact/promise.h"
#include "codec/exact/transform.h"
#include "codec/exact/words.h"
#include "codec/float_environment.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {

Budget budget_for(std::size_t count, std::size_t value_size) {
  constexpr std::size_t least = 4096;
  constexpr std::size_t most = 65536;
  const std::size_t values = std::min(std::clamp(count / 100, least, most), count);
  // An eighth for pieces, three for the rows above them; the rest to find rows, and for trials.
  Budget budget;
  constexpr std::size_t of_piece = Piece::before + Piece::values;
  budget.pieces = std::max<std::size_t>(1, values / 8 / of_piece);
  constexpr std::size_t longest = stretch_for_lag(bounded::longest_row);
  const std::size_t for_rows = values * 3 / 10;
  budget.stretches = std::clamp<std::size_t>(for_rows / longest, 1, 2);
  // Of a short message, enough to find components in it.
  const std::size_t for_components = std::min(values / 2, components_window);
  budget.stretch = std::max(std::min(for_rows / budget.stretches, longest), for_components);
  budget.trial = {values / 5 * value_size, std::size_t{16} << 10};
  budget.quick_trial = {std::max(values / 5, std::min(least, count)) * value_size,
                        longest_trial_stretch};
  return budget;
}

namespace {

// Less than this, `exact` stores the values; below, it looks no further.
constexpr double least_exact_ratio = 1.03;

constexpr double least_grid_ratio = 1.2;

// 16 bytes of header or 28, and what runs and the last tile take.
constexpr double fixed_bytes = 40;

double ratio_of(double bits_per_block, std::size_t count, std::size_t size) {
  const auto values = static_cast<double>(count);
  const double bytes = fixed_bytes + values / block_values * bits_per_block / 8;
  return std::max(1.0, values * static_cast<double>(size) / bytes);
}

bool has_bound(const Parameters& parameters) {
  return std::isfinite(parameters.error_bound) && parameters.error_bound > 0 &&
         parameters.terms > 0;
}

bool has_second_stage(Id codec, const Parameters& parameters) {
  if (parameters.second_stage == SecondStage::none) return false;
  return codec == Id::exact || (codec == Id::bounded && parameters.alone && parameters.terms == 1);
}

// By measurement (docs/dev/performance.md): blocks with their widths take about half a bit a value
// more than an entropy coder does, and `exact`, which has the fewer predictors in its tiles, a
// tenth. What a message comes to is known once one has been sent.
double ratio_with_stage(Id codec, double plain, std::size_t size) {
  if (plain <= 1) return 1;
  if (codec == Id::exact) return plain * 1.1;
  const double bits = static_cast<double>(size) * 8 / plain;
  return plain * bits / (bits - std::min(0.5, bits / 6));
}

// Structure and predictor are those of the first codec asked for that has them.
class Estimator {
 public:
  Estimator(ElementType type, std::span<const std::byte> values, const Parameters& parameters)
      : type_(type),
        values_(values),
        parameters_(parameters),
        size_(element_size(type)),
        count_(values.size() / size_) {
    add(Id::raw, 1);
  }

  void predict(Id codec) {
    if (!predictable_for(codec, type_, parameters_)) return;
    if (estimate_.of(codec) != nullptr || estimate_.size == estimate_.predictions.size()) return;
    add(codec, count_ < Piece::values ? 1 : ratio(codec));
    if (has_second_stage(codec, parameters_)) {
      const double plain = estimate_.of(codec)->ratio;
      add(codec, ratio_with_stage(codec, plain, size_), SecondStage::entropy);
    }
  }

  [[nodiscard]] const Estimate& result() const { return estimate_; }

 private:
  double ratio(Id codec) {
    if (codec == Id::bounded) return bounded_ratio();
    if (codec == Id::exact) return exact_ratio();
    const Budget budget = budget_for(count_, size_);
    const TrialExtent extent = codec == Id::lz4 ? budget.quick_trial : budget.trial;
    const Trial trial = try_on_sample(*find(codec), values_, parameters_, extent);
    // All that are tried read parts of the same.
    const std::size_t read = trial.bytes_read / size_;
    estimate_.values_read += std::max(tried_, read) - tried_;
    tried_ = std::max(tried_, read);
    return trial.ratio;
  }

  double bounded_ratio() {
    bool usable = false;
    const BlockEstimate blocks = type_ == ElementType::float32
                                     ? sample_bounded<float>(values_, parameters_, usable)
                                     : sample_bounded<double>(values_, parameters_, usable);
    const double ratio = usable ? ratio_of(blocks.bits_per_block, count_, size_) : 1;
    // Where the grid holds next to nothing the encoding is one of `exact`.
    if (ratio < least_grid_ratio && parameters_.alone && parameters_.terms == 1) {
      estimate_.values_read += blocks.values_read;
      return std::max(ratio, exact_ratio());
    }
    if (usable) take_structure(blocks);
    return ratio;
  }

  double exact_ratio() {
    const exact::Words words = size_ == 1 ? exact::choose_words(values_) : exact::Words{};
    return words.found() ? ratio_of_words(words) : ratio_of_values();
  }

  // Bytes that `exact` takes for words: what it makes of those. Rows are of bytes all the same,
  // components of words.
  double ratio_of_words(const exact::Words& words) {
    const auto size = static_cast<std::uint32_t>(element_size(words.type));
    Estimator inner(words.type, words.words_of(values_), parameters_);
    inner.predict(Id::exact);
    estimate_.values_read += inner.result().values_read * size;
    estimate_.row_length = inner.result().row_length * size;
    estimate_.plane_length = inner.result().plane_length * size;
    estimate_.components = inner.result().components;
    estimate_.predictor = inner.result().predictor;
    return inner.result().of(Id::exact)->ratio;
  }

  double ratio_of_values() {
    const BlockEstimate blocks = sample_exact(type_, values_, structure_);
    if (!structure_) take_structure(blocks);
    const double ratio =
        std::max(ratio_of(blocks.bits_per_block, count_, size_), transformed_ratio());
    return ratio < least_exact_ratio ? 1 : ratio;
  }

  // What `exact` makes of values that it turns into smaller integers first; else 1.
  [[nodiscard]] double transformed_ratio() const {
    const exact::Transform transform = exact::choose_transform(type_, values_);
    if (transform.kind == exact::TransformKind::ordered) return 1;
    exact::Header header;
    header.type = type_;
    header.components = static_cast<std::uint8_t>(structure_->components);
    header.rows.length = structure_->row_length / structure_->components;
    if (structure_->plane_length != 0) {
      header.rows.in_plane =
          static_cast<std::uint16_t>(structure_->plane_length / structure_->row_length);
    }
    header.count = count_;
    const double promise = exact::ratio_of(header, transform, values_);
    return std::isfinite(promise) ? promise : 1;
  }

  void take_structure(const BlockEstimate& blocks) {
    structure_ = blocks.structure;
    estimate_.values_read += blocks.values_read;
    estimate_.row_length = blocks.structure.row_length;
    estimate_.plane_length = blocks.structure.plane_length;
    estimate_.components = blocks.structure.components;
    estimate_.predictor = blocks.predictor;
  }

  void add(Id codec, double ratio, SecondStage second_stage = SecondStage::none) {
    Prediction& prediction = estimate_.predictions[estimate_.size++];
    prediction.codec = codec;
    prediction.ratio = ratio;
    prediction.second_stage = second_stage;
    predict_times(type_, values_.size(), prediction);
  }

  ElementType type_;
  std::span<const std::byte> values_;
  const Parameters& parameters_;
  std::size_t size_;
  std::size_t count_;
  Known structure_;        // once looked for
  std::size_t tried_ = 0;  // values
  Estimate estimate_;
};

}  // namespace

const Prediction* Estimate::of(Id codec) const {
  for (const Prediction& prediction : all()) {
    if (prediction.codec == codec) return &prediction;
  }
  return nullptr;
}

bool predictable_for(Id codec, ElementType type, const Parameters& parameters) noexcept {
  if (std::ranges::find(predictable, codec) == predictable.end()) return false;
  const Codec* const found = find(codec);
  return found != nullptr && found->supports(type) && (!found->lossy() || has_bound(parameters));
}

Estimate estimate(ElementType type, std::span<const std::byte> values, const Parameters& parameters,
                  std::span<const Id> codecs) noexcept {
  const FloatEnvironment environment;
  Estimator estimator(type, values, parameters);
  // bounded first: its rows are the ones to use wherever it may be chosen.
  if (std::ranges::find(codecs, Id::bounded) != codecs.end()) estimator.predict(Id::bounded);
  for (const Id codec : codecs) estimator.predict(codec);
  return estimator.result();
}

}  // namespace tightwire::codec
