// Lets idle ranks of MPICH 4.0 give way, as Open MPI's do where mpi_yield_when_idle is set.
//
// MPICH over UCX's TCP waits by asking epoll without end whether something came. Where ranks share
// cores, one that waits keeps the core for the scheduler's whole slice (some ms) from the rank that
// it waits for, and times are multiples of slices. Preloaded, this hands the core on after some
// questions in vain.
#define _GNU_SOURCE
#include <sched.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IN_VAIN = 20 };  // some 10 us; a rank that only looks between pieces of work asks less often

int epoll_wait(int epoll, struct epoll_event* events, int most, int timeout_ms) {
  static __thread int in_vain;
  long ready = syscall(SYS_epoll_wait, epoll, events, most, timeout_ms);
  if (ready != 0 || timeout_ms != 0) {
    in_vain = 0;
  } else if (++in_vain >= IN_VAIN) {
    sched_yield();
  }
  return (int)ready;
}
