#include "early/tracking/async_guard.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <array>

#include "early/tracking/kernel_interface.h"
#include "early/tracking/userfault.h"

namespace tightwire::early {
namespace {

class AsyncGuard final : public PageGuard {
 public:
  AsyncGuard(os::FileDescriptor faults, os::FileDescriptor pagemap)
      : faults_(std::move(faults)), pagemap_(std::move(pagemap)) {}

  bool watch(const Range& pages) override { return userfault::watch(faults_, pages); }
  void release(const Range& pages) override { userfault::release(faults_, pages); }
  void lift(const Range& pages) override {
    static_cast<void>(userfault::set_protection(faults_, pages, false));
  }
  // A page is protected only where the kernel says, too, that it is watched.
  [[nodiscard]] bool is_proof() const override { return true; }

  [[nodiscard]] bool may_be_huge(const Range& pages) const override {
    bool huge = false;
    const Wanted any{0, 0, 0, kernel::page_is_huge};
    scan(pages, any, [&](const kernel::PageRegion& region) {
      huge = huge || (region.categories & kernel::page_is_huge) != 0;
    });
    return huge;
  }

  [[nodiscard]] std::vector<Range> unprotected(const Range& pages) const override {
    // Asks for what is proven clean, since pages without a mapping appear in no answer.
    std::vector<Range> rest;
    Address from = pages.begin;
    const auto add_rest = [&](Address until) {
      if (from < until) rest.push_back({from, until});
    };
    const Wanted clean{0, kernel::page_is_written, watched_or_written, kernel::page_is_written};
    const bool walked = scan(pages, clean, [&](const kernel::PageRegion& region) {
      add_rest(region.start);
      from = region.end;
    });
    if (!walked) return {pages};
    add_rest(pages.end);
    return rest;
  }

  std::vector<Range> protect(const Range& pages) override {
    std::vector<Range> done;
    const Wanted written{kernel::scan_protect_matching, 0, watched_or_written,
                         kernel::page_is_written};
    scan(pages, written, [&](const kernel::PageRegion& region) {
      done.push_back({region.start, region.end});
    });
    return done;
  }

 private:
  static constexpr std::uint64_t watched_or_written =
      kernel::page_is_wp_allowed | kernel::page_is_written;

  // Fields of the kernel's request: pages that have all categories of `mask`, those of `inverted`
  // negated.
  struct Wanted {
    std::uint64_t flags;
    std::uint64_t inverted;
    std::uint64_t mask;
    std::uint64_t returned;
  };

  // Neighbouring pages come as one region. False if the kernel refuses.
  template <class Visit>
  bool scan(const Range& pages, const Wanted& wanted, Visit&& visit) const {
    std::array<kernel::PageRegion, 64> regions;
    for (Address from = pages.begin; from < pages.end;) {
      kernel::ScanArguments request{};
      request.size = sizeof request;
      request.flags = wanted.flags;
      request.start = from;
      request.end = pages.end;
      request.regions = reinterpret_cast<std::uint64_t>(regions.data());
      request.region_count = regions.size();
      request.category_inverted = wanted.inverted;
      request.category_mask = wanted.mask;
      request.return_mask = wanted.returned;
      const int found = ioctl(pagemap_.get(), kernel::pagemap_scan, &request);
      if (found < 0) return false;
      for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) visit(regions[i]);
      if (request.walk_end <= from) return false;
      from = request.walk_end;
    }
    return true;
  }

  os::FileDescriptor faults_;
  os::FileDescriptor pagemap_;
};

}  // namespace

GuardOffer make_async_guard() {
  const std::uint64_t features = kernel::feature_wp_async | kernel::feature_wp_unpopulated;
  userfault::Opened faults = userfault::open_with(false, features);
  if (!faults.file.open()) return {nullptr, faults.reason + " (Linux 6.7 has it)"};
  os::FileDescriptor pagemap(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  if (!pagemap.open()) return {nullptr, "/proc/self/pagemap cannot be opened"};
  return {std::make_unique<AsyncGuard>(std::move(faults.file), std::move(pagemap)), {}};
}

}  // namespace tightwire::early
