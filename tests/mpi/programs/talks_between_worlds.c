// Large messages and collectives between communicators' groups and between worlds: half of the
// ranks with the other half by an intercommunicator; and if asked, all with processes that they
// spawn, or again half of them with the others, which they connect to: in both groups and merged
// into one. Run it with an even number of ranks. Or, of any number, the first with the last of a
// group of all others.
//   talks_between_worlds [spawn|connect|uneven]
// Rank 0 prints "messages N, wrong W" of all processes.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 30000, tag = 3, children = 2 };

extern char** environ;

static double out[count], in[count];
static int messages = 0, wrong = 0;

static double term(int sender, int i) {
  return sender + i / 32;
}

static void check(int sender, int step, const MPI_Status* status) {
  int received = 0;
  MPI_Get_count(status, MPI_DOUBLE, &received);
  int right = received == count && status->MPI_TAG == tag;
  for (int i = 0; i < count; ++i) right = right && in[i] == term(sender, i) + step;
  ++messages;
  wrong += !right;
  memset(in, 0xFF, sizeof in);
}

static void count_all(MPI_Comm comm) {
  int own[2] = {messages, wrong};
  int all[2] = {0, 0};
  MPI_Allreduce(own, all, 2, MPI_INT, MPI_SUM, comm);
  messages = all[0];
  wrong = all[1];
}

static void fill(int sender, int step) {
  for (int i = 0; i < count; ++i) out[i] = term(sender, i) + step;
}

// Every one with its partner, in several ways. Of those who meet, `mine` and `theirs` name them.
static void exchange(MPI_Comm comm, int peer, int mine, int theirs) {
  MPI_Status status;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  fill(mine, 1);
  MPI_Sendrecv(out, count, MPI_DOUBLE, peer, tag, in, count, MPI_DOUBLE, peer, tag, comm, &status);
  check(theirs, 1, &status);
  fill(mine, 2);
  MPI_Irecv(in, count, MPI_DOUBLE, peer, MPI_ANY_TAG, comm, &requests[0]);
  MPI_Isend(out, count, MPI_DOUBLE, peer, tag, comm, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  check(theirs, 2, &statuses[0]);
  fill(mine, 3);
  MPI_Isend(out, count, MPI_DOUBLE, peer, tag, comm, &requests[0]);
  MPI_Probe(peer, tag, comm, &status);
  MPI_Recv(in, count, MPI_DOUBLE, peer, tag, comm, &status);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  check(theirs, 3, &status);
}

static void exchange_between_halves(int rank, int size) {
  const int low = rank < size / 2;
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size / 2 : 0, tag, &between);
  int peer;
  MPI_Comm_rank(half, &peer);
  exchange(between, peer, rank, low ? rank + size / 2 : rank - size / 2);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

static void exchange_with_last(int rank, int size) {
  MPI_Comm own, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, tag, &between);
  if (rank == 0) exchange(between, size - 2, 0, size - 1);
  if (rank == size - 1) exchange(between, 0, size - 1, 0);
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
}

static void check_values(const double* values, double first, double factor) {
  int right = 1;
  for (int i = 0; i < count; ++i) right = right && values[i] == first + factor * (i / 32);
  ++messages;
  wrong += !right;
  memset(in, 0xFF, sizeof in);
}

// The first speaks to all; then the sum of all.
static void collect_in(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < count; ++i) out[i] = term(rank, i);
  if (rank == 0) memcpy(in, out, sizeof in);
  MPI_Bcast(in, count, MPI_DOUBLE, 0, comm);
  check_values(in, 0, 1);
  MPI_Allreduce(out, in, count, MPI_DOUBLE, MPI_SUM, comm);
  check_values(in, size * (size - 1) / 2, size);
}

// The parents' first speaks to the children; then each side gets the other's sum.
static void collect_between(MPI_Comm between, int is_child) {
  int rank, others;
  MPI_Comm_rank(between, &rank);
  MPI_Comm_remote_size(between, &others);
  for (int i = 0; i < count; ++i) out[i] = term(rank, i);
  if (is_child) {
    MPI_Bcast(in, count, MPI_DOUBLE, 0, between);
    check_values(in, 0, 1);
  } else {
    MPI_Bcast(out, count, MPI_DOUBLE, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
  }
  MPI_Allreduce(out, in, count, MPI_DOUBLE, MPI_SUM, between);
  check_values(in, others * (others - 1) / 2, others);
}

// Rank r of each world with rank r of the other, if there is one.
static void exchange_between_worlds(MPI_Comm between, int is_child) {
  int rank, size, others, merged_size;
  MPI_Comm_rank(between, &rank);
  MPI_Comm_size(between, &size);
  MPI_Comm_remote_size(between, &others);
  MPI_Comm merged;
  MPI_Intercomm_merge(between, is_child, &merged);
  MPI_Comm_size(merged, &merged_size);
  collect_between(between, is_child);
  collect_in(merged);
  if (rank < others) {
    const int mine = 100 * is_child + rank;
    const int theirs = 100 * !is_child + rank;
    exchange(between, rank, mine, theirs);
    exchange(merged, is_child ? rank : merged_size - others + rank, mine, theirs);
  }
  count_all(merged);
  MPI_Comm_free(&merged);
}

// Processes like this one, with the variables that concern it, which a launcher does not pass on.
static MPI_Comm spawn(char* program) {
  char** arguments = calloc(1024, sizeof *arguments);
  int n = 0;
  for (char** variable = environ; *variable != NULL && n < 1000; ++variable) {
    if (strncmp(*variable, "LD_PRELOAD=", 11) == 0 || strncmp(*variable, "TIGHTWIRE_", 10) == 0) {
      arguments[n++] = *variable;
    }
  }
  arguments[n] = program;
  MPI_Comm between;
  MPI_Comm_spawn("env", arguments, children, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                 MPI_ERRCODES_IGNORE);
  free(arguments);
  return between;
}

// The upper half connects to the lower one.
static MPI_Comm connect_halves(int rank, int is_low) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, is_low, rank, &half);
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (is_low) {
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &between);
  } else {
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &between);
  }
  if (rank == 0) MPI_Close_port(port);
  MPI_Comm_free(&half);
  return between;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  memset(in, 0xFF, sizeof in);
  MPI_Comm between;
  MPI_Comm_get_parent(&between);
  const int is_child = between != MPI_COMM_NULL;
  int is_second = is_child;
  const int is_uneven = argc > 1 && strcmp(argv[1], "uneven") == 0;
  if (is_uneven) {
    exchange_with_last(rank, size);
  } else if (!is_child) {
    exchange(MPI_COMM_WORLD, rank ^ 1, rank, rank ^ 1);
    exchange_between_halves(rank, size);
    if (argc > 1 && strcmp(argv[1], "spawn") == 0) between = spawn(argv[0]);
    if (argc > 1 && strcmp(argv[1], "connect") == 0) {
      is_second = rank >= size / 2;
      between = connect_halves(rank, !is_second);
    }
  }
  if (between != MPI_COMM_NULL) {
    exchange_between_worlds(between, is_second);
    MPI_Comm_disconnect(&between);
  } else {
    count_all(MPI_COMM_WORLD);
  }
  if (!is_child && rank == 0) {
    printf("messages %d, wrong %d\n", messages, wrong);
  }
  MPI_Finalize();
  return wrong != 0;
}
