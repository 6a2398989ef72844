/* Sends again and again from memory of every kind that changes in every way: freed, unmapped, moved
 * away, discarded, on the stack, shared, in huge pages, read-only, written by other threads, by
 * system calls and by other processes, overlapping. Every value is checked by the receiver, who
 * computes what it must be. Each version of a buffer is sent twice, the second time untouched. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { values = 1 << 16, rounds = 16, first_changed = 20000, end_changed = 24000 };
enum { huge_page = 2 << 20, page = 4096 };
static const size_t bytes = values * sizeof(int);

static int failures = 0;
static int checks = 0;

static void give_up(const char* what) {
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

/* What a buffer holds in a version, part of which is the same in all. */
static int in_part(int version, int i) {
  return i >= first_changed && i < end_changed ? i / 3 + version * 17 : i / 7;
}
/* Nothing is the same in the next version. */
static int in_all(int version, int i) {
  return i / 5 + version * 1000;
}

static void fill(int* buffer, int (*content)(int, int), int version) {
  for (int i = 0; i < values; i++) buffer[i] = content(version, i);
}
static void fill_part(int* buffer, int version) {
  for (int i = first_changed; i < end_changed; i++) buffer[i] = in_part(version, i);
}

static void* map_at(void* place, size_t size, int flags, int file) {
  const int fixed = place != NULL ? MAP_FIXED : 0;
  void* memory = mmap(place, size, PROT_READ | PROT_WRITE, flags | fixed, file, 0);
  if (memory == MAP_FAILED) give_up("mmap");
  return memory;
}
static int* map_private(void* place) {
  return map_at(place, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

/* Past the C library: UCX puts itself in front of mremap() and forgets where to. */
static void move_to(void* from, size_t size, void* to) {
  if (syscall(SYS_mremap, from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != (long)to)
    give_up("mremap");
}

/* Each of these brings its buffer to a new version and returns it; the first is version 0. */

static int same_place = 0;

static int* freed(int version) {
  static int* buffer = NULL;
  int* const before = buffer;
  free(buffer);
  buffer = malloc(bytes);
  if (buffer == before) same_place++;
  fill(buffer, in_all, version);
  return buffer;
}

static int* unmapped(int version) {
  static int* buffer = NULL;
  if (buffer != NULL && munmap(buffer, bytes) != 0) give_up("munmap");
  buffer = map_private(buffer);
  fill(buffer, in_all, version);
  return buffer;
}

static int* mapped_over(int version) {
  static int* buffer = NULL;
  buffer = map_private(buffer);
  fill(buffer, in_all, version);
  return buffer;
}

/* Another mapping is moved to the buffer's place: nothing is written there. */
static int* moved_over(int version) {
  static int* buffer = NULL;
  int* other = map_private(NULL);
  fill(other, in_all, version);
  if (buffer == NULL) return buffer = other;
  move_to(other, bytes, buffer);
  return buffer;
}

/* Some pages are moved away, written to, and moved back. */
static int* moved_and_back(int version) {
  static int* buffer = NULL;
  if (buffer == NULL) {
    buffer = map_private(NULL);
    fill(buffer, in_part, version);
    return buffer;
  }
  const size_t begin = first_changed * sizeof(int) / page * page;
  const size_t size = end_changed * sizeof(int) / page * page + page - begin;
  char* const here = (char*)buffer + begin;
  char* const away = map_at(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  move_to(here, size, away);
  fill_part((int*)(away - begin), version);
  move_to(away, size, here);
  return buffer;
}

/* What is discarded reads as zeros: nothing is written. */
static int in_discarded(int version, int i) {
  return version % 2 == 1 && i >= values / 2 ? 0 : i / 7;
}
static int* discarded(int version) {
  static int* buffer = NULL;
  if (buffer == NULL) buffer = map_private(NULL);
  if (version % 2 == 0) fill(buffer, in_discarded, version);
  if (version % 2 == 1 && madvise(buffer + values / 2, bytes / 2, MADV_DONTNEED) != 0)
    give_up("madvise");
  return buffer;
}

static int* in_huge_pages(int version) {
  static int* buffer = NULL;
  if (buffer == NULL) {
    const size_t size = 2 * (size_t)huge_page;
    char* memory = map_at(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    const size_t beyond = (size_t)memory % huge_page;
    buffer = (int*)(memory + (beyond == 0 ? 0 : huge_page - beyond));
    madvise(memory, size, MADV_HUGEPAGE); /* some systems have none */
    fill(buffer, in_part, version);
  }
  fill_part(buffer, version);
  return buffer;
}

static int* read_only(int version) {
  static int* buffer = NULL;
  if (buffer == NULL) {
    buffer = map_private(NULL);
    fill(buffer, in_part, version);
  }
  if (mprotect(buffer, bytes, PROT_READ | PROT_WRITE) != 0) give_up("mprotect");
  fill_part(buffer, version);
  if (mprotect(buffer, bytes, PROT_READ) != 0) give_up("mprotect");
  return buffer;
}

/* Read-only only after it has been sent for a while, and then replaced. */
static int* read_only_later(int version) {
  static int* buffer = NULL;
  if (version < 3) {
    if (buffer == NULL) buffer = map_private(NULL);
  } else {
    buffer = map_private(buffer);
  }
  fill(buffer, in_all, version);
  if (version >= 2 && mprotect(buffer, bytes, PROT_READ) != 0) give_up("mprotect");
  return buffer;
}

static int* map_file(int flags, int* file) {
  *file = memfd_create("send buffer", MFD_CLOEXEC);
  if (*file < 0 || ftruncate(*file, (off_t)bytes) != 0) give_up("memfd_create");
  return map_at(NULL, bytes, flags, *file);
}

/* Written to by way of another mapping of the same pages. */
static int* shared(int version) {
  static int *buffer = NULL, *alias = NULL;
  if (buffer == NULL) {
    int file;
    buffer = map_file(MAP_SHARED, &file);
    alias = map_at(NULL, bytes, MAP_SHARED, file);
    close(file);
    fill(alias, in_part, version);
  }
  fill_part(alias, version);
  return buffer;
}

static void wait_for(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) give_up("fork");
}

/* Written to by another process. */
static int* shared_with_child(int version) {
  static int* buffer = NULL;
  if (buffer == NULL) {
    buffer = map_at(NULL, bytes, MAP_SHARED | MAP_ANONYMOUS, -1);
    fill(buffer, in_part, version);
  }
  const pid_t child = fork();
  if (child == 0) {
    fill_part(buffer, version);
    _exit(0);
  }
  wait_for(child);
  return buffer;
}

/* A private mapping shows what is written to the file, until it is written to itself. */
static int* private_of_file(int version) {
  static int* buffer = NULL;
  static int file;
  static int contents[values];
  if (buffer == NULL) buffer = map_file(MAP_PRIVATE, &file);
  fill(contents, in_part, version);
  if (pwrite(file, contents, bytes, 0) != (ssize_t)bytes) give_up("pwrite");
  return buffer;
}

/* A child writes to its copy, the parent to its own. */
static int* forked(int version) {
  static int* buffer = NULL;
  if (buffer == NULL) {
    buffer = map_private(NULL);
    fill(buffer, in_part, version);
  }
  const pid_t child = fork();
  if (child == 0) {
    memset(buffer, -1, bytes);
    _exit(0);
  }
  fill_part(buffer, version);
  wait_for(child);
  return buffer;
}

static int* by_read(int version) {
  static int* buffer = NULL;
  static int file;
  if (buffer == NULL) {
    buffer = map_private(NULL);
    fill(buffer, in_part, version);
    file = memfd_create("input", MFD_CLOEXEC);
  }
  int changed[end_changed - first_changed];
  for (int i = first_changed; i < end_changed; i++)
    changed[i - first_changed] = in_part(version, i);
  if (pwrite(file, changed, sizeof changed, 0) != (ssize_t)sizeof changed ||
      pread(file, buffer + first_changed, sizeof changed, 0) != (ssize_t)sizeof changed)
    give_up("read into a send buffer");
  return buffer;
}

/* As debuggers and other MPI processes write. */
static int* by_another_process(int version) {
  static int* buffer = NULL;
  if (buffer == NULL) {
    buffer = map_private(NULL);
    fill(buffer, in_part, version);
  }
  int changed[end_changed - first_changed];
  for (int i = first_changed; i < end_changed; i++)
    changed[i - first_changed] = in_part(version, i);
  const struct iovec from = {changed, sizeof changed};
  const struct iovec to = {buffer + first_changed, sizeof changed};
  /* Containers often forbid it. */
  if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) != (ssize_t)sizeof changed)
    memcpy(to.iov_base, changed, sizeof changed);
  return buffer;
}

/* Another thread writes while other buffers are sent: in steps, the last of which is right. */
static pthread_t writer;
static int writer_buffer[values];
static int writer_version = -1;

static void* write_in_steps(void* unused) {
  for (int step = 3; step >= 0; step--) {
    volatile int* buffer = writer_buffer;
    for (int i = first_changed; i < end_changed; i++) buffer[i] = in_part(writer_version, i) + step;
  }
  return unused;
}
static void start_writer(int version) {
  writer_version = version;
  if (pthread_create(&writer, NULL, write_in_steps, NULL) != 0) give_up("pthread_create");
}
static int* by_a_thread(int version) {
  if (version == 0) {
    fill(writer_buffer, in_part, version);
    start_writer(version);
  }
  pthread_join(writer, NULL);
  return writer_buffer;
}

struct Kind {
  const char* name;
  int (*content)(int, int);
  int* (*bring_to)(int);
};
static const struct Kind kinds[] = {
    {"freed and allocated anew", in_all, freed},
    {"unmapped and mapped anew", in_all, unmapped},
    {"mapped over", in_all, mapped_over},
    {"moved over", in_all, moved_over},
    {"moved and back", in_part, moved_and_back},
    {"discarded", in_discarded, discarded},
    {"in huge pages", in_part, in_huge_pages},
    {"read-only", in_part, read_only},
    {"read-only later", in_all, read_only_later},
    {"shared", in_part, shared},
    {"shared with a child", in_part, shared_with_child},
    {"private mapping of a file", in_part, private_of_file},
    {"forked", in_part, forked},
    {"by read", in_part, by_read},
    {"by another process", in_part, by_another_process},
    {"by a thread", in_part, by_a_thread},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

static void send(const int* buffer) {
  MPI_Send(buffer, values, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

static void check(const char* name, int (*content)(int, int), int version) {
  static int room[values];
  MPI_Recv(room, values, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  checks++;
  for (int i = 0; i < values; i++) {
    if (room[i] == content(version, i)) continue;
    if (failures++ < 20)
      fprintf(stderr, "%s, version %d: value %d is %d, not %d\n", name, version, i, room[i],
              content(version, i));
    return;
  }
}

/* At the same place of the stack each time. */
static __attribute__((noinline)) void send_from_stack(int version) {
  int buffer[values];
  fill(buffer, in_part, version);
  send(buffer);
}

/* What programs do between writing and sending. */
static void compute(void) {
  const double end = MPI_Wtime() + 0.005;
  while (MPI_Wtime() < end) {
  }
}

/* Two buffers that share half of their values: written to before each of the first three sends, the
 * third time long enough before that both may be coded early. */
static int in_area(int version, int i) {
  return i >= values * 3 / 4 && i < values * 3 / 4 + 100 ? version * 31 : i / 7;
}
static int in_area_later(int version, int i) {
  return in_area(version, i + values / 2);
}
static void exchange_overlapping(int rank, int version) {
  static int area[values * 3 / 2];
  const int writes[] = {0, 1, 2, 2, 2};
  for (int step = 0; step < 5; step++) {
    const int now = version * 3 + writes[step];
    int* const buffer = area + (step % 2 == 0 ? 0 : values / 2);
    if (rank == 0) {
      for (int i = 0; version == 0 && step == 0 && i < values * 3 / 2; i++) area[i] = in_area(0, i);
      for (int i = values * 3 / 4; step < 3 && i < values * 3 / 4 + 100; i++)
        area[i] = in_area(now, i);
      if (step == 2) compute();
      send(buffer);
    } else {
      check("overlapping", step % 2 == 0 ? in_area : in_area_later, now);
    }
  }
}

int main(void) {
  int level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  mallopt(M_MMAP_THRESHOLD, 1 << 26); /* so that what is freed is soon given out again */
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* buffers[kind_count] = {0};
  for (int round = 0; round < rounds; round++) {
    const int version = round / 2;
    for (int kind = 0; kind < kind_count; kind++) {
      if (rank == 1) {
        check(kinds[kind].name, kinds[kind].content, version);
        continue;
      }
      if (round % 2 == 0) buffers[kind] = kinds[kind].bring_to(version);
      send(buffers[kind]);
    }
    if (rank == 0 && round % 2 == 1 && round + 1 < rounds) start_writer(version + 1);
    if (rank == 0)
      send_from_stack(version);
    else
      check("on the stack", in_part, version);
    exchange_overlapping(rank, round);
  }
  if (rank == 1) printf("checks %d, failures %d\n", checks, failures);
  if (rank == 0) printf("allocated again at the same place: %d\n", same_place);
  MPI_Finalize();
  return failures != 0;
}
