#include "p2p/state/deferred_sends.h"

#include <algorithm>

#include "mpi/datatype/byte_segments.h"
#include "mpi/error.h"
#include "mpi/status.h"
#include "mpi/where_memory_allows.h"
#include "os/waiting/spin_then_sleep.h"
#include "p2p/state/channel.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/process_wide.h"
#include "p2p/state/put_off.h"
#include "timeline/events.h"

namespace tightwire::p2p {
namespace {

// Whether there was one.
bool discard_one(int tag) {
  int found = 0;
  MPI_Status status;
  PMPI_Iprobe(MPI_ANY_SOURCE, tag, channel().comm(), &found, &status);
  if (found == 0) return false;
  const mpi::BufferPool::Lease memory =
      message_pool().insist(std::max<std::size_t>(mpi::bytes_of(status), 1));
  const mpi::ByteSegments segments(memory.bytes().first(mpi::bytes_of(status)));
  PMPI_Recv(segments.address(), segments.count(), segments.type(), status.MPI_SOURCE,
            status.MPI_TAG, channel().comm(), MPI_STATUS_IGNORE);
  return true;
}

// Takes what nobody will: answers and reports to a sender that sends no more, lengths that no
// probe met.
void discard_what_tells() {
  for (const int tag : {Channel::answer_tag, Channel::report_tag, Channel::length_tag}) {
    while (discard_one(tag)) {
    }
  }
}

}  // namespace

DeferredSends& deferred_sends() {
  return process_wide<DeferredSends>();
}

void DeferredSends::post(std::span<const std::byte> bytes, int world_rank, int tag, Ends ends,
                         std::atomic<bool>* under_way) {
  const timeline::Span span("send", timeline::Kind::network, bytes.size(), world_rank);
  // All memory before MPI reads from it.
  std::list<Send> one(1);
  Send& send = one.front();
  send.memory = message_pool().insist(bytes.size());
  std::copy(bytes.begin(), bytes.end(), send.memory.bytes().begin());
  const auto mpi = ends == Ends::when_sent ? &PMPI_Isend : &PMPI_Issend;
  mpi::check(mpi(send.memory.bytes().data(), static_cast<int>(bytes.size()), MPI_BYTE, world_rank,
                 tag, channel().comm(), &send.request));
  send.under_way = under_way;
  if (under_way != nullptr) *under_way = true;
  if (left_ > 0 && may_ask_mpi()) reap();
  const std::scoped_lock lock(mutex_);
  sends_.splice(sends_.end(), one);
  ++left_;
  bytes_ += bytes.size();
}

template <class Look>
void DeferredSends::alone(Look&& look) {
  if (left_ == 0 || looking_.test_and_set(std::memory_order_acquire)) return;
  look();
  looking_.clear(std::memory_order_release);
}

void DeferredSends::reap() {
  alone([this] { paced_([this] { look(); }); });
}

void DeferredSends::progress() {
  alone([this] { look(); });
}

void DeferredSends::progress_few(std::size_t most) {
  if (left_ <= most && expected_bytes() == 0) progress();
}

void DeferredSends::look() {
  std::list<Send> sends;
  {
    const std::scoped_lock lock(mutex_);
    sends.swap(sends_);
  }
  mpi::where_memory_allows([&] { test_together(sends); });
  left_ -= std::erase_if(sends, [this](const Send& send) {
    if (send.request != MPI_REQUEST_NULL) return false;
    bytes_ -= send.memory.bytes().size();
    if (send.under_way != nullptr) *send.under_way = false;
    return true;
  });
  const std::scoped_lock lock(mutex_);
  sends_.splice(sends_.begin(), sends);
}

// By one call, so that MPI moves on once. What failed has left, too.
void DeferredSends::test_together(std::list<Send>& sends) {
  requests_.resize(sends.size());
  places_.resize(sends.size());
  std::ranges::transform(sends, requests_.begin(), &Send::request);
  int found = 0;
  const int code = PMPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &found,
                                 places_.data(), MPI_STATUSES_IGNORE);
  if (code != MPI_SUCCESS) {
    for (MPI_Request& request : requests_) {
      if (PMPI_Test(&request, &found, MPI_STATUS_IGNORE) != MPI_SUCCESS) request = MPI_REQUEST_NULL;
    }
  }
  auto request = requests_.begin();
  for (Send& send : sends) send.request = *request++;
}

void DeferredSends::drain(const std::function<bool()>& progress_others) {
  MPI_Request all_done = MPI_REQUEST_NULL;
  bool done_here = false;
  os::SpinThenSleep spin;
  for (int done = 0; done == 0; spin.pause()) {
    const bool is_waited_for = progress_others();
    progress();
    discard_what_tells();
    // What followed a message whose receive failed.
    if (!is_waited_for) discard_one(MPI_ANY_TAG);
    if (!done_here && left_ == 0) {
      PMPI_Ibarrier(channel().comm(), &all_done);
      done_here = true;
    }
    if (done_here) PMPI_Test(&all_done, &done, MPI_STATUS_IGNORE);
  }
  // All has been sent: what is left now, UCX would complain of on the program's standard output.
  while (discard_one(MPI_ANY_TAG)) {
  }
}

}  // namespace tightwire::p2p
