// Write protection that notices writes: what the two kernel mechanisms have in common.
//
// Thread safe. Every page is in one of two states: protected (nobody has written to it since
// protect()), or not. A page is only ever said to be protected if the kernel says so at that
// moment, so memory that was unmapped, remapped, discarded or replaced counts as written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "early/tracking/pages.h"

namespace tightwire::early {

class PageGuard {
 public:
  PageGuard() = default;
  PageGuard(const PageGuard&) = delete;
  PageGuard& operator=(const PageGuard&) = delete;
  virtual ~PageGuard() = default;

  // Must precede the rest for these pages. False if the kernel will not.
  [[nodiscard]] virtual bool watch(const Range& pages) = 0;
  // Pages of 2 MiB, which protection would split: the program would lose by that.
  [[nodiscard]] virtual bool may_be_huge(const Range& pages) const = 0;

  // Whether a page that is said to be protected has certainly not been written to since. False
  // where memory that was moved there might seem to be.
  [[nodiscard]] virtual bool is_proof() const = 0;

  // Takes the protection from pages that are watched.
  virtual void lift(const Range& pages) = 0;

  // No page stays protected. Pages that are gone are no error.
  virtual void release(const Range& pages) = 0;

  // The pages that are not protected, in order.
  [[nodiscard]] virtual std::vector<Range> unprotected(const Range& pages) const = 0;

  // Protects exactly those pages that were not, and returns them. A page that is being written is
  // either among them, with the write done when this returns, or found unprotected later.
  virtual std::vector<Range> protect(const Range& pages) = 0;
};

struct GuardOffer {
  std::unique_ptr<PageGuard> guard;
  std::string reason;  // why there is none
};

}  // namespace tightwire::early
