/* Partitioned communication (MPI-4) in both directions at once between ranks 0 and 1: partitions of
 * other numbers on the two sides, made ready in all orders and by threads, several channels of the
 * same tag, requests completed in all ways, freed and made anew. Every value is checked. An MPI
 * without it is told of. With the argument "again" most of each buffer stays as it is. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if MPI_VERSION >= 4

enum { rounds = 6, threads = 4, tag = 5 };

static int failures = 0;
static int checks = 0;
static int rank = 0;
static int peer = 0;
static int again = 0;

static void expect(int holds, const char* what, int round, int place) {
  checks++;
  if (holds) return;
  if (failures++ < 20)
    fprintf(stderr, "rank %d: %s, round %d, place %d\n", rank, what, round, place);
}

/* Value i of a channel in a round, sent by a rank. */
static double value(int sender, int channel, int round, int i) {
  const int version = again && i >= 1000 ? 0 : round;
  return sender * 1e6 + channel * 1e5 + version * 1e4 + (i / 3) * 0.5;
}

struct Channel {
  const char* name;
  int number;
  int values;
  int send_partitions;
  int receive_partitions;
  int strided; /* every other value of the buffer, on this side: 1 sender, 2 receiver */
  double* sent;
  double* received;
  MPI_Request requests[2]; /* send, receive */
};

static int stride_of(const struct Channel* channel, int side) {
  return channel->strided == side ? 2 : 1;
}

static void make(struct Channel* channel, MPI_Comm comm) {
  MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
  int counts[2] = {channel->values / channel->send_partitions,
                   channel->values / channel->receive_partitions};
  for (int side = 1; side <= 2; side++) {
    if (channel->strided != side) continue;
    MPI_Datatype pair;
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &pair);
    MPI_Type_commit(&pair);
    types[side - 1] = pair;
  }
  channel->sent = calloc(channel->values, 2 * sizeof(double));
  channel->received = calloc(channel->values, 2 * sizeof(double));
  MPI_Psend_init(channel->sent, channel->send_partitions, counts[0], types[0], peer, tag, comm,
                 MPI_INFO_NULL, &channel->requests[0]);
  MPI_Precv_init(channel->received, channel->receive_partitions, counts[1], types[1], peer, tag,
                 comm, MPI_INFO_NULL, &channel->requests[1]);
  for (int side = 0; side < 2; side++)
    if (types[side] != MPI_DOUBLE) MPI_Type_free(&types[side]);
}

static void unmake(struct Channel* channel) {
  MPI_Request_free(&channel->requests[0]);
  MPI_Request_free(&channel->requests[1]);
  free(channel->sent);
  free(channel->received);
}

static void fill_partition(struct Channel* channel, int round, int partition) {
  const int count = channel->values / channel->send_partitions;
  const int stride = stride_of(channel, 1);
  for (int i = partition * count; i < (partition + 1) * count; i++) {
    const double wanted = value(rank, channel->number, round, i);
    if (channel->sent[i * stride] != wanted) channel->sent[i * stride] = wanted;
  }
}

static void check_partition(const struct Channel* channel, int round, int partition) {
  const int count = channel->values / channel->receive_partitions;
  const int stride = stride_of(channel, 2);
  int wrong = -1;
  for (int i = partition * count; i < (partition + 1) * count && wrong < 0; i++)
    if (channel->received[i * stride] != value(peer, channel->number, round, i)) wrong = i;
  expect(wrong < 0, channel->name, round, wrong);
}

struct Worker {
  struct Channel* channel;
  int round;
  int number;
};

static void* fill_some(void* given) {
  const struct Worker* worker = given;
  for (int p = worker->number; p < worker->channel->send_partitions; p += threads) {
    fill_partition(worker->channel, worker->round, p);
    MPI_Pready(p, worker->channel->requests[0]);
  }
  return NULL;
}

static void send_from_threads(struct Channel* channel, int round) {
  pthread_t running[threads];
  struct Worker workers[threads];
  for (int i = 0; i < threads; i++) {
    workers[i] = (struct Worker){channel, round, i};
    pthread_create(&running[i], NULL, fill_some, &workers[i]);
  }
  for (int i = 0; i < threads; i++) pthread_join(running[i], NULL);
}

static void send_in_turn(struct Channel* channel, int round) {
  const int partitions = channel->send_partitions;
  MPI_Request request = channel->requests[0];
  if (round % 3 == 2) {
    int* list = malloc(partitions * sizeof *list);
    for (int p = 0; p < partitions; p++) fill_partition(channel, round, p);
    for (int p = 0; p < partitions; p++) list[p] = (p * 2 + 1) % partitions;
    if (partitions % 2 == 1) MPI_Pready_list(partitions, list, request);
    if (partitions % 2 == 0) MPI_Pready_range(0, partitions - 1, request);
    free(list);
    return;
  }
  for (int i = 0; i < partitions; i++) {
    const int p = round % 3 == 0 ? i : partitions - 1 - i;
    fill_partition(channel, round, p);
    MPI_Pready(p, request);
  }
}

static void check_status(const MPI_Status* status, const struct Channel* channel, int round) {
  int count = -1;
  MPI_Get_count(status, MPI_DOUBLE, &count);
  expect(status->MPI_SOURCE == peer && status->MPI_TAG == tag && count == channel->values, "status",
         round, count);
}

/* Each partition is looked at as soon as MPI says that it has arrived. */
static void receive_by_partitions(struct Channel* channel, int round) {
  char* seen = calloc(channel->receive_partitions, 1);
  for (int left = channel->receive_partitions; left > 0;) {
    for (int p = 0; p < channel->receive_partitions; p++) {
      int here = 0;
      if (seen[p] == 0) MPI_Parrived(channel->requests[1], p, &here);
      if (here == 0) continue;
      check_partition(channel, round, p);
      seen[p] = 1;
      left--;
    }
  }
  free(seen);
}

static void complete(struct Channel* channels, int count, int round) {
  MPI_Request requests[2 * 8];
  MPI_Status statuses[2 * 8];
  for (int i = 0; i < 2 * count; i++) requests[i] = channels[i / 2].requests[i % 2];
  if (round == 0) {
    MPI_Waitall(2 * count, requests, statuses);
  } else if (round == 1) { /* not Testall: MPICH 4.0 takes what is no error for one */
    for (int left = 2 * count; left > 0;) {
      int index;
      int done;
      MPI_Status status;
      MPI_Testany(2 * count, requests, &index, &done, &status);
      if (done == 0) continue;
      statuses[index] = status;
      left--;
    }
  } else if (round == 2) {
    for (int i = 0; i < 2 * count; i++) {
      int index;
      MPI_Status status;
      MPI_Waitany(2 * count, requests, &index, &status);
      statuses[index] = status;
    }
  } else if (round == 3) {
    for (int left = 2 * count; left > 0;) {
      int found;
      int indices[2 * 8];
      MPI_Status some[2 * 8];
      MPI_Waitsome(2 * count, requests, &found, indices, some);
      for (int i = 0; i < found; i++) statuses[indices[i]] = some[i];
      left -= found;
    }
  } else {
    for (int i = 2 * count - 1; i >= 0; i--) {
      for (int done = 0; done == 0;) MPI_Request_get_status(requests[i], &done, &statuses[i]);
      for (int done = 0; done == 0;) MPI_Test(&requests[i], &done, &statuses[i]);
    }
  }
  /* Of a request that MPI_Request_get_status has looked at MPICH 4.0 has no status any more. */
  for (int i = 1; round < 4 && i < 2 * count; i += 2)
    check_status(&statuses[i], &channels[i / 2], round);
  for (int i = 0; i < 2 * count; i++)
    expect(requests[i] == channels[i / 2].requests[i % 2], "request stays", round, i);
}

static void exchange(struct Channel* channels, int count, int round, int in_threads) {
  if (round % 2 == 0) {
    for (int i = 0; i < 2 * count; i++) MPI_Start(&channels[i / 2].requests[i % 2]);
  } else {
    /* The second of them first. */
    for (int i = count - 1; i >= 0; i--) MPI_Startall(2, channels[i].requests);
  }
  for (int i = 0; i < count; i++) {
    if (in_threads)
      send_from_threads(&channels[i], round);
    else
      send_in_turn(&channels[i], round);
  }
  /* Nobody may need to be inside our calls for others to go on. */
  if (round == 3) MPI_Barrier(MPI_COMM_WORLD);
  if (round % 2 == 1)
    for (int i = 0; i < count; i++) receive_by_partitions(&channels[i], round);
  complete(channels, count, round);
  for (int i = 0; i < count; i++)
    for (int p = 0; p < channels[i].receive_partitions; p++)
      check_partition(&channels[i], round, p);
}

static void run(MPI_Comm comm, int in_threads) {
  struct Channel channels[] = {
      {"one partition", 1, 6720, 1, 1, 0, 0, 0, {0}},
      {"as many on both sides", 2, 8 * 6720, 8, 8, 0, 0, 0, {0}},
      {"fewer at the receiver", 3, 8 * 6720, 42, 5, 0, 0, 0, {0}},
      {"below every threshold", 4, 21, 7, 3, 0, 0, 0, {0}},
      {"more at the receiver", 5, 4 * 6720, 3, 70, 0, 0, 0, {0}},
      {"partitions of several pieces", 6, 60 * 6720, 2, 3, 0, 0, 0, {0}},
      {"strided at the sender", 7, 2 * 6720, 14, 4, 1, 0, 0, {0}},
      {"strided at the receiver", 8, 4 * 6720, 4, 28, 2, 0, 0, {0}},
  };
  enum { count = sizeof channels / sizeof *channels };
  for (int i = 0; i < count; i++) make(&channels[i], comm);
  for (int round = 0; round < rounds; round++) exchange(channels, count, round, in_threads);
  /* The first ones anew, with other partitions: they meet each other, not those that stay. */
  for (int i = 0; i < 3; i++) {
    unmake(&channels[i]);
    channels[i].send_partitions = 7;
    channels[i].receive_partitions = 10;
    make(&channels[i], comm);
  }
  for (int round = 0; round < rounds; round++) exchange(channels, count, round, in_threads);
  for (int i = 0; i < count; i++) unmake(&channels[i]);
}

static void check_all(int threads_allowed) {
  if (rank < 2) {
    peer = 1 - rank;
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &pair);
    run(pair, 0);
    if (threads_allowed) run(pair, 1);
    MPI_Comm_free(&pair);
  }
  int mine[2] = {checks, failures};
  int all[2];
  MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("checks %d, failures %d\n", all[0], all[1]);
}

#endif

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  const int wanted =
      argc > 1 && strcmp(argv[1], "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(NULL, NULL, wanted, &level);
#if MPI_VERSION >= 4
  again = argc > 1 && strcmp(argv[1], "again") == 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check_all(wanted == MPI_THREAD_MULTIPLE && level == MPI_THREAD_MULTIPLE);
#else
  printf("no partitioned communication\n");
#endif
  MPI_Finalize();
  return 0;
}
