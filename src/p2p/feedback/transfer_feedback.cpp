#include "p2p/feedback/transfer_feedback.h"

#include <mpi.h>

#include <algorithm>
#include <memory>

#include "mpi/progress/core_share.h"
#include "mpi/where_memory_allows.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/process_wide.h"
#include "p2p/state/put_off.h"
#include "runtime/crew/together.h"
#include "runtime/runtime.h"
#include "wire/transfer_report.h"

namespace tightwire::p2p {
namespace {

constexpr unsigned between_looks = 16;  // calls with short messages

double seconds_of(TransferFeedback::Clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
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
  if (TransferFeedback* const feedback = transfer_feedback()) {
    if (runtime::current().lessons.are_kept()) feedback->keep_lessons();
  }
  process_wide<std::unique_ptr<TransferFeedback>>().reset();
}

std::optional<double> TransferFeedback::link(int receiver, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  const Class wanted{receiver, policy::size_class(bytes)};
  policy::EncodingTuner& tuner = tuners_[wanted];
  if (tuner.knows_network()) {
    take_reports_now_and_then(bytes);
  } else if (may_ask_mpi()) {
    take_reports_at_once();
  } else {
    not_looked_ = between_looks;  // as soon as may be
  }
  if (!tuner.knows_network()) begin(tuner, wanted);
  return tuner.link();
}

void TransferFeedback::begin(policy::EncodingTuner& tuner, const Class& wanted) const {
  const policy::EncodingTuner* const other = most_alike(wanted);
  const auto& earlier = runtime::current().lessons.earlier().messages;
  const auto found = earlier.find(wanted.second);
  if (found != earlier.end()) tuner.begin_with(found->second);
  if (other != nullptr) tuner.begin_with(*other);
}

void TransferFeedback::keep_lessons() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [known, tuner] : tuners_) {
    if (const auto learned = tuner.experience()) {
      runtime::current().lessons.note(known.second, *learned);
    }
  }
}

const policy::EncodingTuner* TransferFeedback::most_alike(const Class& wanted) const {
  const policy::EncodingTuner* found = nullptr;
  for (const auto& [known, tuner] : tuners_) {
    if (!tuner.knows_network()) continue;
    const unsigned larger = std::max(known.second, wanted.second);
    const unsigned smaller = std::min(known.second, wanted.second);
    if (known.first == wanted.first && larger - smaller == 1) return &tuner;
    if (known.second == wanted.second) found = &tuner;
  }
  return found;
}

policy::Reason TransferFeedback::why_unmodified(int receiver, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  return tuners_[{receiver, policy::size_class(bytes)}].why_unmodified();
}

void TransferFeedback::helped_by(double coding_speedup, int receiver, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  tuners_[{receiver, policy::size_class(bytes)}].helped_by(coding_speedup);
}

std::optional<double> TransferFeedback::coding_speedup_of(int receiver) {
  const std::scoped_lock lock(mutex_);
  const auto told = speedups_.find(receiver);
  return told == speedups_.end() ? std::nullopt : std::optional(told->second);
}

// Reports are taken in here, too: some messages are never asked about.
void TransferFeedback::sent(const Sending& sending) {
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> took = now - sending.start;
  const bool both_ways = expected_bytes() >= sending.bytes / 2;
  const std::scoped_lock lock(mutex_);
  mpi::where_possible([&] {
    take_reports_now_and_then(sending.bytes);
    tuners_[{sending.receiver, policy::size_class(sending.bytes)}].sent(
        {sending.encoded, sending.bytes, took.count(), both_ways, seconds_of(now),
         mpi::core_is_shared()});
  });
}

void note_sent(const Sending& sending) {
  if (sending.bytes < frame_rules().shortest_encoded) return;
  if (transfer_feedback() != nullptr) transfer_feedback()->sent(sending);
  runtime::measure_speedup_asked_for();
}

// One of a class at a time: a sender may never look for them. MPI_Finalize waits until they are
// received, so that none is left in MPI.
void TransferFeedback::seen(int sender, std::size_t bytes, const AskedFor& asked) {
  const double in_place = seconds_of(Clock::now());
  const std::scoped_lock lock(mutex_);
  mpi::where_possible([&] {
    const double seconds =
        shared_[sender].of(seconds_of(asked.since()), in_place, bytes, asked.others());
    const Class these{sender, policy::size_class(bytes)};
    tuners_[these].waited(bytes, seconds);
    auto report = seen_[these].add(bytes, seconds);
    if (!report || silent_.load(std::memory_order_relaxed)) return;
    std::atomic<bool>& under_way = under_way_[these];
    if (under_way) deferred_sends().reap();
    if (under_way) return;
    report->coding_speedup = runtime::known_own_speedup();
    deferred_sends().post(wire::write_report(*report), sender, Channel::report_tag,
                          DeferredSends::Ends::when_received, &under_way);
  });
}

// To look costs some tenths of a microsecond, which is much beside a short message.
void TransferFeedback::take_reports_now_and_then(std::size_t bytes) {
  constexpr std::size_t is_long = std::size_t{64} << 10;
  not_looked_ = bytes >= is_long ? between_looks : not_looked_ + 1;
  if (not_looked_ >= between_looks && may_ask_mpi()) take_reports_at_once();
}

void TransferFeedback::take_reports() {
  const std::scoped_lock lock(mutex_);
  if (not_looked_ >= between_looks) take_reports_at_once();
}

// A damaged one is as good as none.
void TransferFeedback::take_reports_at_once() {
  const bool has_looked = paced_([this] {
    take_all<wire::report_size>(Channel::report_tag,
                                [this](int from, std::span<const std::byte> bytes) {
                                  const auto report = wire::read_report(bytes);
                                  if (report) told(from, *report);
                                });
  });
  if (has_looked) not_looked_ = 0;
}

void TransferFeedback::told(int receiver, const policy::TransferReport& report) {
  speedups_.insert_or_assign(receiver, report.coding_speedup);
  tuners_[{receiver, report.size_class}].told(report);
}

}  // namespace tightwire::p2p
