/* The same calls from several functions, for rules that go by these: prints for each step the
 * largest error of what arrived.
 * calls_from_places; ranks: any number from 2 on. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { VALUES = 1 << 15 };

static double values[VALUES], arrived[VALUES];
static int rank, ranks;

static double field(int of, int i) {
  return sin(1e-3 * i) + of + 1e-7 * (i * 7919 % 1000);
}

static void start(void) {
  for (int i = 0; i < VALUES; ++i) {
    values[i] = field(rank, i);
    arrived[i] = -1;
  }
}

__attribute__((noinline)) static void tell(const char* step, double right_of) {
  double error = 0;
  for (int i = 0; i < VALUES; ++i) {
    double right = 0;
    if (right_of < 0) {
      for (int of = 0; of < ranks; ++of) right += field(of, i);
    } else {
      right = field((int)right_of, i);
    }
    const double off = fabs(arrived[i] - right);
    error = off > error ? off : error;
  }
  long own = (long)(error * 1e15), largest = 0; /* no bound is for whole numbers */
  MPI_Reduce(&own, &largest, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s %.6g\n", step, 1e-15 * (double)largest);
}

__attribute__((noinline)) static void send_velocity(void) {
  MPI_Sendrecv(values, VALUES, MPI_DOUBLE, (rank + 1) % ranks, 0, arrived, VALUES, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  tell("send_velocity", (rank + ranks - 1) % ranks);
}

__attribute__((noinline)) static void send_pressure(void) {
  MPI_Sendrecv(values, VALUES, MPI_DOUBLE, (rank + 1) % ranks, 0, arrived, VALUES, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  tell("send_pressure", (rank + ranks - 1) % ranks);
}

__attribute__((noinline)) static void add_velocity(const char* step) {
  MPI_Allreduce(values, arrived, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  tell(step, -1);
}

__attribute__((noinline)) static void add_pressure(const char* step) {
  MPI_Allreduce(values, arrived, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  tell(step, -1);
}

__attribute__((noinline)) static void spread_velocity(const char* step, int root) {
  if (rank == root) {
    for (int i = 0; i < VALUES; ++i) arrived[i] = values[i];
  }
  MPI_Bcast(arrived, VALUES, MPI_DOUBLE, root, MPI_COMM_WORLD);
  tell(step, root);
}

__attribute__((noinline)) static void spread_pressure(const char* step, int root) {
  if (rank == root) {
    for (int i = 0; i < VALUES; ++i) arrived[i] = values[i];
  }
  MPI_Bcast(arrived, VALUES, MPI_DOUBLE, root, MPI_COMM_WORLD);
  tell(step, root);
}

/* Each group gets the sum of the other one, and adds its own. */
__attribute__((noinline)) static void add_between_velocity(void) {
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 1 : 0, 9, &between);
  MPI_Allreduce(values, arrived, VALUES, MPI_DOUBLE, MPI_SUM, between);
  for (int of = rank % 2; of < ranks; of += 2) {
    for (int i = 0; i < VALUES; ++i) arrived[i] += field(of, i);
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  tell("add_between", -1);
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  start();
  send_velocity();
  start();
  send_pressure();
  start();
  add_velocity("add_velocity");
  start();
  add_pressure("add_pressure");
  start();
  spread_velocity("spread_velocity", 0);
  start();
  spread_pressure("spread_pressure", 0);
  /* The ranks come from different places. */
  start();
  rank % 2 == 0 ? add_velocity("add_mixed") : add_pressure("add_mixed");
  start();
  rank == 0 ? spread_velocity("spread_from_velocity", 0)
            : spread_pressure("spread_from_velocity", 0);
  start();
  rank == 1 ? spread_pressure("spread_from_pressure", 1)
            : spread_velocity("spread_from_pressure", 1);
  start();
  add_between_velocity();
  return MPI_Finalize();
}
