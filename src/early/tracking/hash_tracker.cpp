#include "early/tracking/hash_tracker.h"

#include "early/memory/safe_copy.h"

namespace tightwire::early {
namespace {

class HashTracker final : public Tracker {
 public:
  [[nodiscard]] Mechanism mechanism() const override { return Mechanism::hash; }
  bool watch(Bytes /*buffer*/) override { return true; }
  void forget(Bytes /*buffer*/) override {}
  bool renew(Bytes /*buffer*/) override { return true; }

  Mark mark(Bytes bytes) override { return {0, hash_of(bytes)}; }

  std::optional<Mark> snapshot(Bytes bytes, std::span<std::byte> copy) override {
    if (!safe_copy(bytes, copy)) return std::nullopt;
    // Of the copy: what the program does to the bytes meanwhile does not matter.
    return Mark{0, hash_of(copy.first(bytes.size()))};
  }

  std::size_t look(Bytes /*bytes*/) override { return 0; }

  bool holds(Bytes bytes, Mark& mark) override { return mark.hash && hash_of(bytes) == *mark.hash; }

  [[nodiscard]] bool looks_unchanged(Bytes /*bytes*/, const Mark& mark,
                                     Activity activity) const override {
    return mark.hash && mark.hash->low == activity;
  }

  [[nodiscard]] std::optional<Activity> activity(Bytes bytes,
                                                 std::span<std::byte> workspace) const override {
    if (!safe_copy(bytes, workspace)) return std::nullopt;
    return hash_of(workspace.first(bytes.size())).low;
  }
};

}  // namespace

std::unique_ptr<Tracker> make_hash_tracker() {
  return std::make_unique<HashTracker>();
}

}  // namespace tightwire::early
