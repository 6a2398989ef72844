#include <set>

#include "float_cases.h"
#include "sections.h"

namespace check {

std::vector<int> counts_to_try(const Options& options, std::size_t element_size, int ranks) {
  std::set<int> counts{0, 1, 2, 3, ranks - 1, ranks, ranks + 1, 257};
  for (const auto size : options.sizes) {
    const auto count = static_cast<int>(size / element_size);
    counts.insert({count - 1, count, count + 1});
  }
  counts.erase(-1);
  // Divisible neither by a number of ranks nor by a number of chunks.
  const auto largest = static_cast<int>(options.sizes.back() / element_size);
  counts.insert(largest + largest / 3 + 1);
  return {counts.begin(), counts.end()};
}

namespace {

// Turns through the elements of a list, so that cases differ in several ways at once.
template <class List>
const auto& turn(const List& list, std::size_t step) {
  return list[step % list.size()];
}

// Every type, operation and count; pattern, form and root take turns.
template <class T>
void check_counts(Checker& checker) {
  const int ranks = size_of(MPI_COMM_WORLD);
  std::size_t step = 0;
  for (const int components : {1, 2}) {
    for (const int count : counts_to_try(checker.options(), sizeof(T) * components, ranks)) {
      const int root = static_cast<int>(step % ranks);
      for (const FloatOp op : {FloatOp::sum, FloatOp::min, FloatOp::max, FloatOp::prod}) {
        if (components == 2 && op != FloatOp::sum) {
          continue;
        }
        const Pattern pattern =
            op == FloatOp::prod ? turn(mild_patterns, step) : turn(all_patterns, step);
        check_reduction<T>(checker, {MPI_COMM_WORLD, turn(all_forms, step / 2), root, op, pattern,
                                     count, components});
        ++step;
      }
      check_bcast<T>(checker, {MPI_COMM_WORLD, root, turn(all_patterns, step), count, components});
      ++step;
    }
  }
}

// Every pattern with every form and every root, at the largest size.
template <class T>
void check_patterns(Checker& checker) {
  const int ranks = size_of(MPI_COMM_WORLD);
  const auto count = static_cast<int>(checker.options().sizes.back() / sizeof(T)) + 5;
  std::size_t step = 0;
  for (const Pattern pattern : all_patterns) {
    for (const Form form : all_forms) {
      const int root = static_cast<int>(++step % ranks);
      check_reduction<T>(checker, {MPI_COMM_WORLD, form, root, FloatOp::sum, pattern, count, 1});
    }
    const FloatOp extreme = step % 2 == 0 ? FloatOp::min : FloatOp::max;
    check_reduction<T>(checker,
                       {MPI_COMM_WORLD, turn(all_forms, step / 4), 0, extreme, pattern, count, 1});
    for (int root = 0; root < ranks; ++root) {
      check_bcast<T>(checker, {MPI_COMM_WORLD, root, pattern, count, 1});
    }
  }
}

}  // namespace

void check_floats(Checker& checker) {
  check_counts<float>(checker);
  check_counts<double>(checker);
  check_patterns<float>(checker);
  check_patterns<double>(checker);
}

}  // namespace check
