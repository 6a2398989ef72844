#include "early/send.h"

#include <algorithm>
#include <new>

#include "early/early.h"
#include "early/timed.h"

namespace tightwire::early {
namespace {

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

}  // namespace

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
  BufferRegistry& registry = early_->registry_;
  std::unique_lock lock(registry.mutex());
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
  ++registry.statistics.chunks;
  Chunk& chunk = buffer_->chunks[index];
  chunk.mark = mark;
  if (!holds) {
    ++registry.statistics.recompressed;
    if (encoding != nullptr && encoding->uses == 0 && encoding->ahead) ++registry.statistics.wasted;
    if (encoding != nullptr && !encoding->ahead) ++chunk.stale_in_a_row;
    chunk.ready.reset();
    missing_.emplace_back(index, mark);
    return std::nullopt;
  }
  // The helper may have put a stronger one there meanwhile; its mark was made of the same values.
  chunk.ready = encoding;
  chunk.stale_in_a_row = 0;
  ++encoding->uses;
  ++registry.statistics.ready;
  if (encoding->strong) ++registry.statistics.strengthened;
  registry.statistics.hidden_seconds += encoding->encode_seconds;
  outcome_.hidden_seconds += spared(*encoding, buffer_->path, index == 0);
  if (encoding->ahead && buffer_->quiet_needed > 1) --buffer_->quiet_needed;
  taken_.push_back(encoding);
  return Ready{encoding->codec, encoding->payload()};
}

void Send::keep(std::size_t index, codec::Id codec, Bytes payload, double encode_seconds) {
  const auto missing = std::find_if(missing_.begin(), missing_.end(),
                                    [&](const auto& entry) { return entry.first == index; });
  if (buffer_ == nullptr || missing == missing_.end()) return;
  const Timed timed(outcome_.cost_seconds);
  BufferRegistry& registry = early_->registry_;
  std::unique_lock lock(registry.mutex());
  if (buffer_->generation != generation_) return;
  if (!worth_keeping(buffer_->chunks[index], buffer_->sends)) return;
  const codec::Encoding encoding = buffer_->encoding;
  lock.unlock();
  std::shared_ptr<EncodedChunk> encoded = early::keep(codec, payload, encode_seconds);
  if (encoded == nullptr) return;
  encoded->strongest = !stronger(encoding);
  lock.lock();
  if (buffer_->generation != generation_) return;
  // The mark was made before the values were encoded: encoding and mark belong together.
  buffer_->chunks[index].ready = std::move(encoded);
  buffer_->chunks[index].mark = missing->second;
}

void Send::end() {
  if (buffer_ == nullptr) return;
  BufferRegistry& registry = early_->registry_;
  const std::scoped_lock lock(registry.mutex());
  Buffer& buffer = *buffer_;
  --buffer.sending;
  buffer.last_end = Clock::now();
  outcome_.cost_seconds += std::exchange(buffer.fault_seconds, 0.0);
  ++registry.statistics.sends;
  registry.statistics.faults += faults_;
  registry.statistics.fault_seconds += early_->cost_.fault_seconds * static_cast<double>(faults_);
  if (!first_ && buffer.tracker != nullptr && buffer.sending == 0 &&
      !buffer.trial.goes_on(outcome_, early_->encoder_.may_come())) {
    registry.give_up(buffer);
  }
  if (buffer.tracker != nullptr) early_->encoder_.wake();
  buffer_.reset();
}

}  // namespace tightwire::early
