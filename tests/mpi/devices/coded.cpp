// Messages of numbers between memory of devices and of hosts, within an error bound of 1e-3 that
// the job's settings have.
//
//   coded_on_device DRIVER float|double FROM TO FORM FIELD
//
// FROM and TO: device or host, of rank 0 who sends and rank 1 who receives. FORM: a way to send and
// to receive; of a replace rank 0 receives as well, from rank 1, whose values are all -1. FIELD:
// smooth, noise, filled (some values are 1e30), missing (NaN), bump (at rest, but for a few values
// that no sample of floats has). Rank 1 prints what it has received: "exactly", "within the bound",
// "wrong", or "an error"; a persistent form sends three times, other values each time.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "memory.h"

namespace devices {
namespace {

constexpr int tag = 4;
constexpr double bound = 1e-3;
constexpr int count = (1 << 16) + 77;
// Behind the message, what must stay as it is.
constexpr int behind = 32;

int rank = 0;
Driver driver;

template <class T>
T value_at(const std::string& field, int i, int round) {
  const double wave = std::sin(i * 1e-3) + 0.1 * round;
  std::uint64_t noise = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15U;
  noise = (noise ^ noise >> 31) * 0xbf58476d1ce4e5b9U;
  if (field == "noise") return static_cast<T>(static_cast<double>(noise >> 12) * 0x1p-20);
  if (field == "bump") {
    const int at = i - 25931;
    return at >= 0 && at < 12 ? static_cast<T>(std::sin(0.25 * (at + 1))) : T{0};
  }
  if (field == "filled" && i % 1000 < 10) return static_cast<T>(1e30);
  if (field == "missing" && i % 1000 < 10) return std::numeric_limits<T>::quiet_NaN();
  return static_cast<T>(wave);
}

template <class T>
const char* judge(const T* got, const std::string& field, int round) {
  bool exactly = true;
  for (int i = 0; i < count; ++i) {
    const T expected = value_at<T>(field, i, round);
    if (std::memcmp(&expected, &got[i], sizeof(T)) == 0) continue;
    exactly = false;
    if (!(std::abs(static_cast<double>(got[i]) - static_cast<double>(expected)) <= bound)) {
      std::fprintf(stderr, "value %d: %g for %g\n", i, static_cast<double>(got[i]),
                   static_cast<double>(expected));
      return "wrong";
    }
  }
  for (int i = count; i < count + behind; ++i) {
    if (got[i] != T{-1}) return "wrong behind";
  }
  return exactly ? "exactly" : "within the bound";
}

// What rank 1 had.
template <class T>
bool has_others(const T* got) {
  return std::all_of(got, got + count + behind,
                     [](T value) { return std::abs(static_cast<double>(value) + 1) <= bound; });
}

// It is not complete before it is received, whatever the other rank knows of it.
int send_to_one_who_looks(void* address, MPI_Datatype type) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Issend(address, count, type, 1, tag, MPI_COMM_WORLD, &request);
  PMPI_Barrier(MPI_COMM_WORLD);
  int done = 0;
  for (int i = 0; i < 100 && done == 0; ++i) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  if (done != 0) std::puts("complete too soon");
  PMPI_Barrier(MPI_COMM_WORLD);
  if (done == 0) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code;
}

int replace(void* address, MPI_Datatype type) {
  MPI_Status status;
  const int code = MPI_Sendrecv_replace(address, count, type, 1 - rank, tag, 1 - rank, tag,
                                        MPI_COMM_WORLD, &status);
  int here = 0;
  if (code == MPI_SUCCESS) MPI_Get_count(&status, type, &here);
  if (code == MPI_SUCCESS && here != count) std::puts("another length");
  return code;
}

// Blocks until what `address` has is sent, or received.
int send(const std::string& form, void* address, MPI_Datatype type) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  if (form == "isend") {
    code = MPI_Isend(address, count, type, 1, tag, MPI_COMM_WORLD, &request);
  } else if (form == "ssend") {
    return MPI_Ssend(address, count, type, 1, tag, MPI_COMM_WORLD);
  } else if (form == "issend") {
    return send_to_one_who_looks(address, type);
  } else if (form == "replace") {
    return replace(address, type);
  } else if (form == "bsend") {
    return MPI_Bsend(address, count, type, 1, tag, MPI_COMM_WORLD);
  } else if (form == "sendrecv") {
    int none = 0;
    return MPI_Sendrecv(address, count, type, 1, tag, &none, 0, MPI_INT, 1, tag, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
  } else {
    return MPI_Send(address, count, type, 1, tag, MPI_COMM_WORLD);
  }
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

int receive(const std::string& form, void* address, MPI_Datatype type) {
  if (form == "isend") {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(address, count, type, 0, tag, MPI_COMM_WORLD, &request);
    PMPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (form == "sendrecv") {
    return MPI_Sendrecv(nullptr, 0, MPI_INT, 0, tag, address, count, type, 0, tag, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
  }
  if (form == "replace") return replace(address, type);
  if (form == "issend") {
    MPI_Status status;
    MPI_Probe(0, tag, MPI_COMM_WORLD, &status);
    int here = 0;
    MPI_Get_count(&status, type, &here);
    if (here != count) std::puts("another length");
    PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  if (form == "mprobe") {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, &status);
    int here = 0;
    MPI_Get_count(&status, type, &here);
    if (here != count) std::puts("another length");
    return MPI_Mrecv(address, count, type, &message, MPI_STATUS_IGNORE);
  }
  MPI_Status status;
  const int code = MPI_Recv(address, count, type, 0, tag, MPI_COMM_WORLD, &status);
  int here = 0;
  if (code == MPI_SUCCESS) MPI_Get_count(&status, type, &here);
  if (code == MPI_SUCCESS && here != count) std::puts("another length");
  return code;
}

bool is_persistent(const std::string& form) {
  return form == "persistent" || form == "ssend-init";
}

MPI_Request persistent(const std::string& form, void* address, MPI_Datatype type) {
  MPI_Request request = MPI_REQUEST_NULL;
  const auto init = form == "persistent" ? &MPI_Send_init : &MPI_Ssend_init;
  if (rank == 0) init(address, count, type, 1, tag, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Recv_init(address, count, type, 0, tag, MPI_COMM_WORLD, &request);
  return request;
}

// Synchronous ones of many sizes, the whole message the last.
int many_lengths(void* address, MPI_Datatype type) {
  int code = MPI_SUCCESS;
  for (int shorter = 97 * 60; shorter >= 0 && code == MPI_SUCCESS; shorter -= 97) {
    const int items = count - shorter;
    if (rank == 0) {
      code = MPI_Ssend(address, items, type, 1, tag, MPI_COMM_WORLD);
      continue;
    }
    MPI_Status status;
    MPI_Probe(0, tag, MPI_COMM_WORLD, &status);
    int here = 0;
    MPI_Get_count(&status, type, &here);
    if (here != items) std::puts("another length");
    code = MPI_Recv(address, items, type, 0, tag, MPI_COMM_WORLD, &status);
  }
  return code;
}

int transfer(const std::string& form, void* address, MPI_Datatype type, MPI_Request* request) {
  if (is_persistent(form)) {
    MPI_Start(request);
    return MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  if (form == "lengths") return many_lengths(address, type);
  if (rank == 1) return receive(form, address, type);
  if (form == "isend") PMPI_Barrier(MPI_COMM_WORLD);
  return send(form, address, type);
}

template <class T>
void run(const std::string& place, const std::string& form, const std::string& field,
         MPI_Datatype type) {
  Memory<T> memory(driver, place == "device", count + behind);
  MPI_Request request =
      is_persistent(form) ? persistent(form, memory.given(), type) : MPI_REQUEST_NULL;
  const int rounds = is_persistent(form) ? 3 : 1;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < count + behind; ++i) {
      memory.values()[i] = rank == 0 && i < count ? value_at<T>(field, i, round) : T{-1};
    }
    memory.written();
    const int code = transfer(form, memory.given(), type, &request);
    memory.to_be_read();
    if (rank == 1)
      std::puts(code != MPI_SUCCESS ? "an error" : judge(memory.values(), field, round));
    if (rank == 0 && form == "replace" && !has_others(memory.values())) std::puts("not replaced");
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  if (argc < 7) return 1;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words[2] == "device" || words[3] == "device") driver = Driver(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::vector<char> attached(count * sizeof(double) + 4096);
  MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
  const std::string& place = words[rank == 0 ? 2 : 3];
  if (words[1] == "float") {
    run<float>(place, words[4], words[5], MPI_FLOAT);
  } else {
    run<double>(place, words[4], words[5], MPI_DOUBLE);
  }
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(static_cast<void*>(&detached), &size);
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
