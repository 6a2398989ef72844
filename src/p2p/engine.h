// The process-wide state of point-to-point messages.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "mpi/buffer_pool.h"
#include "mpi/communicator/communicator.h"
#include "p2p/request/message_handles.h"
#include "p2p/request/requests.h"
#include "p2p/transfer/deferred_sends.h"
#include "p2p/transfer/helper_thread.h"
#include "p2p/transfer/sequence_numbers.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

struct Engine {
  // Across the network, messages of at least so many bytes travel as frames and all others as they
  // are. Fixed at MPI_Init: receivers go by it.
  std::size_t threshold = 0;
  double link = 0;                // bytes per second; 0 where that is no matter
  bool threads = false;           // MPI_THREAD_MULTIPLE
  MPI_Comm comm = MPI_COMM_NULL;  // private, of all of MPI_COMM_WORLD

  std::unique_ptr<Helper> helper;  // has no thread before its first task

  mpi::BufferPool pool;
  DeferredSends outbox;
  Requests requests;
  Unexpected unexpected;
  MessageHandles messages;
  SequenceNumbers numbers;

  // Names what follows a frame; a tag of `comm`.
  [[nodiscard]] std::uint32_t next_stream() { return 1 + (streams_++ % (tag_limit - 1)); }
  std::uint32_t tag_limit = 32767;

 private:
  std::atomic<std::uint32_t> streams_{0};
};

namespace detail {
inline std::atomic<bool> is_active{false};
}

// Whether any message of this process may be a frame; costs one relaxed load.
[[nodiscard]] inline bool active() {
  return detail::is_active.load(std::memory_order_relaxed);
}

// Valid while active().
[[nodiscard]] Engine& engine();

// How many places such a call needs for chunks that it codes at once: one without the helper.
[[nodiscard]] std::size_t coding_places(std::size_t most);
// Codes chunks with the helper's help, where there is one.
void code_together(const Helper::Items& items);

// Collective over MPI_COMM_WORLD, after runtime::start().
void start();
// Before the runtime goes down: waits until all messages have left.
void finish();

}  // namespace tightwire::p2p
