#include "p2p/feedback/transfer_feedback.h"

#include <mpi.h>

#include <array>
#include <memory>

#include "mpi/error.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/process_wide.h"
#include "p2p/state/where_memory_allows.h"
#include "wire/transfer_report.h"

namespace tightwire::p2p {
namespace {

double seconds_since(TransferFeedback::Clock::time_point start) {
  return std::chrono::duration<double>(TransferFeedback::Clock::now() - start).count();
}

}  // namespace

TransferFeedback* transfer_feedback() {
  return process_wide<std::unique_ptr<TransferFeedback>>().get();
}

void open_transfer_feedback() {
  if (frame_rules().link == FrameRules::Link::watched) {
    process_wide<std::unique_ptr<TransferFeedback>>() = std::make_unique<TransferFeedback>();
  }
}

void close_transfer_feedback() {
  process_wide<std::unique_ptr<TransferFeedback>>().reset();
}

std::optional<double> TransferFeedback::link(int receiver, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  take_reports();
  return judges_[{receiver, policy::size_class(bytes)}].link();
}

void TransferFeedback::sent(const Sending& sending) {
  const double seconds = seconds_since(sending.start);
  const bool both_ways = expected_bytes().load(std::memory_order_relaxed) >= sending.bytes / 2;
  const std::scoped_lock lock(mutex_);
  where_memory_allows([&] {
    judges_[{sending.receiver, policy::size_class(sending.bytes)}].sent(
        sending.encoded, sending.bytes, seconds, both_ways);
  });
}

void note_sent(const Sending& sending) {
  if (transfer_feedback() == nullptr || sending.bytes < frame_rules().shortest_encoded) return;
  transfer_feedback()->sent(sending);
}

// MPI_Finalize waits until reports are received: none may be left in MPI.
void TransferFeedback::seen(int sender, std::size_t bytes, Clock::time_point asked) {
  const double seconds = seconds_since(asked);
  const std::scoped_lock lock(mutex_);
  where_memory_allows([&] {
    const auto report = seen_[{sender, policy::size_class(bytes)}].add(bytes, seconds);
    if (!report || silent_.load(std::memory_order_relaxed)) return;
    deferred_sends().post(wire::write_report(*report), sender, Channel::report_tag,
                          DeferredSends::Ends::when_received);
  });
}

void TransferFeedback::take_reports() {
  for (;;) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    mpi::check(PMPI_Improbe(MPI_ANY_SOURCE, Channel::report_tag, channel().comm(), &found, &message,
                            &status));
    if (found == 0) return;
    std::array<std::byte, wire::report_size> bytes{};
    mpi::check(PMPI_Mrecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, &message,
                          MPI_STATUS_IGNORE));
    take_report(status.MPI_SOURCE, bytes);
  }
}

// A damaged one is as good as none.
void TransferFeedback::take_report(int from, std::span<const std::byte> bytes) {
  if (const auto report = wire::read_report(bytes))
    judges_[{from, report->size_class}].told(*report);
}

}  // namespace tightwire::p2p
