// Every kind of call with memory of a device: preload/fake_cuda.c, which argv[1] names.
//
//   calls_on_device libcuda.so.1 collectives|sends|receives|partitions
//
// Two ranks. Collectives are made with one of the two as the owner of a device, of which first what
// it sends and then what it receives is memory of the device; messages are sent by both from such
// memory, or received into it. Rank 0 prints "CALL OWNER BUFFER: DIGEST" of all that came, which
// plain MPI prints as well; of partitions, whether they are refused.
#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "calls.h"

namespace devices {

int rank = 0;
MPI_Comm graph = MPI_COMM_NULL;

namespace {

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
};

enum class On { neither, send, receive };

// `number` tells apart what belongs to different calls.
void perform(const Call& call, On mine, const std::string& what,
             const std::array<Memory, 2>& memory, int number) {
  Buffers buffers{mine == On::send ? memory[0].device : memory[0].host,
                  mine == On::receive ? memory[1].device : memory[1].host};
  for (std::size_t i = 0; i < room; ++i) {
    buffers.send[i] = number * 16 + rank * 8 + static_cast<int>(i / 64);
    buffers.receive[i] = number * 16 + rank * 8 - static_cast<int>(i / 32);
  }
  call.make(buffers);
  std::uint64_t hashes[2] = {digest(buffers.receive), 0};
  PMPI_Sendrecv(&hashes[0], 1, MPI_UINT64_T, peer(), tag, &hashes[1], 1, MPI_UINT64_T, peer(), tag,
                graph, MPI_STATUS_IGNORE);
  if (rank != 0) return;
  std::printf("%s %s: %016lx %016lx\n", call.name, what.c_str(),
              static_cast<unsigned long>(hashes[0]), static_cast<unsigned long>(hashes[1]));
}

bool has_one_buffer(const Call& call) {
  const std::string name = call.name;
  return name.find("cast") != std::string::npos;
}

void perform_all(const std::string& what, const std::array<Memory, 2>& memory) {
  int number = 0;
  const bool together = what == "collectives";
  for (const Call& call : together ? collectives() : what == "sends" ? sends() : receives()) {
    if (!together) {
      perform(call, what == "sends" ? On::send : On::receive, "both", memory, ++number);
      continue;
    }
    for (const int owner : {0, 1}) {
      for (const On on : {On::send, On::receive}) {
        if (on == On::send && has_one_buffer(call)) continue;
        const std::string whose = std::to_string(owner) + (on == On::send ? " send" : " receive");
        perform(call, rank == owner ? on : On::neither, whose, memory, ++number);
      }
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

using Allocate = void* (*)(std::size_t);

Allocate allocator(const char* library) {
  void* const driver = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return driver == nullptr ? nullptr
                           : reinterpret_cast<Allocate>(dlsym(driver, "fake_device_memory"));
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
  const Allocate allocate = argc > 2 ? allocator(argv[1]) : nullptr;
  if (allocate == nullptr) return 1;
  std::vector<int> host(2 * room);
  const auto device = [&] { return static_cast<int*>(allocate(room * sizeof(int))); };
  const std::array<Memory, 2> memory{Memory{host.data(), device()},
                                     Memory{host.data() + room, device()}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  run(argv[2], memory);
  MPI_Finalize();
  return 0;
}

}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
