// Intercommunicators: reductions pass through untouched, a Bcast goes to the other group.
#include <cmath>

#include "exact_cases.h"
#include "sections.h"

namespace check {
namespace {

struct Sides {
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  bool low = false;
  int remote_size = 0;

  Sides() {
    const int rank = rank_in(MPI_COMM_WORLD);
    const int half = size_of(MPI_COMM_WORLD) / 2;
    low = rank < half;
    MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, low ? half : 0, 7, &between);
    MPI_Comm_remote_size(between, &remote_size);
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;
  ~Sides() {
    MPI_Comm_free(&between);
    MPI_Comm_free(&local);
  }
};

// Each side gets the other side's sum.
void check_allreduce(Checker& checker, const Sides& sides, int count) {
  checker.begin_case(text("allreduce between two groups, ", count, " doubles"));
  const std::vector<double> own(count, sides.low ? 1.25 : 2.5);
  std::vector<double> sum(count, -1);
  checker.expect_success(
      MPI_Allreduce(own.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, sides.between),
      "MPI_Allreduce");
  const double expected = sides.remote_size * (sides.low ? 2.5 : 1.25);
  checker.expect(std::all_of(sum.begin(), sum.end(), [&](double x) { return x == expected; }),
                 "not the sum of the other group");
}

// The low side's rank 0 speaks, the high side hears; the rest of the low side stands by.
int root_argument(const Sides& sides) {
  if (!sides.low) {
    return 0;
  }
  return rank_in(sides.local) == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

void check_bcast(Checker& checker, const Sides& sides, int count) {
  checker.begin_case(text("bcast between two groups, ", count, " doubles"));
  std::vector<double> values(count, sides.low ? 0.1 : -1);
  checker.expect_success(
      MPI_Bcast(values.data(), count, MPI_DOUBLE, root_argument(sides), sides.between),
      "MPI_Bcast");
  // The root's own buffer stays as it is; all values are one, so their range is 0.
  const double bound = sides.low ? 0 : checker.bound().for_range(0);
  checker.expect(std::all_of(values.begin(), values.end(),
                             [&](double x) { return std::fabs(x - 0.1) <= bound; }),
                 "not what the other group's root sent");
}

void check_reduce(Checker& checker, const Sides& sides, int count) {
  checker.begin_case(text("reduce between two groups, ", count, " doubles"));
  const std::vector<double> own(count, 0.5);
  std::vector<double> sum(count, -1);
  checker.expect_success(MPI_Reduce(own.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM,
                                    root_argument(sides), sides.between),
                         "MPI_Reduce");
  const bool receives = root_argument(sides) == MPI_ROOT;
  const double expected = receives ? 0.5 * sides.remote_size : -1;
  checker.expect(std::all_of(sum.begin(), sum.end(), [&](double x) { return x == expected; }),
                 "not the sum of the other group, or not left alone");
}

}  // namespace

void check_intercommunicators(Checker& checker) {
  if (size_of(MPI_COMM_WORLD) < 2) {
    return;
  }
  const Sides sides;
  for (const auto size : checker.options().sizes) {
    const auto count = static_cast<int>(size / sizeof(double)) + 1;
    check_allreduce(checker, sides, count);
    check_bcast(checker, sides, count);
    check_reduce(checker, sides, count);
  }
}

}  // namespace check
