// Two threads under MPI_THREAD_MULTIPLE, each with a communicator of its own, at the same time: of
// the same ranks, and of ranks that overlap. Meanwhile copies come, with names and hints, and go.
#include <thread>

#include "exact_cases.h"
#include "float_cases.h"
#include "sections.h"

namespace check {
namespace {

// Collective. Under Tightwire it is exact, by its hint or by a rule for its name.
MPI_Comm exact_copy(MPI_Comm comm, bool by_name) {
  MPI_Info hints = MPI_INFO_NULL;
  MPI_Info_create(&hints);
  if (!by_name) MPI_Info_set(hints, "tightwire_mode", "exact");
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup_with_info(comm, hints, &copy);
  if (by_name) MPI_Comm_set_name(copy, "exact");
  MPI_Info_free(&hints);
  return copy;
}

void check_copy(Checker& checker, MPI_Comm comm, int round) {
  MPI_Comm copy = exact_copy(comm, round % 2 == 0);
  check_bcast<double>(checker, {copy, 0, Pattern::noise, 1000 + round, 1});
  MPI_Comm_free(&copy);
}

void work(Checker& checker, MPI_Comm comm, bool floats) {
  const int ranks = size_of(comm);
  for (int round = 0; round < 12; ++round) {
    check_copy(checker, comm, round);
    const int root = round % ranks;
    for (const auto size : checker.options().sizes) {
      const auto count = static_cast<int>(size / 8) + round;
      if (floats) {
        check_reduction<double>(
            checker, {comm, all_forms[round % 4], root, FloatOp::sum, Pattern::noise, count, 1});
        check_bcast<double>(checker, {comm, root, Pattern::special, count, 1});
      } else {
        check_exact_reduction<std::uint64_t>(checker, MPI_UINT64_T, MPI_SUM,
                                             std::plus<std::uint64_t>(),
                                             {comm, all_forms[round % 4], root, size});
        check_exact_bcast<std::uint64_t>(checker, MPI_UINT64_T, {comm, Form::reduce, root, size});
      }
    }
  }
}

// Either is MPI_COMM_NULL where this rank is no member. Frees them.
void at_once(Checker& checker, MPI_Comm first, MPI_Comm second) {
  std::thread other([&] {
    if (first != MPI_COMM_NULL) work(checker, first, true);
  });
  if (second != MPI_COMM_NULL) work(checker, second, false);
  other.join();
  for (MPI_Comm* comm : {&first, &second}) {
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
  }
}

}  // namespace

void check_threads(Checker& checker) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  checker.begin_case("two threads");
  if (provided != MPI_THREAD_MULTIPLE) {
    checker.fail("this MPI gives no MPI_THREAD_MULTIPLE");
    return;
  }
  MPI_Comm first = MPI_COMM_NULL;
  MPI_Comm second = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  at_once(checker, first, second);
  const int rank = rank_in(MPI_COMM_WORLD);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  // The ranks in the middle are in both.
  MPI_Comm_split(MPI_COMM_WORLD, rank < last ? 0 : MPI_UNDEFINED, rank, &first);
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 0 : MPI_UNDEFINED, -rank, &second);
  at_once(checker, first, second);
}

}  // namespace check
