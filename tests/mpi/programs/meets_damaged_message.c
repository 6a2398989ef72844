// Receives two messages of 1 MiB of doubles, and says of each what MPI answered and whether the
// data is right.
//   meets_damaged_message blocking|immediate|probed|strided|persistent smooth|marked
//                         fatal|return|handler
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 1 << 17 };

static double values[count], result[2 * count];
static int handled = 0;
static MPI_Datatype strided;

// Not smooth: noise whose end looks like that of a frame (src/wire/trailer.h).
static double term(int smooth, int i) {
  const unsigned long long mark = 0x19a04bb1bf9b5e73ULL;
  unsigned long long noise = ((unsigned long long)i + 1) * 0x9E3779B97F4A7C15ULL;
  noise = (noise ^ (noise >> 29)) * 0xBF58476D1CE4E5B9ULL;
  noise ^= noise >> 32;
  if (i == count - 1) {
    noise = mark;
  }
  // No whole numbers: their frame would be as short as any, and a shorter one is no frame.
  double value = i / 64 / 3.0;
  if (!smooth) {
    memcpy(&value, &noise, sizeof value);
  }
  return value;
}

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++handled;
}

static int receive(const char* way) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  if (strcmp(way, "blocking") == 0) {
    return MPI_Recv(result, count, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status);
  }
  if (strcmp(way, "probed") == 0) {
    MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
    return MPI_Recv(result, count, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status);
  }
  if (strcmp(way, "strided") == 0) {
    return MPI_Recv(result, 1, strided, 0, 1, MPI_COMM_WORLD, &status);
  }
  if (strcmp(way, "immediate") == 0) {
    MPI_Irecv(result, count, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request);
    return MPI_Wait(&request, &status);
  }
  MPI_Recv_init(result, count, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  const int code = MPI_Wait(&request, &status);
  MPI_Request_free(&request);
  return code;
}

static void report(const char* round, const char* way, int smooth) {
  memset(result, 0xFF, sizeof result);
  handled = 0;
  const int code = receive(way);
  const int stride = strcmp(way, "strided") == 0 ? 2 : 1;
  int right = 1;
  for (int i = 0; i < count; ++i) {
    const double expected = term(smooth, i);
    right = right && memcmp(&result[stride * i], &expected, sizeof expected) == 0;
  }
  char text[MPI_MAX_ERROR_STRING] = "success";
  int length;
  if (code != MPI_SUCCESS) {
    MPI_Error_string(code, text, &length);
  }
  printf("%s: data %s, handler called %d: %s\n", round, right ? "right" : "wrong", handled, text);
  fflush(stdout);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 4) {
    MPI_Abort(MPI_COMM_WORLD, 64);
  }
  const int smooth = strcmp(argv[2], "smooth") == 0;
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (strcmp(argv[3], "handler") == 0) {
    MPI_Comm_create_errhandler(count_error, &handler);
  }
  if (strcmp(argv[3], "fatal") != 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  }
  MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &strided);
  MPI_Type_commit(&strided);
  for (int i = 0; i < count; ++i) values[i] = term(smooth, i);
  for (int round = 0; round < 2; ++round) {
    if (rank == 0) {
      MPI_Send(values, count, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
      report(round == 0 ? "first" : "second", argv[1], smooth);
    }
  }
  MPI_Type_free(&strided);
  MPI_Finalize();
  return 0;
}
