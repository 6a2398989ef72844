// Reads the performance variables of MPI's tool information interface, as a tool does: what it
// finds out of each must be what MPI says of it by its name, and Tightwire's must count. Rank 0
// prints the values of Tightwire's, and "wrong N".
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { count = 1 << 18, room = 512 };

static float values[count];
static float sum[count];
static int wrong = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++wrong;
  printf("not so: %s\n", what);
}

struct Variable {
  char name[room];
  int class_of, bind, continuous, readonly;
  MPI_Datatype type;
};

static int ask(int index, struct Variable* variable) {
  char description[room];
  int length = room, verbosity = 0, description_length = room, atomic = 0;
  MPI_T_enum names;
  return MPI_T_pvar_get_info(index, variable->name, &length, &verbosity, &variable->class_of,
                             &variable->type, &names, description, &description_length,
                             &variable->bind, &variable->readonly, &variable->continuous, &atomic);
}

static void check_names(int variables) {
  for (int i = 0; i < variables; ++i) {
    struct Variable one;
    struct Variable same;
    int index = -1;
    if (ask(i, &one) != MPI_SUCCESS) continue;
    expect(MPI_T_pvar_get_index(one.name, one.class_of, &index) == MPI_SUCCESS, "it has an index");
    expect(ask(index, &same) == MPI_SUCCESS && strcmp(one.name, same.name) == 0, "by its name");
  }
}

static unsigned long long value_of(MPI_T_pvar_session session, const char* name) {
  int index = -1;
  int items = 0;
  unsigned long long value = 0;
  MPI_T_pvar_handle handle;
  expect(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS, name);
  expect(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &items) == MPI_SUCCESS, "handle");
  expect(items == 1, "one value");
  expect(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS, "read");
  expect(MPI_T_pvar_start(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP, "counts all the time");
  expect(MPI_T_pvar_reset(session, handle) == MPI_T_ERR_PVAR_NO_WRITE, "is not to be written");
  expect(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS, "free");
  expect(handle == MPI_T_PVAR_HANDLE_NULL, "is gone");
  return value;
}

// One of MPI's own that needs no object, as far as there is one.
static void read_one_of_mpis(MPI_T_pvar_session session, int variables) {
  for (int i = 0; i < variables; ++i) {
    struct Variable one;
    char value[8 * room];
    int items = 0;
    MPI_T_pvar_handle handle;
    if (ask(i, &one) != MPI_SUCCESS || strncmp(one.name, "tightwire_", 10) == 0) continue;
    if (one.bind != MPI_T_BIND_NO_OBJECT) continue;
    if (MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &items) != MPI_SUCCESS) continue;
    if (items <= room) expect(MPI_T_pvar_read(session, handle, value) == MPI_SUCCESS, one.name);
    expect(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS, one.name);
    return;
  }
}

int main(int argc, char** argv) {
  int level = 0, rank = 0, variables = 0;
  // Open MPI 4.1 crashes where this is up before MPI is, or after it.
  MPI_Init(&argc, &argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) values[i] = sinf(1e-4F * (float)i);
  const double start = MPI_Wtime();
  for (int i = 0; i < 3; ++i) {
    MPI_Allreduce(values, sum, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  }
  const double seconds = MPI_Wtime() - start;
  MPI_Bcast(&rank, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_T_pvar_get_num(&variables);
  check_names(variables);
  MPI_T_pvar_session session;
  MPI_T_pvar_session_create(&session);
  read_one_of_mpis(session, variables);
  const unsigned long long compressed = value_of(session, "tightwire_calls_compressed");
  const unsigned long long before = value_of(session, "tightwire_bytes_before");
  const unsigned long long after = value_of(session, "tightwire_bytes_after");
  expect(before > 2 * after && after > 0, "they shrink");
  const unsigned long long coding = value_of(session, "tightwire_encoding_nanoseconds") +
                                    value_of(session, "tightwire_combining_nanoseconds") +
                                    value_of(session, "tightwire_decoding_nanoseconds");
  expect(value_of(session, "tightwire_combining_nanoseconds") > 0, "it combines");
  expect(coding > 0 && 1e-9 * (double)coding < seconds, "that is part of the calls' time");
  if (rank == 0) printf("compressed %llu, wrong %d\n", compressed, wrong);
  MPI_T_pvar_session_free(&session);
  MPI_T_finalize();
  MPI_Finalize();
  return wrong != 0;
}
