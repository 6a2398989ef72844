#include "early/tracking/guarded_tracker.h"

#include <algorithm>
#include <mutex>
#include <new>

#include "early/memory/memory_kind.h"
#include "early/memory/safe_copy.h"

namespace tightwire::early {
namespace {

class GuardedTracker final : public Tracker {
 public:
  GuardedTracker(Mechanism mechanism, std::unique_ptr<PageGuard> guard)
      : mechanism_(mechanism), guard_(std::move(guard)) {}

  ~GuardedTracker() override {
    for (const Range& pages : watched_) guard_->release(pages);
  }

  [[nodiscard]] Mechanism mechanism() const override { return mechanism_; }

  bool watch(Bytes buffer) override {
    const std::scoped_lock lock(mutex_);
    const Range pages = pages_of(buffer);
    watched_.reserve(watched_.size() + 1);
    if (!register_with_guard(pages, {pages})) return false;
    watched_.push_back(pages);
    return true;
  }

  bool renew(Bytes buffer) override {
    const std::scoped_lock lock(mutex_);
    const Range pages = pages_of(buffer);
    const std::vector<Range> written = guard_->unprotected(pages);
    if (written.empty()) return true;
    // Noted before they can seem to be protected again.
    note(written);
    return register_with_guard(pages, written);
  }

  void forget(Bytes buffer) override {
    const Range pages = pages_of(buffer);
    const std::scoped_lock lock(mutex_);
    const auto found = std::find(watched_.begin(), watched_.end(), pages);
    if (found == watched_.end()) return;
    watched_.erase(found);
    try {
      for (const Range& part : not_watched_in(pages)) {
        guard_->release(part);
        versions_.forget(part);
      }
    } catch (const std::bad_alloc&) {
      // It stays registered: no more than a fault or two.
    }
  }

  Mark mark(Bytes bytes) override {
    const Version version = protect(bytes);
    return {version, guard_->is_proof() ? std::nullopt : std::optional(hash_of(bytes))};
  }

  std::optional<Mark> snapshot(Bytes bytes, std::span<std::byte> copy) override {
    // Protected first: a write before that is in the copy, a write after it is noticed.
    const Version version = protect(bytes);
    if (!safe_copy(bytes, copy)) return std::nullopt;
    return Mark{version, hash_of(copy.first(bytes.size()))};
  }

  std::size_t look(Bytes bytes) override {
    const std::scoped_lock lock(mutex_);
    const std::vector<Range> written = guard_->unprotected(pages_of(bytes));
    note(written);
    return total(written) / page_size();
  }

  bool holds(Bytes bytes, Mark& mark) override {
    if (written_since(bytes, mark)) return false;
    if (!mark.hash) return true;
    if (hash_of(bytes) != *mark.hash) return false;
    // Still protected, and nobody has a right to write now: from here on protection is enough.
    if (guard_->is_proof()) mark.hash.reset();
    return true;
  }

  [[nodiscard]] bool looks_unchanged(Bytes bytes, const Mark& mark,
                                     Activity activity) const override {
    return activity == 0 && !written_since(bytes, mark);
  }

  [[nodiscard]] std::optional<Activity> activity(
      Bytes bytes, std::span<std::byte> /*workspace*/) const override {
    return total(guard_->unprotected(pages_of(bytes)));
  }

 private:
  [[nodiscard]] bool written_since(Bytes bytes, const Mark& mark) const {
    const std::scoped_lock lock(mutex_);
    return versions_.newest(pages_of(bytes)) > mark.version;
  }

  [[nodiscard]] static std::size_t total(const std::vector<Range>& ranges) {
    std::size_t size = 0;
    for (const Range& range : ranges) size += range.size();
    return size;
  }

  // Memory that was moved there may carry protection from where it was, which stops no write.
  bool register_with_guard(const Range& pages, const std::vector<Range>& fresh) {
    if (pages.empty() || kind_of(pages) != MemoryKind::ordinary || guard_->may_be_huge(pages) ||
        !guard_->watch(pages)) {
      return false;
    }
    for (const Range& range : fresh) guard_->lift(range);
    return true;
  }

  Version protect(Bytes bytes) {
    const std::scoped_lock lock(mutex_);
    note(guard_->protect(pages_of(bytes)));
    return clock_;
  }

  void note(const std::vector<Range>& written) {
    if (written.empty()) return;
    ++clock_;
    for (const Range& range : written) versions_.note_written(range, clock_);
  }

  [[nodiscard]] std::vector<Range> not_watched_in(const Range& pages) const {
    std::vector<Range> rest{pages};
    for (const Range& other : watched_) {
      std::vector<Range> left;
      for (const Range& part : rest) {
        const Range before{part.begin, std::min(part.end, other.begin)};
        const Range after{std::max(part.begin, other.end), part.end};
        if (!before.empty()) left.push_back(before);
        if (!after.empty()) left.push_back(after);
      }
      rest = std::move(left);
    }
    return rest;
  }

  const Mechanism mechanism_;
  const std::unique_ptr<PageGuard> guard_;
  mutable std::mutex mutex_;  // guards what follows, and makes protect() and note() one step
  Version clock_ = 1;
  PageVersions versions_;
  std::vector<Range> watched_;
};

}  // namespace

std::unique_ptr<Tracker> make_guarded_tracker(Mechanism mechanism,
                                              std::unique_ptr<PageGuard> guard) {
  return std::make_unique<GuardedTracker>(mechanism, std::move(guard));
}

}  // namespace tightwire::early
