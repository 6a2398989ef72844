// Sums smooth values, says so by a file, and does not come to MPI_Finalize:
//   is_ended spins   computes for ever, outside of MPI
//   is_ended waits   in MPI, for a message that nobody sends
//   is_ended aborts  rank 0 calls MPI_Abort, the others compute
//   is_ended exits   by exit(), rank 0 first: a launcher that sees one go may kill the others
//   is_ended handles has its own handler of SIGTERM, which ends it with exit code 7
//   is_ended forks   rank 0 has children, one ended by SIGTERM, one that exits; then all finalise
//   is_ended asks    each is asked by SIGUSR1 for a report, waits for its file, then finalises
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { count = 1 << 18, sums = 3, limit = 100 };

static float values[count];
static float sum[count];
static int rank;

static void add_up(void) {
  for (int i = 0; i < count; ++i) values[i] = sinf(1e-4F * (float)i);
  for (int i = 0; i < sums; ++i) {
    MPI_Allreduce(values, sum, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  }
}

static void say_ready(void) {
  char name[64];
  char made[64];
  snprintf(name, sizeof name, "ready.%d", rank);
  snprintf(made, sizeof made, "making.%d", rank);
  FILE* file = fopen(made, "w");
  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
  rename(made, name);
}

static void spin(void) {
  volatile double x = 0;
  for (;;) x = cos(x);
}

static void own_handler(int signal) {
  (void)signal;
  _exit(7);
}

static void let_a_child_exit(void) {
  const pid_t child = fork();
  if (child == 0) exit(0);
  waitpid(child, NULL, 0);
  printf("a part of it is %s\n", access("run.rank0.json", F_OK) == 0 ? "there" : "not there");
  fflush(stdout);
}

static void end_a_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %s\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? "ended" : "lives");
}

static void await_report_of(int which) {
  char name[64];
  snprintf(name, sizeof name, "run.rank%d.json", which);
  while (access(name, R_OK) != 0) usleep(1000);
}

static void ask_for_report(void) {
  kill(getpid(), SIGUSR1);
  await_report_of(rank);
  printf("asked\n");
}

static void leave(void) {
  if (rank != 0) await_report_of(0);
  exit(0);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "handles") == 0) signal(SIGTERM, &own_handler);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  alarm(limit);
  add_up();
  if (strcmp(what, "exits") == 0) leave();
  if (strcmp(what, "forks") == 0 && rank == 0) {
    let_a_child_exit();
    end_a_child();
  }
  if (strcmp(what, "asks") == 0) ask_for_report();
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(what, "aborts") == 0 && rank == 0) MPI_Abort(MPI_COMM_WORLD, 5);
  if (strcmp(what, "forks") != 0 && strcmp(what, "asks") != 0) {
    say_ready();
    if (strcmp(what, "waits") == 0) {
      MPI_Recv(values, 1, MPI_FLOAT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    spin();
  }
  MPI_Finalize();
  return 0;
}
