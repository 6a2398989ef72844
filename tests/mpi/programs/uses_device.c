// Hands memory of a device to MPI, on some ranks and not on others: preload/fake_cuda.c, which
// argv[1] names.
//
//   uses_device libcuda.so.1 collectives|halves|sends|receives|strided
//
// Two ranks; for halves, four. Rank 0 prints "right" where all came as it should, or for strided
// "refused" where the call returned an error; and how often the driver has copied.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { count = 1 << 16, tag = 3 };

static int rank = 0;
static int host[count];
static int* device = NULL;
static int both[2 * count];

// Rank `owner`'s is the device's.
static int* buffer_of(int owner) {
  return rank == owner ? device : host;
}

static void fill(int* values, int by) {
  for (int i = 0; i < count; ++i) values[i] = by + i / 8;
}

static int holds(const int* values, int by) {
  for (int i = 0; i < count; ++i) {
    if (values[i] != by + i / 8) return 0;
  }
  return 1;
}

static int bcast_is_right(int owner) {
  int* values = buffer_of(owner);
  fill(values, rank == 0 ? 5 : 0);
  MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_WORLD);
  return holds(values, 5);
}

static int allgather_is_right(int owner) {
  int* values = buffer_of(owner);
  fill(values, rank);
  MPI_Allgather(values, count, MPI_INT, both, count, MPI_INT, MPI_COMM_WORLD);
  return holds(both, 0) && holds(both + count, 1);
}

static int gatherv_is_right(int owner) {
  int* values = buffer_of(owner);
  const int counts[] = {count, count}, places[] = {0, count};
  fill(values, rank);
  MPI_Gatherv(values, count, MPI_INT, both, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  return rank != 0 || (holds(both, 0) && holds(both + count, 1));
}

static int allreduce_is_right(int owner) {
  int* result = buffer_of(owner);
  fill(both, rank);
  MPI_Allreduce(both, result, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return holds(result, 1);
}

static int collectives_are_right(void) {
  int right = 1;
  for (int owner = 0; owner < 2; ++owner) {
    right = right && bcast_is_right(owner);
    right = right && allgather_is_right(owner);
    right = right && gatherv_is_right(owner);
    right = right && allreduce_is_right(owner);
  }
  return right;
}

// On communicators of half of the ranks, of which one makes more calls than the other.
static int halves_are_right(void) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
  const int first = rank / 2 * 2;
  int right = 1;
  for (int call = 0; call < (rank < 2 ? 3 : 1); ++call) {
    int* const result = buffer_of(first);
    fill(both, rank);
    MPI_Allreduce(both, result, count, MPI_INT, MPI_MAX, half);
    right = right && holds(result, first + 1);
  }
  MPI_Comm_free(&half);
  return right;
}

static int sends_are_right(void) {
  MPI_Request request;
  if (rank == 1) {
    fill(device, 7);
    MPI_Send(device, count, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Isend(device, count, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return 1;
  }
  int right = 1;
  for (int i = 0; i < 2; ++i) {
    memset(host, 0xFF, sizeof host);
    MPI_Recv(host, count, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    right = right && holds(host, 7);
  }
  return right;
}

// From memory of the processor, so that frames come; and from the device's, which are none.
static int receives_are_right(void) {
  MPI_Request request;
  MPI_Status status;
  int right = 1;
  for (int way = 0; way < 4; ++way) {
    int* const sent = way == 3 ? device : host;
    if (rank == 1) {
      fill(sent, way);
      MPI_Send(sent, count, MPI_INT, 0, tag, MPI_COMM_WORLD);
      continue;
    }
    memset(device, 0xFF, sizeof host);
    if (way == 1) {
      MPI_Irecv(device, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, &status);
    } else {
      if (way == 2) MPI_Probe(1, tag, MPI_COMM_WORLD, &status);
      MPI_Recv(device, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &status);
    }
    int received = 0;
    MPI_Get_count(&status, MPI_INT, &received);
    right = right && received == count && holds(device, way);
  }
  return right;
}

// Columns of a matrix in the device's memory.
static int strided_receive_is_refused(void) {
  if (rank == 1) return 1;
  MPI_Datatype type;
  MPI_Type_vector(count / 2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Recv(device, 1, type, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  return code != MPI_SUCCESS;
}

int main(int argc, char** argv) {
  void* driver = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void* (*allocate)(size_t) = NULL;
  if (driver != NULL) *(void**)&allocate = dlsym(driver, "fake_device_memory");
  if (allocate == NULL) return 1;
  device = allocate(sizeof host);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* const what = argv[2];
  const int own = strcmp(what, "receives") == 0  ? receives_are_right()
                  : strcmp(what, "strided") == 0 ? strided_receive_is_refused()
                  : strcmp(what, "halves") == 0  ? halves_are_right()
                  : strcmp(what, "sends") == 0   ? sends_are_right()
                                                 : collectives_are_right();
  int all = 0;
  MPI_Reduce(&own, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0 && all) puts(strcmp(what, "strided") == 0 ? "refused" : "right");
  int (*copies)(void) = NULL;
  *(void**)&copies = dlsym(driver, "fake_copies");
  if (rank == 0 && copies != NULL) printf("copies %d\n", copies());
  MPI_Finalize();
  return 0;
}
