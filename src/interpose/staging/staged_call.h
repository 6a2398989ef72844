// The buffers of one call that lie on a device, with their images.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <list>
#include <string>
#include <utility>

#include "mpi/error.h"
#include "mpi/image/image.h"

namespace tightwire::staging {

// What a call does with a buffer.
enum class Use : std::uint8_t { nothing, sends, receives, both };

struct StagedBuffer {
  const char* name;  // of the argument: "recvbuf"
  Use use;
  mpi::Image image;
  // A message of it is encoded or asks for its values: they need not come before.
  bool may_stay = false;
};

// What the driver says of a buffer.
struct BufferError {
  const char* buffer;
  mpi::driver::Error error;
};

struct StagedCall {
  const char* function = nullptr;  // "MPI_Irecv"
  MPI_Comm comm = MPI_COMM_NULL;
  bool by_status = false;  // what is received is as long as its status says
  bool persistent = false;
  bool under_way = false;           // what was fetched is yet to be put
  std::list<StagedBuffer> buffers;  // which costs nothing while it is empty

  // Both throw BufferError. What is sent is here afterwards, or where it may stay will be when it
  // is read.
  enum class Wanted : bool { now, when_read };
  void fetch(Wanted wanted = Wanted::when_read);
  // What came with `status`, once.
  void put(const MPI_Status& status);
};

// Runs `body`, which returns an MPI code. What the driver complains of becomes a line and an error
// on `comm`.
template <class Body>
int reporting(const char* function, MPI_Comm comm, Body&& body) {
  return mpi::indispensable({function}, comm, [&]() -> int {
    try {
      return body();
    } catch (const BufferError& at) {
      return mpi::raise(mpi::MpiError{MPI_ERR_BUFFER},
                        std::string(at.buffer) + " lies in the memory of a GPU: " + at.error.text,
                        {function}, comm);
    }
  });
}

}  // namespace tightwire::staging
