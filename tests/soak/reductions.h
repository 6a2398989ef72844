// What docs/user/accuracy.md promises of reductions in the integer domain.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "codec/bounded/bounded.h"
#include "codec/bounded/grid.h"
#include "codec/error_bound.h"
#include "random.h"

namespace tightwire::soak {

template <class T>
class ReductionPromise {
 public:
  // Of contributions that each have the bound, which are as many as terms.
  ReductionPromise(codec::bounded::Operation operation, double bound, std::uint32_t terms)
      : operation_(operation), bound_(bound), grid_(codec::bounded::make_grid<T>(bound, terms)) {}

  // `values` are those of all ranks in one place. What is broken; nullptr if nothing is.
  [[nodiscard]] const char* broken_by(std::span<const T> values, T result) const {
    const bool any_nan = std::any_of(values.begin(), values.end(), [](T v) { return v != v; });
    if (operation_ != codec::bounded::Operation::sum) {
      if (any_nan) return std::isnan(result) ? nullptr : "NaN stays NaN";
      return is_extreme(values, result) ? nullptr : "the least and the largest keep the bound";
    }
    const bool infinite = std::any_of(values.begin(), values.end(), [](T v) { return !finite(v); });
    if (infinite || any_nan) return finite(result) ? "no number comes of infinities" : nullptr;
    if (are_all(values, [](T v) { return codec::negative_zero_or_subnormal(v); })) {
      T sum = values[0];
      for (const T value : values.subspan(1)) sum += value;
      return same(sum, result) ? nullptr : "subnormals add up exactly";
    }
    return is_sum(values, result) ? nullptr : "a sum keeps the bound";
  }

 private:
  using Wide = long double;

  static bool finite(T value) { return std::isfinite(value); }
  static bool same(T a, T b) {
    return std::bit_cast<codec::BitsOf<T>>(a) == std::bit_cast<codec::BitsOf<T>>(b);
  }
  template <class Is>
  static bool are_all(std::span<const T> values, Is is) {
    return std::all_of(values.begin(), values.end(), is);
  }

  // Nearly: the codec has tests of where exactly its grid ends.
  [[nodiscard]] bool is_surely_on_grid(T value) const {
    if (!grid_.usable) return false;
    return std::abs(static_cast<Wide>(value)) <
           0.999L * static_cast<Wide>(grid_.limit) * static_cast<Wide>(grid_.step);
  }

  [[nodiscard]] bool is_extreme(std::span<const T> values, T result) const {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const T wanted = operation_ == codec::bounded::Operation::min ? *low : *high;
    return wanted == result || codec::within_bound(wanted, result, bound_);
  }

  // Values beyond the grid are added as the type adds.
  [[nodiscard]] bool is_sum(std::span<const T> values, T result) const {
    Wide sum = 0;
    Wide size = 0;
    for (const T value : values) {
      sum += value;
      size += std::abs(static_cast<Wide>(value));
    }
    const auto n = static_cast<Wide>(values.size());
    Wide allowed = n * static_cast<Wide>(bound_) + size * 0x1p-60L;  // of this sum
    const bool on_grid = are_all(values, [&](T v) { return is_surely_on_grid(v); });
    if (!on_grid) allowed += n * (size + allowed) * std::numeric_limits<T>::epsilon();
    if (!finite(result)) return size + allowed > std::numeric_limits<T>::max() / 2;
    return std::abs(sum - static_cast<Wide>(result)) <= allowed;
  }

  codec::bounded::Operation operation_;
  double bound_;
  codec::bounded::Grid<T> grid_;
};

// Values of some ranks become one encoding, each being the last operand in one of the ways that
// there are; the first value that is not as promised.
template <class T>
class Reduction {
 public:
  struct Broken {
    const char* promise = nullptr;  // nullptr: all are kept
    std::size_t at = 0;
  };

  // Of `ranks` contributions, which stand one behind the other.
  [[nodiscard]] Broken run(std::span<const T> values, std::uint32_t ranks, double bound,
                           Random& random) {
    codec::Parameters parameters;
    parameters.error_bound = bound;
    parameters.terms = ranks;
    const auto operation = static_cast<codec::bounded::Operation>(random.below(3));
    const std::size_t count = values.size() / ranks;
    sum_.resize(codec_.max_encoded_size(type, count));
    next_.resize(sum_.size());
    own_.resize(sum_.size());
    codec::Result result = encode(values.first(count), parameters, sum_);
    for (std::uint32_t rank = 1; rank < ranks && result.ok(); ++rank) {
      const auto own = values.subspan(rank * count, count);
      const std::span<const std::byte> sum = std::span(sum_).first(result.size);
      if (random.below(2) == 0) {
        result = codec::bounded::combine_values(operation, type, sum, std::as_bytes(own),
                                                parameters, next_);
      } else {
        const codec::Result alone = encode(own, parameters, own_);
        if (!alone.ok()) return {"what can be encoded is"};
        result = codec::bounded::combine(operation, type, count, sum,
                                         std::span(own_).first(alone.size), next_);
      }
      std::swap(sum_, next_);
    }
    decoded_.resize(count);
    const auto decoded = std::as_writable_bytes(std::span(decoded_));
    if (!result.ok() || !codec_.decode(type, std::span(sum_).first(result.size), decoded).ok()) {
      return {"encodings of one grid can be combined"};
    }
    return check(values, ranks, ReductionPromise<T>(operation, bound, ranks));
  }

  [[nodiscard]] T result(std::size_t at) const { return decoded_[at]; }

 private:
  static constexpr auto type =
      sizeof(T) == 4 ? codec::ElementType::float32 : codec::ElementType::float64;

  codec::Result encode(std::span<const T> values, const codec::Parameters& parameters,
                       std::span<std::byte> out) const {
    return codec_.encode(type, std::as_bytes(values), parameters, out);
  }

  [[nodiscard]] Broken check(std::span<const T> values, std::uint32_t ranks,
                             const ReductionPromise<T>& promise) const {
    std::vector<T> of_ranks(ranks);
    for (std::size_t i = 0; i < decoded_.size(); ++i) {
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        of_ranks[rank] = values[rank * decoded_.size() + i];
      }
      if (const char* const broken = promise.broken_by(of_ranks, decoded_[i])) return {broken, i};
    }
    return {};
  }

  const codec::Codec& codec_ = *codec::find(codec::Id::bounded);
  std::vector<std::byte> sum_;
  std::vector<std::byte> next_;
  std::vector<std::byte> own_;
  std::vector<T> decoded_;
};

}  // namespace tightwire::soak
