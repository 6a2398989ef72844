/* Sends from the same buffers again and again: unchanged, partly rewritten, rewritten, freed and
 * allocated anew, received into, read into from a file. Every byte is checked by the receiver, who
 * computes what it must be. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { values = 1 << 16, rounds = 40, kinds = 5 };

static int failures = 0;
static int checks = 0;

/* Values of which nothing can be gained, by Send and then by Bcast: what the one finds out serves
 * the other. Small enough to go in one piece by both. */
static void share_noise(int rank) {
  enum { few = 1 << 14 };
  int sent[few];
  for (unsigned i = 0; i < few; i++) {
    unsigned x = (i ^ (i >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    sent[i] = (int)(x ^ (x >> 16));
  }
  int* buffer = malloc(sizeof sent);
  if (rank == 0) memcpy(buffer, sent, sizeof sent);
  for (int i = 0; i < 8; i++) {
    if (rank > 0) memset(buffer, 0, sizeof sent);
    if (rank == 0) MPI_Send(buffer, few, MPI_INT, 1, 9, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(buffer, few, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i > 3) MPI_Bcast(buffer, few, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank != 1 && i <= 3) continue;
    checks++;
    failures += memcmp(buffer, sent, sizeof sent) != 0;
  }
  free(buffer);
}

/* What the buffer holds in a round. All ranks compute it alike, as integers, which are exact. */
static int expected(int kind, int round, int i) {
  switch (kind) {
    case 0: /* unchanged */
      return i / 7;
    case 1: /* a part is rewritten in each round */
      return i >= 20000 && i < 24000 ? i / 3 + round : i / 7;
    case 2: /* rewritten */
      return i / 5 + round * 1000;
    case 3: /* freed and allocated anew */
      return i / 5 + round;
    default: /* the first part by a system call */
      return i < 8192 ? 0x01010101 * (round % 100) : i / 7;
  }
}

static void fill(int* buffer, int kind, int round) {
  for (int i = 0; i < values; i++) buffer[i] = expected(kind, round, i);
}

/* As read(2) writes: past the processor's own stores. */
static void read_in(int* buffer, int round) {
  static int ends[2] = {-1, -1};
  if (ends[0] < 0 && pipe(ends) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  char piece[4096];
  memset(piece, round % 100, sizeof piece);
  for (int i = 0; i < 8; i++) {
    if (write(ends[1], piece, sizeof piece) != (ssize_t)sizeof piece ||
        read(ends[0], buffer + i * 1024, sizeof piece) != (ssize_t)sizeof piece) {
      fprintf(stderr, "read into a send buffer failed\n");
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
}

static void check(const int* buffer, int kind, int round, const char* what) {
  checks++;
  for (int i = 0; i < values; i++) {
    if (buffer[i] == expected(kind, round, i)) continue;
    if (failures++ < 5)
      fprintf(stderr, "%s, kind %d, round %d: value %d is %d\n", what, kind, round, i, buffer[i]);
    return;
  }
}

static int* change(int* buffer, int kind, int round) {
  if (kind == 1)
    for (int i = 20000; i < 24000; i++) buffer[i] = expected(kind, round, i);
  if (kind == 2) fill(buffer, kind, round);
  if (kind == 3) {
    free(buffer);
    buffer = malloc(values * sizeof *buffer);
    fill(buffer, kind, round);
  }
  if (kind == 4) read_in(buffer, round);
  return buffer;
}

int main(int argc, char** argv) {
  (void)argc, (void)argv;
  MPI_Init(NULL, NULL);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int* buffer[kinds];
  int* room = malloc(values * sizeof *room);
  for (int kind = 0; kind < kinds; kind++) {
    buffer[kind] = malloc(values * sizeof **buffer);
    fill(buffer[kind], kind, 0);
    if (kind == 4) memset(buffer[kind], 0, 8192 * sizeof **buffer);
  }
  MPI_Request persistent;
  if (rank == 0) MPI_Send_init(buffer[1], values, MPI_INT, 1, 5, MPI_COMM_WORLD, &persistent);
  for (int round = 0; round < rounds; round++) {
    for (int kind = 0; kind < kinds; kind++) {
      if (rank == 0) {
        if (round > 0) buffer[kind] = change(buffer[kind], kind, round);
        MPI_Bcast(buffer[kind], values, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Send(buffer[kind], values, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Request request;
        MPI_Isend(buffer[kind], values, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (kind != 1) continue;
        MPI_Start(&persistent);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
      } else {
        MPI_Bcast(room, values, MPI_INT, 0, MPI_COMM_WORLD);
        check(room, kind, round, "Bcast");
        if (rank != 1) continue;
        for (int tag = 3; tag < (kind == 1 ? 6 : 5); tag++) {
          MPI_Recv(room, values, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          check(room, kind, round, tag == 3 ? "Send" : tag == 4 ? "Isend" : "Start");
        }
      }
    }
  }
  /* A message of 2 MiB of which a part is rewritten in each round. */
  enum { many = 1 << 19 };
  int* large = calloc(many, sizeof *large);
  for (int round = 0; round < rounds; round++) {
    for (int i = 300000; i < 310000; i++) large[i] = rank == 0 ? i * round : 0;
    if (rank == 0) MPI_Send(large, many, MPI_INT, 1, 8, MPI_COMM_WORLD);
    if (rank != 1) continue;
    MPI_Recv(large, many, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    checks++;
    for (int i = 0; i < many; i++)
      if (large[i] != (i >= 300000 && i < 310000 ? i * round : 0)) failures++;
  }
  free(large);
  /* A buffer that is received into and sent on. */
  for (int round = 0; round < rounds; round++) {
    if (rank == 0) {
      fill(room, 2, round);
      MPI_Send(room, values, MPI_INT, 1, 6, MPI_COMM_WORLD);
      MPI_Recv(room, values, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(room, 2, round, "sent on");
    } else if (rank == 1) {
      MPI_Recv(room, values, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(room, values, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
  }
  if (rank == 0) MPI_Request_free(&persistent);
  share_noise(rank);
  int mine[2] = {checks, failures};
  int all[2];
  MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("checks %d, failures %d\n", all[0], all[1]);
  MPI_Finalize();
  return failures != 0;
}
