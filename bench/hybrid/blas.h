// Products of matrices by OpenBLAS, whose threads are its own: the library is found when a run asks
// for it.
#pragma once

#include <span>
#include <vector>

namespace tightwire::hybrid {

class Blas {
 public:
  // Throws std::runtime_error where there is no OpenBLAS.
  Blas();

  // The product of two square matrices, of the first values, by so many of its threads.
  void multiply(std::span<const float> values, int threads);

 private:
  void* library_;  // for good
  std::vector<float> product_;
};

}  // namespace tightwire::hybrid
