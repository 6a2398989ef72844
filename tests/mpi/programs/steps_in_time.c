/* steps_in_time WAY [STEPS [BOUND]]: two ranks, or more in pairs, send each other fields as a
   simulation does, smooth in time and rough in space, and compare each with what it must be: with a
   BOUND no value may be further off. The ways of sending are those of `ways` below. Prints
   "messages N, wrong M" on rank 0. */
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_values = 16384, burst = 5 };

static int rank, peer, steps = 60;
static double bound;
/* Of each thread. */
static _Thread_local long messages, wrong;
static _Thread_local MPI_Comm comm;
static _Thread_local double sent[burst][most_values], received[burst][most_values];
static _Thread_local double expected[most_values];

static double phase(int field, int i) {
  return 6.0 * ((unsigned)(i * 2654435761u + field * 40503u) % 65536u) / 65536.0;
}

static void field_at(double* values, int count, int sender, int field, int step) {
  for (int i = 0; i < count; ++i)
    values[i] = 1.5 + sin(0.01 * step + phase(field + 16 * sender, i));
}

static int is_as_sent(const double* values, int count) {
  if (bound == 0) return memcmp(values, expected, sizeof(double) * (size_t)count) == 0;
  for (int i = 0; i < count; ++i)
    if (!(fabs(values[i] - expected[i]) <= bound)) return 0;
  return 1;
}

static void check(const double* values, int count, int field, int step) {
  field_at(expected, count, peer, field, step);
  ++messages;
  if (!is_as_sent(values, count)) ++wrong;
}

/* Waitall, which Debian's MPICH lets gcc warn of without statuses. */
static void wait_for(int count, MPI_Request* requests) {
  for (int i = 0; i < count; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void blocking(int step) {
  field_at(sent[0], most_values, rank, 0, step);
  if (rank < peer) MPI_Send(sent[0], most_values, MPI_DOUBLE, peer, 1, comm);
  MPI_Recv(received[0], most_values, MPI_DOUBLE, peer, 1, comm, MPI_STATUS_IGNORE);
  if (rank > peer) MPI_Send(sent[0], most_values, MPI_DOUBLE, peer, 1, comm);
  check(received[0], most_values, 0, step);
}

static void sendrecv(int step) {
  field_at(sent[0], most_values, rank, 0, step);
  MPI_Sendrecv(sent[0], most_values, MPI_DOUBLE, peer, 1, received[0], most_values, MPI_DOUBLE,
               peer, 1, comm, MPI_STATUS_IGNORE);
  check(received[0], most_values, 0, step);
}

/* As LAMMPS and many others do. */
static void crossing(int step) {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  field_at(sent[0], most_values, rank, 0, step);
  MPI_Irecv(received[0], most_values, MPI_DOUBLE, peer, 13, comm, &requests[0]);
  if (step % 2 == 0)
    MPI_Send(sent[0], most_values, MPI_DOUBLE, peer, 13, comm);
  else
    MPI_Isend(sent[0], most_values, MPI_DOUBLE, peer, 13, comm, &requests[1]);
  wait_for(2, requests);
  check(received[0], most_values, 0, step);
}

/* Several at a time. */
static void window(int step) {
  MPI_Request requests[2 * burst];
  for (int i = 0; i < burst; ++i) {
    field_at(sent[i], most_values, rank, i, step);
    MPI_Irecv(received[i], most_values, MPI_DOUBLE, peer, 14 + i, comm, &requests[i]);
  }
  for (int i = 0; i < burst; ++i)
    MPI_Isend(sent[i], most_values, MPI_DOUBLE, peer, 14 + i, comm, &requests[burst + i]);
  wait_for(2 * burst, requests);
  for (int i = 0; i < burst; ++i) check(received[i], most_values, i, step);
}

/* Several fields over one channel, received by one call after the other. */
static void turns(int step) {
  MPI_Request requests[2 * 3];
  for (int field = 0; field < 3; ++field) {
    field_at(sent[field], most_values, rank, field, step);
    MPI_Irecv(received[field], most_values, MPI_DOUBLE, peer, 2, comm, &requests[field]);
    MPI_Isend(sent[field], most_values, MPI_DOUBLE, peer, 2, comm, &requests[3 + field]);
  }
  wait_for(6, requests);
  for (int field = 0; field < 3; ++field) check(received[field], most_values, field, step);
}

/* The last one received is looked at first. */
static void reversed(int step) {
  MPI_Request sends[burst], receives[burst];
  for (int i = 0; i < burst; ++i) {
    field_at(sent[i], most_values, rank, 0, burst * step + i);
    MPI_Irecv(received[i], most_values, MPI_DOUBLE, peer, 3, comm, &receives[i]);
  }
  for (int i = 0; i < burst; ++i)
    MPI_Isend(sent[i], most_values, MPI_DOUBLE, peer, 3, comm, &sends[i]);
  for (int i = burst - 1; i >= 0; --i) {
    MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
    check(received[i], most_values, 0, burst * step + i);
  }
  wait_for(burst, sends);
}

static void any_source(int step) {
  MPI_Request send;
  MPI_Status status;
  field_at(sent[0], most_values, rank, 0, step);
  MPI_Isend(sent[0], most_values, MPI_DOUBLE, peer, 4, comm, &send);
  MPI_Recv(received[0], most_values, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  check(received[0], most_values, 0, step);
  if (status.MPI_SOURCE != peer || status.MPI_TAG != 4) ++wrong;
}

static void probed(int step) {
  MPI_Request send;
  MPI_Status status;
  int count = 0;
  field_at(sent[0], most_values, rank, 0, step);
  MPI_Isend(sent[0], most_values, MPI_DOUBLE, peer, 5, comm, &send);
  if (step % 2 == 0) {
    MPI_Probe(peer, 5, comm, &status);
    MPI_Recv(received[0], most_values, MPI_DOUBLE, peer, 5, comm, MPI_STATUS_IGNORE);
  } else {
    MPI_Message message;
    MPI_Mprobe(MPI_ANY_SOURCE, 5, comm, &message, &status);
    MPI_Mrecv(received[0], most_values, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  }
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  if (count != most_values) ++wrong;
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  check(received[0], most_values, 0, step);
}

static MPI_Request persistent_ones[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

static void persistent(int step) {
  if (step == 0) {
    MPI_Recv_init(received[0], most_values, MPI_DOUBLE, peer, 6, comm, &persistent_ones[0]);
    MPI_Send_init(sent[0], most_values, MPI_DOUBLE, peer, 6, comm, &persistent_ones[1]);
  }
  field_at(sent[0], most_values, rank, 0, step);
  MPI_Startall(2, persistent_ones);
  wait_for(2, persistent_ones);
  check(received[0], most_values, 0, step);
  if (step + 1 == steps)
    for (int i = 0; i < 2; ++i) MPI_Request_free(&persistent_ones[i]);
}

/* Several started at a time, the receives before the sends, as PETSc does. */
static void startall(int step) {
  static MPI_Request started[2 * burst];
  for (int i = 0; i < burst; ++i) {
    field_at(sent[i], most_values, rank, i, step);
    if (step > 0) continue;
    MPI_Recv_init(received[i], most_values, MPI_DOUBLE, peer, 20 + i, comm, &started[i]);
    MPI_Send_init(sent[i], most_values, MPI_DOUBLE, peer, 20 + i, comm, &started[burst + i]);
  }
  MPI_Startall(2 * burst, started);
  wait_for(2 * burst, started);
  for (int i = 0; i < burst; ++i) check(received[i], most_values, i, step);
  if (step + 1 == steps)
    for (int i = 0; i < 2 * burst; ++i) MPI_Request_free(&started[i]);
}

/* As atoms migrate. */
static void sizes(int step) {
  const int count = most_values - 37 * (step / 12);
  field_at(sent[0], count, rank, 0, step);
  MPI_Sendrecv(sent[0], count, MPI_DOUBLE, peer, 7, received[0], most_values, MPI_DOUBLE, peer, 7,
               comm, MPI_STATUS_IGNORE);
  check(received[0], count, 0, step);
}

/* Of two sizes, both on their way at once. */
static void two_sizes(int step) {
  MPI_Request requests[4];
  for (int i = 0; i < 2; ++i) {
    field_at(sent[i], 3000 << i, rank, i, step);
    MPI_Irecv(received[i], 3000 << i, MPI_DOUBLE, peer, 30 + i, comm, &requests[i]);
  }
  for (int i = 0; i < 2; ++i)
    MPI_Isend(sent[i], 3000 << i, MPI_DOUBLE, peer, 30 + i, comm, &requests[2 + i]);
  wait_for(4, requests);
  for (int i = 0; i < 2; ++i) check(received[i], 3000 << i, i, step);
}

static void derived(int step) {
  static double wide[2][2 * most_values];
  MPI_Datatype type;
  MPI_Request send;
  MPI_Type_vector(most_values, 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  field_at(sent[0], most_values, rank, 0, step);
  for (int i = 0; i < most_values; ++i) wide[0][2 * i] = sent[0][i];
  MPI_Isend(wide[0], 1, type, peer, 8, comm, &send);
  MPI_Recv(wide[1], 1, type, peer, 8, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  for (int i = 0; i < most_values; ++i) received[0][i] = wide[1][2 * i];
  check(received[0], most_values, 0, step);
}

/* Every tenth receive is too small: an error, and what comes after is right. */
static void truncated(int step) {
  MPI_Request send;
  const int room = step % 10 == 9 ? most_values / 2 : most_values;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  field_at(sent[0], most_values, rank, 0, step);
  MPI_Isend(sent[0], most_values, MPI_DOUBLE, peer, 9, comm, &send);
  const int code = MPI_Recv(received[0], room, MPI_DOUBLE, peer, 9, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  if (room == most_values)
    check(received[0], most_values, 0, step);
  else if (code == MPI_SUCCESS)
    ++wrong;
}

static void freed(int step) {
  const MPI_Comm world = comm;
  if (step % 12 == 0) MPI_Comm_dup(world, &comm);
  static MPI_Comm own;
  if (step % 12 == 0) own = comm;
  comm = own;
  sendrecv(step);
  comm = world;
  if (step % 12 == 11 || step + 1 == steps) MPI_Comm_free(&own);
}

/* A field, then noise, then a field. */
static void changing(int step) {
  if (step % 60 < 30) return sendrecv(step);
  srand((unsigned)(step + 1000 * peer));
  for (int i = 0; i < most_values; ++i) expected[i] = rand() + 1.0 / (1 + rand());
  srand((unsigned)(step + 1000 * rank));
  for (int i = 0; i < most_values; ++i) sent[0][i] = rand() + 1.0 / (1 + rand());
  MPI_Sendrecv(sent[0], most_values, MPI_DOUBLE, peer, 1, received[0], most_values, MPI_DOUBLE,
               peer, 1, comm, MPI_STATUS_IGNORE);
  ++messages;
  if (!is_as_sent(received[0], most_values)) ++wrong;
}

static void unchanged(int step) {
  (void)step;
  sendrecv(0);
}

/* Nobody receives it: it is taken back. */
static void cancelled(int step) {
  sendrecv(step);
  if (step % 6 != 5) return;
  MPI_Request send;
  MPI_Status status;
  int is_cancelled = 0;
  field_at(sent[1], most_values, rank, 0, step);
  MPI_Barrier(comm);
  MPI_Irecv(received[1], most_values, MPI_DOUBLE, peer, 99, comm, &send);
  MPI_Cancel(&send);
  MPI_Wait(&send, &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  if (!is_cancelled) ++wrong;
  MPI_Barrier(comm);
}

/* A send that nobody has received is taken back, where this MPI can; else it is received. */
static void taken_back(int step) {
  sendrecv(step);
  if (step % 6 != 5) return;
  MPI_Request request;
  MPI_Status status;
  int is_over = 0, mine[1] = {0}, others[1] = {0};
  MPI_Barrier(comm);
  field_at(sent[1], most_values, rank, 0, step);
  MPI_Isend(sent[1], most_values, MPI_DOUBLE, peer, 1, comm, &request);
  MPI_Cancel(&request);
  MPI_Test(&request, &is_over, &status);
  if (is_over) MPI_Test_cancelled(&status, mine);
  MPI_Sendrecv(mine, 1, MPI_INT, peer, 97, others, 1, MPI_INT, peer, 97, comm, MPI_STATUS_IGNORE);
  if (!others[0]) {
    MPI_Recv(received[1], most_values, MPI_DOUBLE, peer, 1, comm, MPI_STATUS_IGNORE);
    check(received[1], most_values, 0, step);
  }
  if (!is_over) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

enum { thread_count = 3 };
static MPI_Comm comms[thread_count];
static long of_threads[thread_count][2];

static void* exchange_in_thread(void* number) {
  const int i = *(int*)number;
  comm = comms[i];
  for (int step = 0; step < steps; ++step) crossing(step);
  of_threads[i][0] = messages;
  of_threads[i][1] = wrong;
  return NULL;
}

/* Each on a communicator of its own. */
static void threads(int step) {
  pthread_t all[thread_count];
  int numbers[thread_count];
  if (step > 0) return;
  for (int i = 0; i < thread_count; ++i) {
    numbers[i] = i;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    pthread_create(&all[i], NULL, exchange_in_thread, &numbers[i]);
  }
  for (int i = 0; i < thread_count; ++i) {
    pthread_join(all[i], NULL);
    MPI_Comm_free(&comms[i]);
    messages += of_threads[i][0];
    wrong += of_threads[i][1];
  }
}

/* One receive is posted early and waited for at the end. */
static void late(int step) {
  static MPI_Request early;
  static int early_step;
  if (step == 30) {
    MPI_Irecv(received[1], most_values, MPI_DOUBLE, peer, 1, comm, &early);
    MPI_Barrier(comm);
    field_at(sent[1], most_values, rank, 0, step);
    MPI_Send(sent[1], most_values, MPI_DOUBLE, peer, 1, comm);
    early_step = step;
    return;
  }
  sendrecv(step);
  if (step + 1 != steps || steps <= 30) return;
  MPI_Wait(&early, MPI_STATUS_IGNORE);
  check(received[1], most_values, 0, early_step);
}

/* A buffered send that there is no buffer for, now and then. */
static void refused(int step) {
  if (step % 50 == 30) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    field_at(sent[1], most_values, rank, 0, step);
    if (MPI_Bsend(sent[1], most_values, MPI_DOUBLE, peer, 1, comm) == MPI_SUCCESS) ++wrong;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  }
  sendrecv(step);
}

/* Nothing waits for the last one. */
static void abandoned(int step) {
  MPI_Request request;
  sendrecv(step);
  if (step + 1 != steps) return;
  MPI_Irecv(received[1], most_values, MPI_DOUBLE, peer, 1, comm, &request);
  MPI_Request_free(&request);
  MPI_Barrier(comm);
  MPI_Send(sent[0], most_values, MPI_DOUBLE, peer, 1, comm);
}

static const struct {
  const char* name;
  void (*send)(int step);
} ways[] = {{"blocking", blocking},     {"sendrecv", sendrecv},     {"turns", turns},
            {"reversed", reversed},     {"any-source", any_source}, {"probed", probed},
            {"persistent", persistent}, {"sizes", sizes},           {"derived", derived},
            {"truncated", truncated},   {"freed", freed},           {"changing", changing},
            {"unchanged", unchanged},   {"cancelled", cancelled},   {"late", late},
            {"refused", refused},       {"abandoned", abandoned},   {"crossing", crossing},
            {"window", window},         {"startall", startall},     {"taken-back", taken_back},
            {"threads", threads},       {"two-sizes", two_sizes}};

int main(int argc, char** argv) {
  int level;
  const int with_threads = argc > 1 && strcmp(argv[1], "threads") == 0;
  MPI_Init_thread(&argc, &argv, with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = rank ^ 1;
  comm = MPI_COMM_WORLD;
  if (argc > 2) steps = atoi(argv[2]);
  if (argc > 3) bound = atof(argv[3]);
  int known = 0;
  for (size_t way = 0; way < sizeof ways / sizeof ways[0]; ++way) {
    if (argc < 2 || strcmp(argv[1], ways[way].name) != 0) continue;
    known = 1;
    for (int step = 0; step < steps; ++step) ways[way].send(step);
  }
  long mine[2] = {messages, wrong}, all[2] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("messages %ld, wrong %ld\n", all[0], all[1]);
  MPI_Finalize();
  return known ? 0 : 2;
}
