// MPI called where MPI has called the program. Right in plain MPI too.
//
//   check_callbacks CASE [threads]
//
// Run with two ranks. Prints "right" from rank 0 once nothing is wrong on either.
#include <cstdio>
#include <cstring>

#include "callbacks.h"

namespace {

struct Case {
  const char* name;
  void (*run)();
};

constexpr Case cases[] = {
    {"error-handlers", &callbacks::error_handlers},
    {"jumps", &callbacks::jumps},
    {"handlers-of-all-calls", &callbacks::handlers_of_all_calls},
    {"jumps-out-of-all-calls", &callbacks::jumps_out_of_all_calls},
    {"truncation", &callbacks::truncation},
    {"generalized-requests", &callbacks::generalized_requests},
    {"attributes", &callbacks::attributes},
    {"datatype-attributes", &callbacks::datatype_attributes},
    {"statuses", &callbacks::statuses},
    {"finalize", &callbacks::finalize},
    {"files", &callbacks::files},
};

void begin(int argc, char** argv) {
  int level = 0;
  if (argc > 2) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  } else {
    MPI_Init(&argc, &argv);
  }
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const Case& one : cases) {
    if (argc > 1 && std::strcmp(argv[1], one.name) == 0) one.run();
  }
  // The callbacks of MPI_Finalize are still to come, on each rank by itself.
  MPI_Finalize();
  if (callbacks::failures() == 0) std::printf("right: rank %d\n", rank);
  return callbacks::failures() == 0 ? 0 : 1;
}
