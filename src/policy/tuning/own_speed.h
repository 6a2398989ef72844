// How fast this machine encodes, compared with the one that the cost model's speeds were measured
// on (codec/estimate/speeds.inc).
//
// Pure; not thread safe.
#pragma once

#include <array>
#include <cstddef>

namespace tightwire::policy {

class OwnSpeed {
 public:
  // An encoding took so many seconds where so many were expected, both above 0.
  void add(double expected, double took);
  // What expected times are to be multiplied by; 1 until enough is known. A core is lent to others
  // now and then, so most of the times seen are too long: it is what the quicker ones took.
  [[nodiscard]] double factor() const { return factor_; }
  // The same by the median: where all cores of a host are at work, they take what they share.
  [[nodiscard]] double usual_factor() const { return usual_factor_; }
  [[nodiscard]] bool is_known() const { return count_ >= first_known; }
  static constexpr std::size_t first_known = 4;

 private:
  static constexpr std::size_t kept = 16;

  std::array<double, kept> last_{};
  std::size_t count_ = 0;
  double factor_ = 1;
  double usual_factor_ = 1;
};

}  // namespace tightwire::policy
