#include "hybrid/blas.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tightwire::hybrid {
namespace {

// Of cblas.h.
constexpr int row_major = 101;
constexpr int not_transposed = 111;
using Multiply = void (*)(int order, int transpose_a, int transpose_b, int rows, int columns,
                          int inner, float alpha, const float* a, int row_of_a, const float* b,
                          int row_of_b, float beta, float* c, int row_of_c);
using SetThreads = void (*)(int threads);

template <class Function>
Function function_of(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(std::string("OpenBLAS has no ") + name);
  return reinterpret_cast<Function>(found);
}

}  // namespace

Blas::Blas() : library_(dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) {
    throw std::runtime_error("there is no OpenBLAS: apt-get install libopenblas0-pthread");
  }
}

void Blas::multiply(std::span<const float> values, int threads) {
  constexpr double longest = 512;  // some milliseconds
  const auto side =
      static_cast<int>(std::min(std::sqrt(static_cast<double>(values.size()) / 2), longest));
  const std::size_t size = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  product_.resize(size);
  function_of<SetThreads>(library_, "openblas_set_num_threads")(threads);
  function_of<Multiply>(library_, "cblas_sgemm")(
      row_major, not_transposed, not_transposed, side, side, side, 1, values.data(), side,
      values.data() + size, side, 0, product_.data(), side);
}

}  // namespace tightwire::hybrid
