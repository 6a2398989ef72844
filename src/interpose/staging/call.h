// Around a call of the program's that takes buffers (staged.py).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <utility>

#include "interpose/staging/staged_call.h"
#include "mpi/image/places.h"

namespace tightwire::staging {

enum class Kind : std::uint8_t {
  message,
  collective,
  coded_collective,  // devices may carry it out: collective/ asks for what is not to stay there
};

class Call {
 public:
  Call(const char* function, MPI_Comm comm, Kind kind);
  // By any call the program may learn that a receive is complete that it has freed.
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // What the call gets in the place of `address`: the same where that is not on a device. `add`
  // tells the Places of the buffer. Throws BufferError, std::bad_alloc.
  template <class Add>
  [[nodiscard]] void* image(const char* name, const void* address, Use use, Add add) {
    void* const given = const_cast<void*>(address);
    if (use == Use::nothing) return given;
    const Where where = where_is(address);
    if (where == Where::elsewhere) return given;
    mpi::Places places;
    try {
      add(places);
    } catch (const mpi::MpiError&) {
      return given;  // MPI will complain of it, too
    }
    if (places.empty()) return given;
    if (where == Where::freed) refuse_freed(name);
    return keep(name, given, use, std::move(places));
  }
  // What is sent from an image to `dest`, if that is a buffer's: p2p encodes it, or asks for it.
  void sends(const void* image, mpi::Count count, MPI_Datatype datatype, int dest, MPI_Comm comm);
  // Of a coded collective, what it reads: its values need not come before.
  void stays(const void* image);
  // A status that tells how much came, where the program wants none.
  [[nodiscard]] MPI_Status* status(MPI_Status* given);

  // `call` is MPI's own or ours, with the images: it waits for what it does.
  template <class Body>
  int waits(Body call) {
    if (staged_.buffers.empty()) return call();
    begin();
    const int code = call();
    return code == MPI_SUCCESS ? complete(nullptr) : code;
  }
  template <class Body>
  int receives(const MPI_Status* status, Body call) {
    if (staged_.buffers.empty()) return call();
    begin();
    const int code = call();
    return code == MPI_SUCCESS ? complete(status) : code;
  }
  // It returns a request.
  template <class Body>
  int returns_at_once(const MPI_Request* request, bool by_status, Body call) {
    if (staged_.buffers.empty()) return call();
    staged_.by_status = by_status;
    begin();
    const int code = call();
    return code == MPI_SUCCESS ? remember(*request) : code;
  }
  // The same, of which each start is one call.
  template <class Body>
  int persists(const MPI_Request* request, bool by_status, Body call) {
    if (staged_.buffers.empty()) return forgetting(call(), request);
    staged_.by_status = by_status;
    staged_.persistent = true;
    prepare();
    const int code = call();
    return code == MPI_SUCCESS ? remember(*request) : code;
  }

 private:
  enum class Where : std::uint8_t { elsewhere, device, freed };
  [[nodiscard]] Where where_is(const void* address) const;
  [[noreturn]] static void refuse_freed(const char* name);
  [[nodiscard]] void* keep(const char* name, void* address, Use use, mpi::Places places);
  void begin();
  void prepare();
  int complete(const MPI_Status* status);
  int remember(MPI_Request request);
  static int forgetting(int code, const MPI_Request* request);

  StagedCall staged_;
  bool leave_ = false;
  Kind kind_;
  MPI_Status own_status_{};
};

// Of a call that is not staged: throws BufferError for what is on a device.
void refuse_device(const void* buf);

[[nodiscard]] int own_rank(MPI_Comm comm);

}  // namespace tightwire::staging
