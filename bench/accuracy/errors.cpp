#include "accuracy/errors.h"

#include <algorithm>
#include <cmath>

namespace tightwire::accuracy {
namespace {

constexpr double bin_width = 2 * histogram_reach / static_cast<double>(bins);

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Errors::add(double error) {
  const double scaled = error / unit_;
  ++count_;
  largest_ = std::max(largest_, std::fabs(error));
  sum_ += scaled;
  squares_ += scaled * scaled;
  within_zccl_ += std::fabs(scaled) <= zccl_law ? 1 : 0;
  within_uniform_ += std::fabs(scaled) <= uniform_law ? 1 : 0;
  const double bin = std::floor((scaled + histogram_reach) / bin_width);
  ++histogram_[static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(bins - 1)))];
}

double Errors::root_of_mean_squares() const {
  return count_ == 0 ? 0 : unit_ * std::sqrt(squares_ / static_cast<double>(count_));
}

double Errors::standard_deviation() const {
  if (count_ == 0) return 0;
  const double mean = sum_ / static_cast<double>(count_);
  return std::sqrt(std::max(0.0, squares_ / static_cast<double>(count_) - mean * mean));
}

double Errors::share_within_zccl_law() const {
  return share(within_zccl_, count_);
}

double Errors::share_within_uniform_law() const {
  return share(within_uniform_, count_);
}

double Errors::bin_begin(std::size_t bin) {
  return -histogram_reach + bin_width * static_cast<double>(bin);
}

}  // namespace tightwire::accuracy
