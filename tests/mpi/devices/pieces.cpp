// Calls with large buffers on a device, whose copies go on in pieces (src/mpi/device/pieces.h).
//
//   pieces_on_device DRIVER messages|maxima|sums|moves MIB
//   pieces_on_device DRIVER bad MIB send|isend|bcast|allreduce|scatter
//
// DRIVER: of preload/fake_cuda.c, or "-": the same calls with memory of the host. Two ranks; each
// message has MIB MiB and some more. Rank 0 prints "CALL WHERE: DIGESTS" of all that came, in which
// WHERE tells what lies on a device; `bad`: what a message that cannot be copied comes to at both
// ranks. With a driver the ranks tell on standard error how often a piece was waited for, and how
// often the default stream was found idle: "RANK awaited NUMBER idle NUMBER".
#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "memory.h"

namespace devices {
namespace {

constexpr int tag = 5;
constexpr int behind = 64;  // what must stay as it is

int rank = 0;
int count = 0;
Driver driver;

struct Ends {
  int* send;
  int* receive;
};

struct Call {
  const char* name;
  std::function<void(const Ends&)> make;
  // Of persistent requests, which are started several times.
  std::function<MPI_Request(const Ends&)> prepare = nullptr;
};

MPI_Comm world() {
  return MPI_COMM_WORLD;
}

// What is sent by one way and received by another, from rank 0 to rank 1.
Call message(const char* name, std::function<void(const void*)> send,
             std::function<void(void*)> receive) {
  return {name, [=](const Ends& ends) { rank == 0 ? send(ends.send) : receive(ends.receive); }};
}

void send(const void* values) {
  MPI_Send(values, count, MPI_FLOAT, 1, tag, world());
}

void receive(void* values) {
  MPI_Recv(values, count, MPI_FLOAT, 0, tag, world(), MPI_STATUS_IGNORE);
}

void wait(MPI_Request request) {
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

std::vector<Call> messages() {
  std::vector<Call> calls{message("send", send, receive)};
  calls.push_back(message(
      "isend",
      [](const void* values) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(values, count, MPI_FLOAT, 1, tag, world(), &request);
        wait(request);
      },
      [](void* values) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(values, count, MPI_FLOAT, 0, tag, world(), &request);
        for (int done = 0; done == 0;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      }));
  calls.push_back(message(
      "ssend", [](const void* values) { MPI_Ssend(values, count, MPI_FLOAT, 1, tag, world()); },
      [](void* values) {
        MPI_Message found = MPI_MESSAGE_NULL;
        MPI_Mprobe(0, tag, world(), &found, MPI_STATUS_IGNORE);
        MPI_Mrecv(values, count, MPI_FLOAT, &found, MPI_STATUS_IGNORE);
      }));
  calls.push_back(message(
      "from inside of a buffer, shorter than it may be",
      [](const void* values) {
        MPI_Send(static_cast<const int*>(values) + 77, count - 4000, MPI_FLOAT, 1, tag, world());
      },
      receive));
  calls.push_back(message(
      "two at once",
      [](const void* values) {
        const int* const first = static_cast<const int*>(values);
        std::array<MPI_Request, 2> requests{};
        MPI_Isend(first, count / 2, MPI_FLOAT, 1, tag, world(), &requests[0]);
        MPI_Isend(first + count / 2, count - count / 2, MPI_FLOAT, 1, tag, world(), &requests[1]);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
      },
      [](void* values) {
        int* const first = static_cast<int*>(values);
        std::array<MPI_Request, 2> requests{};
        MPI_Irecv(first, count / 2, MPI_FLOAT, 0, tag, world(), &requests[0]);
        MPI_Irecv(first + count / 2, count - count / 2, MPI_FLOAT, 0, tag, world(), &requests[1]);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
      }));
  calls.push_back({"sendrecv", [](const Ends& ends) {
                     MPI_Sendrecv(ends.send, count, MPI_FLOAT, 1 - rank, tag, ends.receive, count,
                                  MPI_FLOAT, 1 - rank, tag, world(), MPI_STATUS_IGNORE);
                   }});
  calls.push_back({"replace", [](const Ends& ends) {
                     MPI_Sendrecv_replace(ends.receive, count, MPI_FLOAT, 1 - rank, tag, 1 - rank,
                                          tag, world(), MPI_STATUS_IGNORE);
                   }});
  calls.push_back({"persistent", nullptr, [](const Ends& ends) {
                     MPI_Request request = MPI_REQUEST_NULL;
                     if (rank == 0) {
                       MPI_Send_init(ends.send, count, MPI_FLOAT, 1, tag, world(), &request);
                     } else {
                       MPI_Recv_init(ends.receive, count, MPI_FLOAT, 0, tag, world(), &request);
                     }
                     return request;
                   }});
  return calls;
}

std::vector<Call> reductions(MPI_Op op) {
  const int half = count / 2;
  std::vector<Call> calls;
  calls.push_back({"allreduce", [=](const Ends& ends) {
                     MPI_Allreduce(ends.send, ends.receive, count, MPI_FLOAT, op, world());
                   }});
  calls.push_back({"allreduce in place", [=](const Ends& ends) {
                     MPI_Allreduce(MPI_IN_PLACE, ends.receive, count, MPI_FLOAT, op, world());
                   }});
  calls.push_back({"reduce", [=](const Ends& ends) {
                     MPI_Reduce(ends.send, ends.receive, count, MPI_FLOAT, op, 1, world());
                   }});
  calls.push_back({"reduce_scatter_block", [=](const Ends& ends) {
                     MPI_Reduce_scatter_block(ends.send, ends.receive, half, MPI_FLOAT, op,
                                              world());
                   }});
  calls.push_back({"scan", [=](const Ends& ends) {
                     MPI_Scan(ends.send, ends.receive, count, MPI_FLOAT, op, world());
                   }});
  calls.push_back({"iallreduce", [=](const Ends& ends) {
                     MPI_Request request = MPI_REQUEST_NULL;
                     MPI_Iallreduce(ends.send, ends.receive, count, MPI_FLOAT, op, world(),
                                    &request);
                     wait(request);
                   }});
#if MPI_VERSION >= 4
  calls.push_back({"persistent allreduce", nullptr, [=](const Ends& ends) {
                     MPI_Request request = MPI_REQUEST_NULL;
                     MPI_Allreduce_init(ends.send, ends.receive, count, MPI_FLOAT, op, world(),
                                        MPI_INFO_NULL, &request);
                     return request;
                   }});
#endif
  return calls;
}

std::vector<Call> moves() {
  const int half = count / 2;
  std::vector<Call> calls;
  calls.push_back({"bcast", [](const Ends& ends) {
                     MPI_Bcast(rank == 1 ? ends.send : ends.receive, count, MPI_FLOAT, 1, world());
                   }});
  calls.push_back({"alltoall", [=](const Ends& ends) {
                     MPI_Alltoall(ends.send, half, MPI_FLOAT, ends.receive, half, MPI_FLOAT,
                                  world());
                   }});
  calls.push_back({"alltoall in place", [=](const Ends& ends) {
                     MPI_Alltoall(MPI_IN_PLACE, half, MPI_FLOAT, ends.receive, half, MPI_FLOAT,
                                  world());
                   }});
  calls.push_back({"allgather", [=](const Ends& ends) {
                     MPI_Allgather(ends.send, half, MPI_FLOAT, ends.receive, half, MPI_FLOAT,
                                   world());
                   }});
  calls.push_back({"allgather in place", [=](const Ends& ends) {
                     MPI_Allgather(MPI_IN_PLACE, half, MPI_FLOAT, ends.receive, half, MPI_FLOAT,
                                   world());
                   }});
  calls.push_back({"gather", [=](const Ends& ends) {
                     MPI_Gather(ends.send, half, MPI_FLOAT, ends.receive, half, MPI_FLOAT, 0,
                                world());
                   }});
  calls.push_back({"scatter", [=](const Ends& ends) {
                     MPI_Scatter(ends.send, half, MPI_FLOAT, ends.receive, half, MPI_FLOAT, 0,
                                 world());
                   }});
  calls.push_back({"ibcast", [](const Ends& ends) {
                     MPI_Request request = MPI_REQUEST_NULL;
                     MPI_Ibcast(rank == 0 ? ends.send : ends.receive, count, MPI_FLOAT, 0, world(),
                                &request);
                     wait(request);
                   }});
  return calls;
}

// FNV-1a.
std::uint64_t digest(const int* values) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (int i = 0; i < count + behind; ++i) {
    hash = (hash ^ static_cast<std::uint32_t>(values[i])) * 0x100000001B3U;
  }
  return hash;
}

// A float, whose sums are exact.
int value_of(int number) {
  return std::bit_cast<int>(static_cast<float>(number));
}

void fill(Memory<int>& sent, Memory<int>& received, int number) {
  for (int i = 0; i < count + behind; ++i) {
    sent.values()[i] = value_of(number * 16 + rank * 8 + i / 64);
    received.values()[i] = value_of(number * 16 + rank * 8 - i / 32);
  }
  sent.written();
  received.written();
}

void tell(const Call& call, const char* where, Memory<int>& received) {
  received.to_be_read();
  const std::uint64_t hash = digest(received.values());
  std::array<std::uint64_t, 2> hashes{};
  PMPI_Gather(&hash, 1, MPI_UINT64_T, hashes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  std::printf("%s %s:", call.name, where);
  for (const std::uint64_t one : hashes) std::printf(" %016lx", static_cast<unsigned long>(one));
  std::printf("\n");
}

void perform(const Call& call, const char* where, Memory<int>& sent, Memory<int>& received,
             int& number) {
  const Ends ends{static_cast<int*>(sent.given()), static_cast<int*>(received.given())};
  if (call.make) {
    fill(sent, received, ++number);
    call.make(ends);
    return tell(call, where, received);
  }
  MPI_Request request = call.prepare(ends);
  for (int start = 0; start < 3; ++start) {
    fill(sent, received, ++number);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tell(call, where, received);
  }
  MPI_Request_free(&request);
}

void perform_all(const std::vector<Call>& calls) {
  const auto items = static_cast<std::size_t>(count + behind);
  Memory<int> from_device(driver, true, items);
  Memory<int> to_device(driver, true, items);
  Memory<int> from_host(driver, false, items);
  Memory<int> to_host(driver, false, items);
  int number = 0;
  for (const Call& call : calls) {
    perform(call, "both", from_device, to_device, number);
    perform(call, "send", from_device, to_host, number);
    perform(call, "receive", from_host, to_device, number);
  }
}

std::vector<Call> calls_of(const std::string& what) {
  if (what == "messages") return messages();
  if (what == "moves") return moves();
  return reductions(what == "sums" ? MPI_SUM : MPI_MAX);
}

const char* name_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class == MPI_SUCCESS      ? "success"
         : error_class == MPI_ERR_BUFFER ? "MPI_ERR_BUFFER"
                                         : "another error";
}

// The driver of rank 0 cannot copy all; the other rank is to hear of it.
void bad(const std::string& call) {
  MPI_Comm_set_errhandler(world(), MPI_ERRORS_RETURN);
  const auto items = static_cast<std::size_t>(count + behind);
  Memory<int> sent(driver, rank == 0, items);
  Memory<int> received(driver, false, items);
  fill(sent, received, 1);
  void* const from = sent.given();
  void* const to = received.given();
  int code = MPI_SUCCESS;
  MPI_Request request = MPI_REQUEST_NULL;
  if (call == "bcast") {
    code = MPI_Bcast(rank == 0 ? from : to, count, MPI_FLOAT, 0, world());
  } else if (call == "allreduce") {
    code = MPI_Allreduce(from, to, count, MPI_FLOAT, MPI_MAX, world());
  } else if (call == "scatter") {
    code = MPI_Scatter(from, count / 2, MPI_FLOAT, to, count / 2, MPI_FLOAT, 0, world());
  } else if (rank == 1) {
    code = MPI_Recv(to, count, MPI_FLOAT, 0, tag, world(), MPI_STATUS_IGNORE);
  } else if (call == "isend") {
    code = MPI_Isend(from, count, MPI_FLOAT, 1, tag, world(), &request);
  } else {
    code = MPI_Send(from, count, MPI_FLOAT, 1, tag, world());
  }
  std::printf("rank %d: %s\n", rank, name_of(code));
}

int told_by(const char* name) {
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  const auto number = reinterpret_cast<int (*)()>(dlsym(library, name));
  return number != nullptr ? number() : -1;
}

int main(int argc, char** argv) {
  if (argc < 4 || (argc < 5 && std::string(argv[2]) == "bad")) return 1;
  const bool has_driver = std::string(argv[1]) != "-";
  if (has_driver) driver = Driver(argv[1]);
  count = (std::atoi(argv[3]) << 18) + 1234;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string what = argv[2];
  what == "bad" ? bad(argv[4]) : perform_all(calls_of(what));
  if (has_driver) {
    std::fprintf(stderr, "%d awaited %d idle %d\n", rank, told_by("fake_awaited_events"),
                 told_by("fake_idle_defaults"));
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
