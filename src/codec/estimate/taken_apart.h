// The integers of several components, those of the first before those of the second and so on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tightwire::codec {

template <class Integers>
class TakenApart {
 public:
  static constexpr unsigned lane_bits = Integers::lane_bits;

  // Whole turns of what has `count` integers.
  TakenApart(const Integers& integers, std::size_t count, std::size_t components)
      : integers_(integers), turns_(count / components), components_(components) {}

  [[nodiscard]] std::size_t count() const { return turns_ * components_; }

  [[nodiscard]] bool get(std::size_t index, std::int64_t& integer) const {
    return integers_.get(place(index), integer);
  }
  // Whether a neighbour of the same component is the same.
  [[nodiscard]] bool repeats(std::size_t index) const {
    return integers_.repeats(place(index), components_);
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t index) const {
    return index % turns_ * components_ + index / turns_;
  }

  const Integers& integers_;
  std::size_t turns_;
  std::size_t components_;
};

}  // namespace tightwire::codec
