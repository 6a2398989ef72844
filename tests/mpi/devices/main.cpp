// Every kind of call with memory of a device: of preload/fake_cuda.c or of a real driver, which
// argv[1] names; with "-", the same calls with memory of the host.
//
//   calls_on_device DRIVER collectives|special-collectives|sends|receives|special-messages|
//                                partitions|late|freed|bad
//
// `late` and `freed` need the stand-in. Two or four ranks. Collectives are made with one rank as
// the owner of a device, of which first what it sends and then what it receives is memory of the
// device, and with all; messages are sent by all from such memory, or received into it, or both.
// Rank 0 prints "CALL OWNER BUFFER: DIGESTS" of all that came, which MPI by itself prints as well;
// of what goes wrong, its error.
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "calls.h"
#include "support/cuda_driver.h"

// Of MPIs that reach devices: found here before MPI's own.
extern "C" [[gnu::visibility("default")]] int MPIX_Query_cuda_support() {
  const char* const told = std::getenv("FAKE_CUDA");
  return told != nullptr && std::strcmp(told, "readable") == 0 ? 1 : 0;
}

namespace devices {

int rank = 0;
MPI_Comm graph = MPI_COMM_NULL;

namespace {

int ranks = 0;
Driver driver;

// FNV-1a.
std::uint64_t digest(const int* values) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (std::size_t i = 0; i < room; ++i) {
    hash = (hash ^ static_cast<std::uint32_t>(values[i])) * 0x100000001B3U;
  }
  return hash;
}

struct Memory {
  int* host;
  int* device;
  int* alias;  // the device's, for the processor
};

enum class On { neither, send, receive, both };

// `number` tells apart what belongs to different calls.
void perform(const Call& call, On mine, const std::string& what,
             const std::array<Memory, 2>& memory, int number) {
  const bool sends = mine == On::send || mine == On::both;
  const bool receives = mine == On::receive || mine == On::both;
  int* const to_send = sends ? memory[0].alias : memory[0].host;
  int* const received = receives ? memory[1].alias : memory[1].host;
  for (std::size_t i = 0; i < room; ++i) {
    to_send[i] = number * 16 + rank * 8 + static_cast<int>(i / 64);
    received[i] = number * 16 + rank * 8 - static_cast<int>(i / 32);
  }
  if (sends) driver.to_device(memory[0].device, to_send, room);
  if (receives) driver.to_device(memory[1].device, received, room);
  Buffers buffers{sends ? memory[0].device : memory[0].host,
                  receives ? memory[1].device : memory[1].host};
  call.make(buffers);
  if (receives) driver.from_device(received, memory[1].device, room);
  const std::uint64_t hash = digest(received);
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(ranks));
  PMPI_Gather(&hash, 1, MPI_UINT64_T, hashes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  std::printf("%s %s:", call.name, what.c_str());
  for (const std::uint64_t one : hashes) std::printf(" %016lx", static_cast<unsigned long>(one));
  std::printf("\n");
}

bool has_one_buffer(const Call& call) {
  const std::string name = call.name;
  return name.find("cast") != std::string::npos;
}

const std::vector<Call>& calls_of(const std::string& what) {
  if (what == "collectives") return collectives();
  if (what == "special-collectives") return special_collectives();
  if (what == "special-messages") return special_messages();
  return what == "sends" ? sends() : receives();
}

void perform_by_owners(const Call& call, const std::array<Memory, 2>& memory, int& number) {
  for (const int owner : {0, 1}) {
    for (const On on : {On::send, On::receive}) {
      if (on == On::send && has_one_buffer(call)) continue;
      const std::string whose = std::to_string(owner) + (on == On::send ? " send" : " receive");
      perform(call, rank == owner ? on : On::neither, whose, memory, ++number);
    }
  }
  perform(call, On::both, "all both", memory, ++number);
}

void perform_all(const std::string& what, const std::array<Memory, 2>& memory) {
  int number = 0;
  for (const Call& call : calls_of(what)) {
    if (what.ends_with("collectives")) {
      perform_by_owners(call, memory, number);
    } else {
      const On on = what == "sends" ? On::send : what == "receives" ? On::receive : On::both;
      perform(call, on, "each", memory, ++number);
    }
  }
}

// Both ranks would have to know of it, and a header goes in its place: so it is refused.
void partitions(int* device) {
#if MPI_VERSION >= 4
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Request request = MPI_REQUEST_NULL;
  const int sends = MPI_Psend_init(device, 2, count, MPI_INT, peer(), tag, MPI_COMM_WORLD,
                                   MPI_INFO_NULL, &request);
  const int receives = MPI_Precv_init(device, 2, count, MPI_INT, peer(), tag, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, &request);
  if (rank == 0 && sends != MPI_SUCCESS && receives != MPI_SUCCESS) std::puts("refused");
#else
  static_cast<void>(device);
  if (rank == 0) std::puts("no partitions");
#endif
}

void print_error(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  if (rank == 0) std::puts(error_class == MPI_ERR_BUFFER ? "MPI_ERR_BUFFER" : "no such error");
}

void bad(int* device, bool freed) {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (freed) {
    MPI_Allreduce(MPI_IN_PLACE, device, count, MPI_INT, MPI_MAX, MPI_COMM_SELF);
    driver.free_all();
  }
  print_error(MPI_Allreduce(MPI_IN_PLACE, device, count, MPI_INT, MPI_MAX, MPI_COMM_SELF));
}

// A kernel in the default stream writes what is sent.
void late_kernel(const Memory& memory) {
  std::memset(memory.alias, 0, count * sizeof(int));
  driver.late_kernel(memory.device, count * sizeof(int));
  MPI_Sendrecv(memory.device, count, MPI_INT, peer(), tag, memory.host, count, MPI_INT, peer(), tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0 && memory.host[count - 1] == 0x11111111) std::puts("after the kernel");
}

// Around it MPI is initialised.
void run(const std::string& what, const std::array<Memory, 2>& memory) {
  const int other = peer();
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  std::vector<char> attached(room * sizeof(int) + 4096);
  MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
  if (what == "partitions") {
    partitions(memory[0].device);
  } else if (what == "late") {
    late_kernel(memory[0]);
  } else if (what == "bad" || what == "freed") {
    bad(memory[0].device, what == "freed");
  } else {
    perform_all(what, memory);
  }
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(static_cast<void*>(&detached), &size);
  MPI_Comm_free(&graph);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  if (std::string(argv[1]) != "-") driver = Driver(argv[1]);
  std::vector<int> host(2 * room);
  const auto memory_at = [](int* at) {
    int* const device = driver.allocate(room);
    return Memory{at, device, driver.alias_of(device, room)};
  };
  const std::array<Memory, 2> memory{memory_at(host.data()), memory_at(host.data() + room)};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  run(argv[2], memory);
  MPI_Finalize();
  return 0;
}

}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
