// Runs every collective that tightwire compresses against MPI itself, in one process: the reference
// is the same call with mode raw, the tested one has the mode given here and the environment's
// settings.
//
//   check_operations MODE BOUND [SECTION]
//
// BOUND is 0 for exact; SECTION is one of those below, without it those that are run by default.
//
// Prints "cases N, failures 0" from rank 0; a failure says which case, on which rank.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "between_groups.h"
#include "checker.h"
#include "large_counts.h"
#include "movement.h"
#include "neighbours.h"
#include "records.h"
#include "reductions.h"
#include "tightwire.h"

namespace {

struct Section {
  const char* name;
  void (*run)(operations::Checker&, MPI_Comm, const std::string& comm_name);
  bool by_default;
};
constexpr Section sections[] = {
    {"movement", operations::check_movement, true},
    {"records", operations::check_records, true},
    {"reductions", operations::check_reductions, true},
    {"neighbours", operations::check_neighbours, false},
    {"between-groups", operations::check_between_groups, false},
    {"between-groups-at-once", operations::check_between_groups_at_once, false},
    {"large-counts", operations::check_large_counts, false},
};

std::string chosen_section;

void check(operations::Checker& checker, MPI_Comm comm, const char* name) {
  for (const Section& section : sections) {
    if (chosen_section.empty() ? section.by_default : chosen_section == section.name) {
      section.run(checker, comm, name);
    }
  }
}

// Checks a communicator of part of the ranks, or of all in another order, and frees it.
void check_split(operations::Checker& checker, int color, int key, const char* name) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
  check(checker, comm, name);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 3 || !tightwire_available()) {
    std::fprintf(stderr, "usage: check_operations MODE BOUND [SECTION], under tightwire\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  operations::Checker checker(argv[1], std::atof(argv[2]));
  if (argc > 3) chosen_section = argv[3];
  check(checker, MPI_COMM_WORLD, "world");
  check_split(checker, 0, -rank, "reversed");
  check_split(checker, rank % 2, rank, "half");
  const int failures = checker.finish();
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
