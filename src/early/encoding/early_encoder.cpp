#include "early/encoding/early_encoder.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>

#include "os/cores/affinity.h"
#include "os/signals.h"
#include "timeline/events.h"

namespace tightwire::early {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr double looks_per_gap = 20;
constexpr double shortest_period = 50e-6;
constexpr double longest_period = 10e-3;
// Share of its time for looking at one buffer: looking reads what the program could be reading.
constexpr double most_looking = 0.1;
constexpr unsigned most_quiet_needed = 32;
constexpr auto wait_for_core = milliseconds(50);
// Others come first; yet a lock held here is not held for ever.
constexpr int niceness = 5;

Clock::duration period_of(const Buffer& buffer) {
  const double usual = std::clamp(buffer.gap / looks_per_gap, shortest_period, longest_period);
  const double period = std::max(usual, buffer.look_seconds / most_looking);
  return duration_cast<Clock::duration>(std::chrono::duration<double>(period));
}

// Whether the stronger codec would be of use for a chunk that is ready: not where the last send
// took it, for it will mostly be written to again, unless that is not the buffer's way; and not if
// the next send would come before it is done.
bool may_upgrade(const Buffer& buffer, std::size_t index, Clock::time_point now) {
  const EncodedChunk* const ready = buffer.chunks[index].ready.get();
  if (ready == nullptr || ready->strongest || buffer.sending > 0) return false;
  const bool waits_for_its_send = ready->ahead && ready->uses == 0;
  if (!waits_for_its_send && ready->uses < 2) return false;
  const double left = buffer.gap - seconds(now - buffer.last_end);
  return left < 0 || left > buffer.strong_seconds;
}

void grow(std::vector<std::byte>& memory, std::size_t size) {
  if (memory.size() < size) memory.resize(size);
}

}  // namespace

EarlyEncoder::EarlyEncoder(BufferRegistry& registry, double fault_seconds, bool forced)
    : registry_(registry),
      fault_seconds_(fault_seconds),
      forced_(forced),
      mask_(os::affinity_mask()) {
  unable_ = os::cores_in(mask_) < 2;
}

EarlyEncoder::~EarlyEncoder() {
  {
    const std::scoped_lock lock(registry_.mutex());
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void EarlyEncoder::wake() {
  if (unable_) return;
  if (!thread_.joinable()) {
    const os::AllSignalsBlocked blocked;
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::exception&) {  // no thread, or no memory for one
      unable_ = true;
    }
  }
  changed_.notify_all();
}

void EarlyEncoder::run() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
  try {
    work();
  } catch (const std::bad_alloc&) {
    // A program that has no memory left had better do without.
    const std::scoped_lock lock(registry_.mutex());
    unable_ = true;
  }
}

void EarlyEncoder::work() {
  timeline::name_thread("early helper");
  core_.emplace(mask_, forced_);
  std::unique_lock lock(registry_.mutex());
  while (!stop_) {
    registry_.give_back(Clock::now());
    std::vector<std::shared_ptr<Buffer>> buffers = registry_.tracked();
    if (buffers.empty()) {
      changed_.wait(lock);
      continue;
    }
    const Clock::time_point now = Clock::now();
    Clock::time_point next = now + milliseconds(100);
    std::erase_if(buffers, [&](const std::shared_ptr<Buffer>& buffer) {
      if (buffer->due > now) next = std::min(next, buffer->due);
      return buffer->due > now;
    });
    lock.unlock();
    bool able = core_->available();
    for (const auto& buffer : buffers) {
      if (able) visit(*buffer);
      able = able && core_->available();
    }
    // What is not ready at all comes first: then one chunk at a time, and another look.
    const bool upgraded = able && upgrade();
    lock.lock();
    if (stop_) break;
    note_able(able);
    if (!able) {
      changed_.wait_for(lock, wait_for_core);
      continue;
    }
    for (const auto& buffer : buffers) {
      buffer->due = Clock::now() + period_of(*buffer);
      next = std::min(next, buffer->due);
    }
    if (!upgraded) changed_.wait_until(lock, next);
  }
}

void EarlyEncoder::note_able(bool able) {
  if (able && !able_) able_since_ = Clock::now();
  able_ = able;
  undecided_ = undecided_ && !able && core_->undecided();
}

bool EarlyEncoder::upgrade() {
  std::unique_lock lock(registry_.mutex());
  const std::vector<std::shared_ptr<Buffer>> buffers = registry_.tracked();
  for (const auto& buffer : buffers) {
    for (std::size_t index = 0; index < buffer->chunks.size(); ++index) {
      if (!may_upgrade(*buffer, index, Clock::now())) continue;
      lock.unlock();
      upgrade_chunk(*buffer, index);
      return core_->still_alone();
    }
  }
  return false;
}

bool EarlyEncoder::interrupted(const Buffer& buffer) {
  const std::scoped_lock lock(registry_.mutex());
  return stop_ || buffer.sending > 0 || buffer.tracker == nullptr;
}

void EarlyEncoder::visit(Buffer& buffer) {
  double looking = 0;
  for (std::size_t index = 0; !interrupted(buffer); ++index) {
    if (!visit_chunk(buffer, index, looking)) break;
  }
  const std::scoped_lock lock(registry_.mutex());
  buffer.look_seconds = looking;
}

EarlyEncoder::Task EarlyEncoder::task_of(Buffer& buffer, std::size_t index) {
  const std::scoped_lock lock(registry_.mutex());
  if (buffer.tracker == nullptr || index >= buffer.chunks.size()) return {};
  const Chunk& chunk = buffer.chunks[index];
  return {buffer.generation, buffer.tracker, buffer.bytes_of(chunk),
          buffer.encoding,   buffer.path,    chunk.ready};
}

bool EarlyEncoder::visit_chunk(Buffer& buffer, std::size_t index, double& looking) {
  const Task task = task_of(buffer, index);
  if (task.tracker == nullptr) return false;
  grow(copy_, task.values.size());
  const Clock::time_point start = Clock::now();
  task.tracker->look(task.values);
  const std::optional<Activity> activity = task.tracker->activity(task.values, copy_);
  looking += seconds(Clock::now() - start);

  std::unique_lock lock(registry_.mutex());
  if (buffer.generation != task.generation || stop_ || buffer.sending > 0) return false;
  if (!activity) {
    registry_.untrack(buffer);
    return false;
  }
  Chunk& chunk = buffer.chunks[index];
  if (task.tracker->looks_unchanged(task.values, chunk.mark, *activity)) {
    lock.unlock();
    return core_->still_alone();
  }
  if (chunk.ready != nullptr) {
    if (chunk.ready->ahead && chunk.ready->uses == 0) {
      ++registry_.statistics.wasted;
      buffer.quiet_needed = std::min(buffer.quiet_needed * 2, most_quiet_needed);
    }
    chunk.ready.reset();
  }
  chunk.quiet = chunk.seen == *activity ? chunk.quiet + 1 : 0;
  chunk.seen = *activity;
  if (chunk.quiet < buffer.quiet_needed) return true;
  chunk.quiet = 0;
  lock.unlock();
  encode_chunk(buffer, index);
  return core_->still_alone();
}

EarlyEncoder::Made EarlyEncoder::make(const Task& task, const codec::Encoding& encoding) {
  grow(copy_, task.values.size());
  grow(workspace_, workspace_size(encoding, task.values.size()));
  const std::optional<Mark> mark = task.tracker->snapshot(task.values, copy_);
  if (!mark) return {};
  const Bytes copy = std::span(copy_).first(task.values.size());
  std::shared_ptr<EncodedChunk> encoded = encode(encoding, copy, workspace_);
  if (encoded != nullptr) encoded->ahead = true;
  return {std::move(encoded), *mark};
}

void EarlyEncoder::encode_chunk(Buffer& buffer, std::size_t index) {
  const Task task = task_of(buffer, index);
  if (task.tracker == nullptr) return;
  const std::size_t faults = task.tracker->look(task.values);
  Made made = make(task, task.encoding);
  if (made.encoding == nullptr) return;
  made.encoding->strongest = !stronger(task.encoding);
  const std::scoped_lock lock(registry_.mutex());
  registry_.statistics.helper_seconds += made.encoding->encode_seconds;
  publish(buffer, index, task, std::move(made));
  const double fault_seconds = fault_seconds_ * static_cast<double>(faults);
  buffer.fault_seconds += fault_seconds;
  registry_.statistics.faults += faults;
  registry_.statistics.fault_seconds += fault_seconds;
}

void EarlyEncoder::upgrade_chunk(Buffer& buffer, std::size_t index) {
  const Task task = task_of(buffer, index);
  if (task.tracker == nullptr || task.ready == nullptr) return;
  const std::optional<codec::Encoding> encoding = stronger(task.encoding);
  Made made = encoding ? make(task, *encoding) : Made{};
  const std::scoped_lock lock(registry_.mutex());
  // Tried once, whatever comes of it.
  task.ready->strongest = true;
  if (made.encoding == nullptr) return;
  registry_.statistics.helper_seconds += made.encoding->encode_seconds;
  buffer.strong_seconds = made.encoding->encode_seconds;
  made.encoding->strong = true;
  made.encoding->strongest = true;
  if (!arrives_sooner(*task.ready, *made.encoding, task.values.size(), task.path)) return;
  // What a send would have had to do itself.
  made.encoding->encode_seconds = task.ready->encode_seconds;
  made.encoding->uses = task.ready->uses.load();
  publish(buffer, index, task, std::move(made));
}

void EarlyEncoder::publish(Buffer& buffer, std::size_t index, const Task& task, Made made) {
  if (buffer.generation != task.generation) return;
  Chunk& chunk = buffer.chunks[index];
  // A send has been here meanwhile and knows better.
  if (chunk.ready != task.ready) return;
  chunk.ready = std::move(made.encoding);
  chunk.mark = made.mark;
}

}  // namespace tightwire::early
