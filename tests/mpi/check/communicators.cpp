// Communicators other than MPI_COMM_WORLD: parts of it, reversed, duplicates, self, and very many.
#include <cstdint>

#include "exact_cases.h"
#include "float_cases.h"
#include "sections.h"

namespace check {
namespace {

class Communicator {
 public:
  explicit Communicator(MPI_Comm comm) : comm_(comm) {}
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() {
    if (comm_ != MPI_COMM_NULL) {
      MPI_Comm_free(&comm_);
    }
  }
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_;
};

MPI_Comm split(int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
  return part;
}

MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &copy);
  return copy;
}

// A few of everything, at every size.
void check_all_kinds(Checker& checker, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) {
    return;
  }
  const int last = size_of(comm) - 1;
  for (const auto size : checker.options().sizes) {
    const auto floats = static_cast<int>(size / sizeof(float)) + 3;
    for (const Form form : all_forms) {
      check_reduction<float>(checker, {comm, form, last, FloatOp::sum, Pattern::noise, floats, 1});
    }
    check_reduction<double>(
        checker, {comm, Form::allreduce, 0, FloatOp::max, Pattern::special, floats / 2, 1});
    check_bcast<float>(checker, {comm, last, Pattern::special, floats, 1});
    check_exact_reduction<std::int32_t>(checker, MPI_INT32_T, MPI_BXOR,
                                        [](std::int32_t a, std::int32_t b) { return a ^ b; },
                                        {comm, Form::reduce, last, size});
    check_exact_bcast<std::int64_t>(checker, MPI_INT64_T, {comm, Form::reduce, 0, size});
  }
}

}  // namespace

void check_communicators(Checker& checker) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int ranks = size_of(MPI_COMM_WORLD);
  check_all_kinds(checker, MPI_COMM_SELF);
  check_all_kinds(checker, Communicator(split(0, -rank)).get());
  check_all_kinds(checker, Communicator(split(rank % 2, rank)).get());
  check_all_kinds(checker, Communicator(split(rank == ranks - 1 ? MPI_UNDEFINED : 0, rank)).get());
  const Communicator copy(duplicate(MPI_COMM_WORLD));
  const Communicator copy_of_copy(duplicate(copy.get()));
  check_all_kinds(checker, copy_of_copy.get());
  check_all_kinds(checker, copy.get());
  // Left alive until MPI_Finalize: what is cached on it must not trouble MPI.
  check_all_kinds(checker, duplicate(MPI_COMM_WORLD));
}

// More communicators than MPI can hold at a time, each used for a compressed message and freed: a
// private communicator that outlives its own would exhaust MPI's supply.
void check_many_communicators(Checker& checker) {
  constexpr int many = 2500;
  const auto bytes = checker.options().sizes[checker.options().sizes.size() / 2];
  const auto count = static_cast<int>(bytes / sizeof(double));
  checker.begin_case(text(many, " communicators, one after the other"));
  std::vector<double> values(count);
  for (int i = 0; i < many; ++i) {
    const Communicator copy(duplicate(MPI_COMM_WORLD));
    values.assign(count, 1.0);
    checker.expect_success(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_DOUBLE, MPI_SUM, copy.get()),
        "MPI_Allreduce");
    const double error = checker.bound().absolute * size_of(MPI_COMM_WORLD);
    if (!(std::abs(values.back() - size_of(MPI_COMM_WORLD)) <= error)) {
      checker.fail(text("communicator ", i, " gave ", values.back()));
      return;
    }
  }
}

}  // namespace check
