// Calls that MPI refuses. Prints what MPI says to each; a run under Tightwire must say the same.
#include <cstdio>
#include <string>

#include "sections.h"
#include "text.h"

namespace check {
namespace {

void print_class(const char* what, std::size_t size, int code) {
  int error_class = 0;
  MPI_Error_class(code, &error_class);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    std::printf("refused %s %zu: class %d\n", what, size, error_class);
    std::fflush(stdout);
  }
}

// Counts and types of the operations that move data, the same on all ranks.
void print_movement(std::size_t size, int ranks, MPI_Comm comm) {
  const auto n = static_cast<int>(size / sizeof(double)) + 1;
  const auto all = static_cast<std::size_t>(n) * static_cast<std::size_t>(ranks);
  std::vector<double> from(all);
  std::vector<double> to(all);
  double* const a = from.data();
  double* const b = to.data();
  std::vector<int> places(static_cast<std::size_t>(ranks), 0);
  for (int i = 0; i < ranks; ++i) places[static_cast<std::size_t>(i)] = i * n;
  const int* const d = places.data();
  const auto print = [&](const char* kind, int count, MPI_Datatype type) {
    const std::vector<int> counts(static_cast<std::size_t>(ranks), count);
    const int* const c = counts.data();
    const auto one = [&](const char* operation, int code) {
      print_class((std::string(operation) + kind).c_str(), size, code);
    };
    one("gather", MPI_Gather(a, count, type, b, count, type, 0, comm));
    one("gatherv", MPI_Gatherv(a, count, type, b, c, d, type, 0, comm));
    one("scatter", MPI_Scatter(a, count, type, b, count, type, 0, comm));
    one("scatterv", MPI_Scatterv(a, c, d, type, b, count, type, 0, comm));
    one("allgather", MPI_Allgather(a, count, type, b, count, type, comm));
    one("allgatherv", MPI_Allgatherv(a, count, type, b, c, d, type, comm));
    one("alltoall", MPI_Alltoall(a, count, type, b, count, type, comm));
    one("alltoallv", MPI_Alltoallv(a, c, d, type, b, c, d, type, comm));
  };
  print("-count", -1, MPI_DOUBLE);
  print("-type", n, MPI_DATATYPE_NULL);
  print_class("allgather-send-count", size,
              MPI_Allgather(a, -1, MPI_DOUBLE, b, n, MPI_DOUBLE, comm));
  print_class("allgather-send-type", size,
              MPI_Allgather(a, n, MPI_DATATYPE_NULL, b, n, MPI_DOUBLE, comm));
}

}  // namespace

void check_invalid_arguments(Checker& checker) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // where calls on no communicator go
  const int ranks = size_of(comm);
  for (const auto size : checker.options().sizes) {
    const auto n = static_cast<int>(size / sizeof(double)) + 1;
    std::vector<double> a(n);
    std::vector<double> b(n);
    const auto all = [&](const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm on) { return MPI_Allreduce(send, receive, count, type, op, on); };
    print_class("allreduce-type", size,
                all(a.data(), b.data(), n, MPI_DATATYPE_NULL, MPI_SUM, comm));
    print_class("allreduce-op", size, all(a.data(), b.data(), n, MPI_DOUBLE, MPI_OP_NULL, comm));
    print_class("allreduce-op-type", size, all(a.data(), b.data(), n, MPI_DOUBLE, MPI_BAND, comm));
    print_class("allreduce-comm", size,
                all(a.data(), b.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_NULL));
    print_class("reduce-root", size,
                MPI_Reduce(a.data(), b.data(), n, MPI_DOUBLE, MPI_SUM, ranks, comm));
    print_class("reduce-negative-root", size,
                MPI_Reduce(a.data(), b.data(), n, MPI_DOUBLE, MPI_SUM, -5, comm));
    print_class("bcast-root", size, MPI_Bcast(a.data(), n, MPI_DOUBLE, ranks, comm));
    print_class("bcast-count", size, MPI_Bcast(a.data(), -1, MPI_DOUBLE, 0, comm));
    print_class("bcast-type", size, MPI_Bcast(a.data(), n, MPI_DATATYPE_NULL, 0, comm));
    print_class("bcast-comm", size, MPI_Bcast(a.data(), n, MPI_DOUBLE, 0, MPI_COMM_NULL));
    print_movement(size, ranks, comm);
#ifdef OMPI_MAJOR_VERSION  // MPICH 4.0 crashes on a reduction of a negative count
    print_class("allreduce-count", size, all(a.data(), b.data(), -1, MPI_DOUBLE, MPI_SUM, comm));
    print_class("reduce-count", size,
                MPI_Reduce(a.data(), b.data(), -n, MPI_DOUBLE, MPI_SUM, 0, comm));
#endif
    checker.begin_case("after refused calls");
    const int code = MPI_Allreduce(MPI_IN_PLACE, a.data(), n, MPI_DOUBLE, MPI_SUM, comm);
    checker.expect(code == MPI_SUCCESS, "the communicator does not work any more");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

}  // namespace check
