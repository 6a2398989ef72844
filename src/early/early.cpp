#include "early/early.h"

#include <unistd.h>

#include <algorithm>
#include <new>

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

// Adds the time of its own life to a sum.
class Timed {
 public:
  explicit Timed(double& sum) : sum_(sum), start_(Clock::now()) {}
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() { sum_ += seconds(Clock::now() - start_); }

 private:
  double& sum_;
  const Clock::time_point start_;
};

// How often a watched buffer is looked at for memory that the program has replaced.
constexpr std::uint64_t sends_per_renewal = 16;
// And, of all sends, how often for buffers that are out of use.
constexpr std::uint64_t sends_per_sweep = 64;

// A main-made encoding is kept, unless the buffer is usually rewritten anyway; tried now and then.
bool worth_keeping(const Chunk& chunk, std::uint64_t sends) {
  return chunk.stale_in_a_row < 2 || sends % 16 == 0;
}

// What a send is spared by a ready chunk. Where encoding and transfer overlap, only what the
// transfer does not hide anyway: the first chunk's encoding, and what takes longer than its
// transfer.
double spared(const EncodedChunk& encoding, const Path& path, bool first_chunk) {
  if (!path.overlapped || first_chunk || path.link <= 0) return encoding.encode_seconds;
  const double transfer = static_cast<double>(encoding.size) / path.link;
  return std::max(0.0, encoding.encode_seconds - transfer);
}

// Looks at what the program writes, if it is time to; unlocks meanwhile.
void observe(Buffer& buffer, std::unique_lock<std::mutex>& lock) {
  const std::uint64_t sends = buffer.sends;
  if (!buffer.rewriting.wants_sample(sends)) return;
  ++buffer.sending;  // so that the book keeps it
  lock.unlock();
  Sample sample = sample_of(buffer.values);
  lock.lock();
  --buffer.sending;
  // Another send of it may have been quicker.
  if (!sample.empty() && buffer.sends == sends && buffer.rewriting.wants_sample(sends))
    buffer.rewriting.note(sends, std::move(sample));
}

}  // namespace

Early::Early(const Options& options)
    : process_(getpid()),
      trackers_(choose_trackers(wanted(options.mechanism))),
      cost_(trackers_.cost),
      book_(trackers_, {options.tracked_bytes, 4096, options.mode == settings::Early::on}),
      helper_(book_, cost_.fault_seconds, options.mode == settings::Early::on) {}

Early::~Early() {
  const std::scoped_lock lock(book_.mutex());
  for (const auto& buffer : book_.tracked()) book_.untrack(*buffer);
}

std::size_t Early::finer_cut(Bytes values, std::size_t chunks) {
  const std::size_t parts = fine_parts(values.size());
  if (getpid() != process_ || parts <= chunks) return chunks;
  std::unique_lock lock(book_.mutex());
  const std::shared_ptr<Buffer> buffer = book_.known(values);
  if (buffer == nullptr || !buffer->is_of_interest()) return chunks;
  observe(*buffer, lock);
  return buffer->rewriting.in_part() ? parts : chunks;
}

Send Early::begin(Bytes values, std::span<const std::size_t> ends, const codec::Encoding& encoding,
                  const Path& path) {
  if (getpid() != process_ || values.empty()) return {};
  try {
    std::unique_lock lock(book_.mutex());
    std::shared_ptr<Buffer> buffer = book_.find(values);
    if (buffer == nullptr) return {};
    if (buffer->is_of_interest()) observe(*buffer, lock);
    const Clock::time_point now = Clock::now();
    if (++sends_ % sends_per_sweep == 0) book_.give_back(now);
    if (buffer->sends > 0) {
      const double gap = seconds(now - buffer->last_end);
      buffer->gap = buffer->gap > 0 ? 0.7 * buffer->gap + 0.3 * gap : gap;
    }
    ++buffer->sends;
    book_.set(*buffer, encoding, ends, path);
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
  if (!buffer.judge.wants_tracking()) {
    buffer.judge.note_untracked();
    return;
  }
  // Where there is a choice, what the program writes decides.
  const bool choice = trackers_.all[1] != nullptr && buffer.next_tracker == 0;
  if (choice && !buffer.rewriting.share_written()) return;
  if (choice && (too_dear(cost_, *buffer.rewriting.share_written()) || !protection_is_sound()))
    buffer.next_tracker = 1;
  if (!book_.track(buffer)) buffer.judge.rest();
}

// Before anything of a tracked buffer is trusted.
void Early::renew(Buffer& buffer) {
  if (trackers_.all[1] != nullptr && buffer.tracker != trackers_.all[1].get() &&
      !protection_is_sound()) {
    book_.untrack(buffer);
    buffer.next_tracker = 1;
    return;
  }
  if (buffer.sends % sends_per_renewal != 0 || buffer.sending > 0) return;
  if (!buffer.tracker->renew(buffer.values)) book_.give_up(buffer);
}

// Memory that is pinned later than this is written to in order to be pinned, which is noticed.
bool Early::protection_is_sound() {
  saw_pinned_memory_ = saw_pinned_memory_ || pinned_memory_.any();
  return !saw_pinned_memory_;
}

Statistics Early::statistics() const {
  const std::scoped_lock lock(book_.mutex());
  return book_.statistics;
}

Send::Send(Early& early, std::shared_ptr<Buffer> buffer)
    : early_(&early), buffer_(std::move(buffer)) {}

Send::Send(Send&& other) noexcept
    : early_(std::exchange(other.early_, nullptr)),
      buffer_(std::move(other.buffer_)),
      taken_(std::move(other.taken_)),
      missing_(std::move(other.missing_)),
      outcome_(other.outcome_),
      faults_(other.faults_),
      generation_(other.generation_),
      first_(other.first_) {}

Send& Send::operator=(Send&& other) noexcept {
  if (this == &other) return *this;
  end();
  early_ = std::exchange(other.early_, nullptr);
  buffer_ = std::move(other.buffer_);
  taken_ = std::move(other.taken_);
  missing_ = std::move(other.missing_);
  outcome_ = other.outcome_;
  faults_ = other.faults_;
  generation_ = other.generation_;
  first_ = other.first_;
  return *this;
}

Send::~Send() {
  end();
}

std::optional<Send::Ready> Send::take(std::size_t index) {
  if (buffer_ == nullptr) return std::nullopt;
  try {
    return take_chunk(index);
  } catch (const std::bad_alloc&) {
    return std::nullopt;  // then keep() does nothing either
  }
}

std::optional<Send::Ready> Send::take_chunk(std::size_t index) {
  const Timed timed(outcome_.cost_seconds);
  BufferRegistry& book = early_->book_;
  std::unique_lock lock(book.mutex());
  Tracker* const tracker = buffer_->tracker;
  if (buffer_->generation != generation_ || tracker == nullptr) return std::nullopt;
  const std::shared_ptr<EncodedChunk> encoding = buffer_->chunks[index].ready;
  Mark mark = buffer_->chunks[index].mark;
  const Bytes values = buffer_->bytes_of(buffer_->chunks[index]);
  const std::size_t chunks = buffer_->chunks.size();
  lock.unlock();

  const bool holds = encoding != nullptr && tracker->holds(values, mark);
  if (!holds) mark = tracker->mark(values);
  taken_.reserve(chunks);
  missing_.reserve(chunks);

  lock.lock();
  if (buffer_->generation != generation_) return std::nullopt;
  ++book.statistics.chunks;
  Chunk& chunk = buffer_->chunks[index];
  chunk.mark = mark;
  if (!holds) {
    ++book.statistics.recompressed;
    if (encoding != nullptr && encoding->uses == 0 && encoding->by_helper) ++book.statistics.wasted;
    if (encoding != nullptr && !encoding->by_helper) ++chunk.stale_in_a_row;
    chunk.ready.reset();
    missing_.emplace_back(index, mark);
    return std::nullopt;
  }
  // The helper may have put a stronger one there meanwhile; its mark was made of the same values.
  chunk.ready = encoding;
  chunk.stale_in_a_row = 0;
  ++encoding->uses;
  ++book.statistics.ready;
  if (encoding->strong) ++book.statistics.strengthened;
  book.statistics.hidden_seconds += encoding->encode_seconds;
  outcome_.hidden_seconds += spared(*encoding, buffer_->path, index == 0);
  if (encoding->by_helper && buffer_->patience > 1) --buffer_->patience;
  taken_.push_back(encoding);
  return Ready{encoding->codec, encoding->payload()};
}

void Send::keep(std::size_t index, codec::Id codec, Bytes payload, double encode_seconds) {
  const auto missing = std::find_if(missing_.begin(), missing_.end(),
                                    [&](const auto& entry) { return entry.first == index; });
  if (buffer_ == nullptr || missing == missing_.end()) return;
  const Timed timed(outcome_.cost_seconds);
  BufferRegistry& book = early_->book_;
  std::unique_lock lock(book.mutex());
  if (buffer_->generation != generation_) return;
  if (!worth_keeping(buffer_->chunks[index], buffer_->sends)) return;
  const codec::Encoding encoding = buffer_->encoding;
  lock.unlock();
  std::shared_ptr<EncodedChunk> encoded = early::keep(codec, payload, encode_seconds);
  if (encoded == nullptr) return;
  encoded->strongest = !stronger(encoding);
  lock.lock();
  if (buffer_->generation != generation_) return;
  // The mark was made before the values were coded: encoding and mark belong together.
  buffer_->chunks[index].ready = std::move(encoded);
  buffer_->chunks[index].mark = missing->second;
}

void Send::end() {
  if (buffer_ == nullptr) return;
  BufferRegistry& book = early_->book_;
  const std::scoped_lock lock(book.mutex());
  Buffer& buffer = *buffer_;
  --buffer.sending;
  buffer.last_end = Clock::now();
  outcome_.cost_seconds += std::exchange(buffer.fault_seconds, 0.0);
  ++book.statistics.sends;
  book.statistics.faults += faults_;
  book.statistics.fault_seconds += early_->cost_.fault_seconds * static_cast<double>(faults_);
  if (!first_ && buffer.tracker != nullptr && buffer.sending == 0 &&
      !buffer.judge.goes_on(outcome_, early_->helper_.may_come())) {
    book.give_up(buffer);
  }
  if (buffer.tracker != nullptr) early_->helper_.wake();
  buffer_.reset();
}

}  // namespace tightwire::early
