// Processes of MPI 4 sessions (MPI 4.0, 11.3), beside MPI_Init or without it:
//   uses_sessions alone|around|within
// alone: MPI_Init is never called; around: a session is open before MPI_Init and after
// MPI_Finalize, with receives pending across both; within: one that opens and ends in between.
// For two ranks or more. Rank 0 prints "exchanges N, wrong 0"; without sessions in this MPI the
// exit code is 77.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#if MPI_VERSION >= 4

enum { count = 30000, tag = 3, across_init = 4, across_init_again = 5, across_finalize = 6 };

static int rank, size;
static int exchanges = 0, wrong = 0;
static double out[count], in[count], sums[count];

static void fill(double* values, int sender) {
  for (int i = 0; i < count; ++i) values[i] = sender + i / 32;
}

static void check(const double* values, int sender) {
  int right = 1;
  for (int i = 0; i < count; ++i) right = right && values[i] == sender + i / 32;
  ++exchanges;
  wrong += !right;
}

static void clear(double* values) {
  memset(values, 0xFF, count * sizeof *values);
}

static int left(void) {
  return (rank + size - 1) % size;
}

static int right(void) {
  return (rank + 1) % size;
}

static void send_around(MPI_Comm comm) {
  MPI_Status status;
  clear(in);
  MPI_Sendrecv(out, count, MPI_DOUBLE, right(), tag, in, count, MPI_DOUBLE, left(), tag, comm,
               MPI_STATUS_IGNORE);
  check(in, left());
  MPI_Request sent;
  clear(in);
  MPI_Isend(out, count, MPI_DOUBLE, right(), tag, comm, &sent);
  MPI_Probe(MPI_ANY_SOURCE, tag, comm, &status);
  MPI_Recv(in, count, MPI_DOUBLE, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  check(in, left());
}

static void collect(MPI_Comm comm) {
  clear(in);
  if (rank == 0) fill(in, 0);
  MPI_Bcast(in, count, MPI_DOUBLE, 0, comm);
  check(in, 0);
  MPI_Allreduce(out, sums, count, MPI_DOUBLE, MPI_MAX, comm);
  check(sums, size - 1);
}

// On the communicator and on some that come from it.
static void use(MPI_Comm comm) {
  MPI_Comm same, split;
  send_around(comm);
  collect(comm);
  MPI_Comm_dup(comm, &same);
  MPI_Comm_split(same, 0, rank, &split);
  send_around(split);
  collect(split);
  MPI_Comm_free(&same);
  MPI_Comm_free(&split);
}

static MPI_Comm open_session(MPI_Session* session) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
  MPI_Group_from_session_pset(*session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "uses_sessions", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fill(out, rank);
  return comm;
}

static void close_session(MPI_Session* session, MPI_Comm* comm) {
  MPI_Comm_free(comm);
  MPI_Session_finalize(session);
}

static void use_world(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fill(out, rank);
  use(MPI_COMM_WORLD);
}

static void send(MPI_Comm comm, int its_tag, MPI_Request* receive) {
  MPI_Send(out, count, MPI_DOUBLE, right(), its_tag, comm);
  MPI_Wait(receive, MPI_STATUS_IGNORE);
  check(in, left());
}

// Receives are posted before MPI_Init and before MPI_Finalize, and their messages are sent behind.
static void run_around(int argc, char** argv) {
  MPI_Session session;
  MPI_Request receive, persistent;
  MPI_Comm comm = open_session(&session);
  use(comm);
  clear(in);
  MPI_Irecv(in, count, MPI_DOUBLE, left(), across_init, comm, &receive);
  MPI_Recv_init(in, count, MPI_DOUBLE, left(), across_init_again, comm, &persistent);
  MPI_Init(&argc, &argv);
  use_world();
  clear(in);
  send(comm, across_init, &receive);
  clear(in);
  MPI_Start(&persistent);
  send(comm, across_init_again, &persistent);
  MPI_Request_free(&persistent);
  use(comm);
  static double late[count];
  MPI_Irecv(late, count, MPI_DOUBLE, left(), across_finalize, comm, &receive);
  MPI_Finalize();
  MPI_Send(out, count, MPI_DOUBLE, right(), across_finalize, comm);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  check(late, left());
  use(comm);
  close_session(&session, &comm);
}

// Only once: MPICH 4.0 crashes where a second session begins after the last has ended.
static void run_alone(void) {
  MPI_Session session;
  MPI_Comm comm = open_session(&session);
  use(comm);
  close_session(&session, &comm);
}

static void run_within(int argc, char** argv) {
  MPI_Session session;
  MPI_Init(&argc, &argv);
  MPI_Comm comm = open_session(&session);
  use(comm);
  use_world();
  close_session(&session, &comm);
  MPI_Finalize();
}

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "alone") == 0) run_alone();
  if (strcmp(which, "around") == 0) run_around(argc, argv);
  if (strcmp(which, "within") == 0) run_within(argc, argv);
  if (rank == 0 || wrong != 0) printf("exchanges %d, wrong %d\n", exchanges, wrong);
  return wrong != 0;
}

#else

int main(void) {
  return 77;
}

#endif
