#include "hybrid/stencil.h"

#include <bit>
#include <utility>

namespace tightwire::hybrid {

Stencil::Stencil(std::vector<float> values)
    : columns_(std::size_t{1} << (std::bit_width(values.size()) - 1) / 2),
      first_(std::move(values)),
      now_(first_),
      next_(first_) {}

void Stencil::sweep(int times, int threads) {
  const std::size_t rows = now_.size() / columns_;
  for (int i = 0; i < times; ++i) {
    const float* const now = now_.data();
    float* const next = next_.data();
    const std::size_t columns = columns_;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t row = 1; row < rows - 1; ++row) {
      for (std::size_t at = row * columns + 1; at < (row + 1) * columns - 1; ++at) {
        next[at] = 0.6F * now[at] +
                   0.1F * (now[at - 1] + now[at + 1] + now[at - columns] + now[at + columns]);
      }
    }
    now_.swap(next_);
  }
}

void Stencil::take_mean(const std::vector<float>& sum, int ranks, int threads) {
  const float part = 1.0F / static_cast<float>(ranks);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t at = 0; at < now_.size(); ++at) now_[at] = part * sum[at];
}

}  // namespace tightwire::hybrid
