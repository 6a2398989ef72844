#include "early/early.h"

#include <unistd.h>

#include <algorithm>
#include <new>

#include "early/timed.h"

namespace tightwire::early {
namespace {

std::optional<Mechanism> wanted(settings::EarlyMechanism mechanism) {
  switch (mechanism) {
    case settings::EarlyMechanism::automatic:
      return std::nullopt;
    case settings::EarlyMechanism::wp_async:
      return Mechanism::wp_async;
    case settings::EarlyMechanism::wp_sync:
      return Mechanism::wp_sync;
    case settings::EarlyMechanism::hash:
      return Mechanism::hash;
  }
  return std::nullopt;
}

// How often a watched buffer is looked at for memory that the program has replaced.
constexpr std::uint64_t sends_per_renewal = 16;
// And, of all sends, how often for buffers that are out of use.
constexpr std::uint64_t sends_per_sweep = 64;

// Looks at what the program writes, if it is time to; unlocks meanwhile.
void observe(Buffer& buffer, std::unique_lock<std::mutex>& lock) {
  const std::uint64_t sends = buffer.sends;
  if (!buffer.dirty.wants_sample(sends)) return;
  ++buffer.sending;  // so that the registry keeps it
  lock.unlock();
  Sample sample = sample_of(buffer.values);
  lock.lock();
  --buffer.sending;
  // Another send of it may have been quicker.
  if (!sample.empty() && buffer.sends == sends && buffer.dirty.wants_sample(sends))
    buffer.dirty.note(sends, std::move(sample));
}

}  // namespace

Early::Early(const Options& options)
    : process_(getpid()),
      trackers_(choose_trackers(wanted(options.mechanism))),
      cost_(trackers_.cost),
      registry_(trackers_, {options.tracked_bytes, 4096, options.mode == settings::Early::on}),
      encoder_(registry_, cost_.fault_seconds, options.mode == settings::Early::on) {}

Early::~Early() {
  const std::scoped_lock lock(registry_.mutex());
  for (const auto& buffer : registry_.tracked()) registry_.untrack(*buffer);
}

std::size_t Early::finer_cut(Bytes values, std::size_t chunks) {
  const std::size_t parts = fine_parts(values.size());
  if (getpid() != process_ || parts <= chunks) return chunks;
  std::unique_lock lock(registry_.mutex());
  const std::shared_ptr<Buffer> buffer = registry_.known(values);
  if (buffer == nullptr || !buffer->is_of_interest()) return chunks;
  observe(*buffer, lock);
  return buffer->dirty.partial() ? parts : chunks;
}

Send Early::begin(Bytes values, std::span<const std::size_t> ends, const codec::Encoding& encoding,
                  const Path& path) {
  if (getpid() != process_ || values.empty()) return {};
  try {
    std::unique_lock lock(registry_.mutex());
    std::shared_ptr<Buffer> buffer = registry_.find(values);
    if (buffer == nullptr) return {};
    if (buffer->is_of_interest()) observe(*buffer, lock);
    const Clock::time_point now = Clock::now();
    if (++sends_ % sends_per_sweep == 0) registry_.give_back(now);
    if (buffer->sends > 0) {
      const double gap = seconds(now - buffer->last_end);
      buffer->gap = buffer->gap > 0 ? 0.7 * buffer->gap + 0.3 * gap : gap;
    }
    ++buffer->sends;
    registry_.set(*buffer, encoding, ends, path);
    const bool was_tracked = buffer->tracker != nullptr;
    if (buffer->sends > 1 && !was_tracked) begin_tracking(*buffer);
    if (was_tracked) renew(*buffer);
    if (buffer->tracker == nullptr) {
      buffer->last_end = now;
      return {};
    }
    ++buffer->sending;
    const std::uint64_t generation = buffer->generation;
    lock.unlock();
    Send send(*this, std::move(buffer));
    send.first_ = !was_tracked;
    send.generation_ = generation;
    const Timed timed(send.outcome_.cost_seconds);
    const std::size_t faults = send.buffer_->tracker->look(values);
    if (was_tracked) {
      send.faults_ = faults;
      send.outcome_.cost_seconds += cost_.fault_seconds * static_cast<double>(faults);
    }
    return send;
  } catch (const std::bad_alloc&) {
    return {};
  }
}

void Early::begin_tracking(Buffer& buffer) {
  if (!buffer.trial.wants_tracking()) {
    buffer.trial.note_untracked();
    return;
  }
  // Where there is a choice, what the program writes decides.
  const bool choice = trackers_.all[1] != nullptr && buffer.next_tracker == 0;
  if (choice && !buffer.dirty.value()) return;
  if (choice && (too_dear(cost_, *buffer.dirty.value()) || !protection_is_sound()))
    buffer.next_tracker = 1;
  if (!registry_.track(buffer)) buffer.trial.back_off();
}

// Before anything of a tracked buffer is trusted.
void Early::renew(Buffer& buffer) {
  if (trackers_.all[1] != nullptr && buffer.tracker != trackers_.all[1].get() &&
      !protection_is_sound()) {
    registry_.untrack(buffer);
    buffer.next_tracker = 1;
    return;
  }
  if (buffer.sends % sends_per_renewal != 0 || buffer.sending > 0) return;
  if (!buffer.tracker->renew(buffer.values)) registry_.give_up(buffer);
}

// Memory that is pinned later than this is written to in order to be pinned, which is noticed.
bool Early::protection_is_sound() {
  saw_pinned_memory_ = saw_pinned_memory_ || pinned_memory_.any();
  return !saw_pinned_memory_;
}

Statistics Early::statistics() const {
  const std::scoped_lock lock(registry_.mutex());
  return registry_.statistics;
}

}  // namespace tightwire::early
