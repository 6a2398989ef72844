// What MPI promises of matching, probes, synchronous sends and completion, where it is easily
// broken. Right in plain MPI too.
//
//   check_matching CASE FOLDER
//
// For three ranks. Prints "failures 0" from rank 0; a failure says what, on which rank.
#include <cstdio>
#include <cstring>

#include "matching.h"

namespace {

struct Case {
  const char* name;
  void (*run)(const std::string& folder);
};

constexpr Case cases[] = {
    {"synchronous", &matching::synchronous_sends_outlive_probes},
    {"lengths", &matching::lengths_of_frames},
    {"sparse-exchange", &matching::sparse_exchange},
    {"busy-sender", &matching::busy_sender_holds_up_nobody},
    {"sent", &matching::sent_is_sent},
    {"files", &matching::files_advance_in_every_completion},
    {"scratch", &matching::scratch_buffer},
    {"scratch-by-all-ways", &matching::scratch_by_all_ways},
    {"freed-receive", &matching::freed_receive},
    {"freed-receive-by-all-ways", &matching::freed_receive_by_all_ways},
    {"short-receive", &matching::short_receive},
    {"late-receiver", &matching::late_receiver},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool known = false;
  for (const Case& one : cases) {
    if (argc != 3 || std::strcmp(one.name, argv[1]) != 0) continue;
    known = true;
    one.run(argv[2]);
  }
  matching::expect(known, "a known case");
  int mine = matching::failures();
  int sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("failures %d\n", sum);
  MPI_Finalize();
  return sum == 0 ? 0 : 1;
}
