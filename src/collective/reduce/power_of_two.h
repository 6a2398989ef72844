// Ranks for algorithms that work on a power of two of them. Of the ranks beyond the largest power
// of two that there is, each gives its contribution to a neighbour first and gets the result from
// it last (Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
// MPICH", IJHPCA 2005, section 4.5).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace tightwire::collective {

// Ranks 0, 1 form a pair, and 2, 3, as many pairs as there are ranks too many. The even one of a
// pair stands aside, the odd one works for both.
class PowerOfTwo {
 public:
  PowerOfTwo(int rank, int ranks)
      : rank_(rank),
        workers_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
        paired_(2 * (ranks - workers_)) {}

  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] bool in_pair() const { return rank_ < paired_; }
  [[nodiscard]] bool aside() const { return in_pair() && rank_ % 2 == 0; }
  // The other one of a pair.
  [[nodiscard]] int partner() const { return rank_ ^ 1; }

  // This rank's number among the workers, which it must be one of; and the rank of a number.
  [[nodiscard]] int number() const { return in_pair() ? rank_ / 2 : rank_ - paired_ / 2; }
  [[nodiscard]] int rank_of(int number) const {
    return number < paired_ / 2 ? 2 * number + 1 : number + paired_ / 2;
  }
  // The first rank that a worker works for; of as many as there are, the number of ranks.
  [[nodiscard]] int first_rank_of(int number) const {
    return number + std::min(number, paired_ / 2);
  }

 private:
  int rank_;
  int workers_;
  int paired_;
};

}  // namespace tightwire::collective
