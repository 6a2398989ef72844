// What a rank computes: a grid that is smoothed by the threads of OpenMP.
#pragma once

#include <cstddef>
#include <vector>

namespace tightwire::hybrid {

class Stencil {
 public:
  // As many rows as columns, or twice as many: `values` are a power of two.
  explicit Stencil(std::vector<float> values);

  // As it was made.
  void reset() { now_ = first_; }
  // So many sweeps over all of it, by so many threads.
  void sweep(int times, int threads);
  // The mean of all ranks' grids, from their sum.
  void take_mean(const std::vector<float>& sum, int ranks, int threads);

  [[nodiscard]] const std::vector<float>& values() const { return now_; }

 private:
  std::size_t columns_;
  std::vector<float> first_;
  std::vector<float> now_;
  std::vector<float> next_;
};

}  // namespace tightwire::hybrid
