// The errors of a result, in units of sqrt(ranks) x error bound.
#pragma once

#include <array>
#include <cstddef>

namespace tightwire::accuracy {

// Of the two laws for sums of quantised contributions, in the unit above: half the width of the
// interval that 95.44 % of the errors lie in.
inline constexpr double zccl_law = 2.0 / 3;                // for normal errors with 3 sigma = bound
inline constexpr double uniform_law = 1.1547005383792515;  // 2 / sqrt(3): uniform errors

inline constexpr std::size_t bins = 120;
inline constexpr double histogram_reach = 2;  // from -2 to 2; what lies outside is in the last bins

class Errors {
 public:
  // All finite; `unit` > 0.
  explicit Errors(double unit) : unit_(unit) {}

  void add(double error);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double largest() const { return largest_; }  // absolute
  [[nodiscard]] double root_of_mean_squares() const;         // as they were added
  [[nodiscard]] double standard_deviation() const;           // in units
  [[nodiscard]] double share_within_zccl_law() const;
  [[nodiscard]] double share_within_uniform_law() const;
  [[nodiscard]] const std::array<std::size_t, bins>& histogram() const { return histogram_; }
  [[nodiscard]] static double bin_begin(std::size_t bin);

 private:
  double unit_;
  std::size_t count_ = 0;
  double largest_ = 0;
  double sum_ = 0;
  double squares_ = 0;
  std::size_t within_zccl_ = 0;
  std::size_t within_uniform_ = 0;
  std::array<std::size_t, bins> histogram_{};
};

}  // namespace tightwire::accuracy
