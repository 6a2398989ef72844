// Collective calls with buffers of which some lie in a device's memory. All ranks of a call must go
// the same way, and a rank knows of its own buffers only.
#pragma once

#include <mpi.h>

namespace tightwire::mpi {

// The buffers of the collective call that this thread is in.
class CallBuffers {
 public:
  explicit CallBuffers(const void* first, const void* second = nullptr)
      : first_(first), second_(second), outer_(current_) {
    current_ = this;
  }
  ~CallBuffers() { current_ = outer_; }
  CallBuffers(const CallBuffers&) = delete;
  CallBuffers& operator=(const CallBuffers&) = delete;

  // Whether one of the present call is a device's.
  [[nodiscard]] static bool on_device();

 private:
  // The library is always loaded at program start, so the fast model is safe.
  [[gnu::tls_model("initial-exec")]] static inline thread_local const CallBuffers* current_ =
      nullptr;

  const void* first_;
  const void* second_;
  const CallBuffers* outer_;  // a callback may make a call within a call
};

// Whether any process of the job may come to have a device's memory is agreed on at MPI_Init.
// Collective over MPI_COMM_WORLD; throws MpiError.
void agree_on_devices();

// Whether a buffer of the present call is a device's on any rank of `comm`, the call's own.
// Collective over it in a job that may have devices, else without talking. Throws MpiError.
[[nodiscard]] bool any_on_device(MPI_Comm comm);
// Whether it could be, as all ranks know.
[[nodiscard]] bool job_may_have_devices();

}  // namespace tightwire::mpi
