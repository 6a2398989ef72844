// Tells whether a buffer still holds what it held: the one interface of the three mechanisms.
//
// Thread safe. Memory may be freed, unmapped or replaced by the program at any moment; that is
// never an error, only a mark that does not hold.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "early/content_hash.h"
#include "early/tracking/page_versions.h"
#include "early/tracking/pages.h"

namespace tightwire::early {

enum class Mechanism : std::uint8_t { wp_async, wp_sync, hash };
inline constexpr std::size_t mechanism_count = 3;

[[nodiscard]] std::string_view name_of(Mechanism mechanism);

// The contents of some bytes at some moment.
struct Mark {
  Version version = 0;              // protection: pages with a newer version were written since
  std::optional<ContentHash> hash;  // to be compared as well, if there is one
};

// A figure that changes when bytes are found to have been written to again.
using Activity = std::uint64_t;

class Tracker {
 public:
  Tracker() = default;
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;
  virtual ~Tracker() = default;

  [[nodiscard]] virtual Mechanism mechanism() const = 0;

  // Must precede the rest, and be matched by forget(). False where this mechanism cannot tell
  // whether such memory is written to. Overlapping and equal buffers may be watched.
  [[nodiscard]] virtual bool watch(Bytes buffer) = 0;
  virtual void forget(Bytes buffer) = 0;
  // For a watched buffer of which parts may have been replaced by new memory, which nobody watches.
  // False if the mechanism can do no more for it.
  [[nodiscard]] virtual bool renew(Bytes buffer) = 0;

  // Bytes that nobody writes to at present, such as those of a send under way.
  [[nodiscard]] virtual Mark mark(Bytes bytes) = 0;

  // Copies bytes that may be written to meanwhile, and the mark of the copy. Nothing if they are
  // gone.
  [[nodiscard]] virtual std::optional<Mark> snapshot(Bytes bytes, std::span<std::byte> copy) = 0;

  // Notices what was written up to now; holds() answers for this moment. Returns how many pages
  // have been written to since they were last marked: each cost the program a fault.
  virtual std::size_t look(Bytes bytes) = 0;

  // Whether the bytes hold what they held when the mark was made. Only a mark without a hash, or
  // without look() before, costs nothing. Where it holds, the mark is renewed if that makes the
  // next answer cheaper; nobody must be writing at present.
  [[nodiscard]] virtual bool holds(Bytes bytes, Mark& mark) = 0;

  // What activity() says against a mark: whether the bytes look as they did. A hint, not a proof.
  [[nodiscard]] virtual bool looks_unchanged(Bytes bytes, const Mark& mark,
                                             Activity activity) const = 0;

  // Nothing if the bytes are gone. `workspace` is as large.
  [[nodiscard]] virtual std::optional<Activity> activity(Bytes bytes,
                                                         std::span<std::byte> workspace) const = 0;
};

}  // namespace tightwire::early
