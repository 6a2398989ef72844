/* Two ranks send each other fields and take part in collectives. With "traps" the program is to be
 * ended by invalid operations, overflows and divisions by zero, as of -ffpe-trap; with "jumps" as
 * well, after an error handler has left a call by longjmp(); with "flags" it looks for them after
 * each call. Prints what it has found, to be the same under Tightwire as without. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 6000, ROUNDS = 1500, EXCEPTIONS = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW };

static double own[VALUES], others[VALUES], both[2 * VALUES];
static int raised = 0;

static void look(const char* call) {
  const int now = fetestexcept(EXCEPTIONS);
  if (now != 0 && raised == 0) printf("%s raised %x\n", call, (unsigned)now);
  raised |= now;
}

static void fill(int round, int rank) {
  for (int i = 0; i < VALUES; ++i) own[i] = sin(1e-3 * i + 1e-2 * round + rank);
}

static void exchange(int other) {
  MPI_Request requests[2];
  MPI_Irecv(others, VALUES, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[0]);
  look("MPI_Irecv");
  MPI_Isend(own, VALUES, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[1]);
  look("MPI_Isend");
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);
  look("MPI_Waitall");
}

static void take_part(int round) {
  MPI_Bcast(own, VALUES, MPI_DOUBLE, round % 2, MPI_COMM_WORLD);
  look("MPI_Bcast");
  MPI_Allreduce(own, others, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  look("MPI_Allreduce");
  MPI_Allgather(own, VALUES, MPI_DOUBLE, both, VALUES, MPI_DOUBLE, MPI_COMM_WORLD);
  look("MPI_Allgather");
  MPI_Request request;
  MPI_Ibcast(own, VALUES, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
  look("MPI_Ibcast");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  look("MPI_Wait");
}

static jmp_buf place;

static void jump(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  longjmp(place, 1);
}

/* Rank 1 receives less than it is sent. */
static void leave_by_jump(int rank) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(jump, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  if (rank == 0) {
    MPI_Send(own, VALUES, MPI_DOUBLE, 1, 4, comm);
  } else if (setjmp(place) == 0) {
    MPI_Recv(others, VALUES / 2, MPI_DOUBLE, 0, 4, comm, MPI_STATUS_IGNORE);
  }
}

/* What MPI's own sum raises is the program's. */
static int raised_by_sum(void) {
  const double large = 1.5e308;
  double sum = 0;
  MPI_Allreduce(&large, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const int now = fetestexcept(FE_OVERFLOW);
  feclearexcept(FE_ALL_EXCEPT);
  return isinf(sum) && now != 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* const how = argc > 1 ? argv[1] : "flags";
  const int jumps = strcmp(how, "jumps") == 0;
  const int traps = jumps || strcmp(how, "traps") == 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  feclearexcept(FE_ALL_EXCEPT);
  if (traps) feenableexcept(EXCEPTIONS);
  if (jumps) leave_by_jump(rank);
  double sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    fill(round, rank);
    exchange(1 - rank);
    sum += others[round];
    if (round % 10 == 0) take_part(round);
  }
  const int trapped = fegetexcept();
  fedisableexcept(EXCEPTIONS);
  const int told = raised_by_sum();
  if (rank == 1) {
    printf("sum %.17g, raised %x, trapped %x, overflow %s\n", sum, (unsigned)raised,
           (unsigned)trapped, told ? "told" : "not told");
  }
  MPI_Finalize();
  return 0;
}
