// Sends messages of every kind through every call and looks at all that MPI promises of them. Right
// in plain MPI too.
//
//   check_messages
//
// Prints "checks N, failures 0" from rank 0; a failure says what, on which rank.
#include <cstdio>

#include "messages.h"

namespace {

void check(MPI_Comm comm) {
  messages::check_sends(comm);
  messages::check_receives(comm);
  messages::check_completion(comm);
  messages::check_probes(comm);
  messages::check_persistent(comm);
  messages::check_datatypes(comm);
  messages::check_errors(comm);
  messages::check_combined(comm);
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  if (argc > 1) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  } else {
    MPI_Init(&argc, &argv);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check(MPI_COMM_WORLD);
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  check(reversed);
  MPI_Comm_free(&reversed);
  int mine[2] = {messages::checks(), messages::failures()};
  int sum[2] = {0, 0};
  MPI_Allreduce(mine, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("checks %d, failures %d\n", sum[0], sum[1]);
  MPI_Finalize();
  return sum[1] == 0 ? 0 : 1;
}
