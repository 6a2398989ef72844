// What the ranks contribute, and what an operation should make of it.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "comparison/operation.h"

namespace tightwire::comparison {

// Every rank knows all ranks' values, so that no communication has to be trusted.
class Inputs {
 public:
  // One field, which every rank holds from another row on, or from another value where there are
  // too few rows; the first follows the last.
  Inputs(std::vector<float> field, std::size_t row_length, int ranks);
  // A vector of its own for each rank, all of one length.
  explicit Inputs(std::vector<std::vector<float>> of_ranks);

  [[nodiscard]] std::size_t count() const { return fields_[0].size(); }
  [[nodiscard]] std::vector<float> of(int rank) const;
  // Largest less smallest of all values.
  [[nodiscard]] double range() const;

  // sum += values [begin, begin + sum.size()) of the rank's.
  void add(int rank, std::size_t begin, std::span<double> sum) const;

 private:
  std::vector<std::vector<float>> fields_;  // one for all ranks, or one for each
  std::size_t shift_ = 0;                   // values, from one rank to the next
};

// Reads 0.f32, 1.f32, ... of `folder`, raw float32 of one size. Throws std::runtime_error.
[[nodiscard]] Inputs read_inputs(const std::filesystem::path& folder, int ranks);

// How far this rank's result is from the one in double precision: the largest error, infinite if
// there is a NaN.
[[nodiscard]] double largest_error(const Inputs& inputs, const Call& call);

// Whether ranks that end with the same values hold the same bits. Collective. Ranks that share no
// values (scatter, reduce_scatter) do.
[[nodiscard]] bool ranks_identical(const Call& call);

}  // namespace tightwire::comparison
