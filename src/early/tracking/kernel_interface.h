// Of the kernel's interface what the headers of older systems lack: userfaultfd(2) up to Linux 6.7,
// and PAGEMAP_SCAN (Documentation/admin-guide/mm/pagemap.rst). The numbers are the kernel's ABI.
#pragma once

#include <linux/userfaultfd.h>
#include <sys/ioctl.h>

#include <cstdint>

namespace tightwire::early::kernel {

// Write protection also of pages that are not populated yet (6.4).
inline constexpr std::uint64_t feature_wp_unpopulated = 1U << 13;
// The kernel lifts write protection itself (6.7).
inline constexpr std::uint64_t feature_wp_async = 1U << 15;

// Categories of a page.
inline constexpr std::uint64_t page_is_wp_allowed = 1U << 0;
inline constexpr std::uint64_t page_is_written = 1U << 1;
inline constexpr std::uint64_t page_is_huge = 1U << 6;

inline constexpr std::uint64_t scan_protect_matching = 1U << 0;

struct PageRegion {
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t categories;
};

struct ScanArguments {
  std::uint64_t size;
  std::uint64_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t walk_end;
  std::uint64_t regions;
  std::uint64_t region_count;
  std::uint64_t max_pages;
  std::uint64_t category_inverted;
  std::uint64_t category_mask;
  std::uint64_t category_any_of;
  std::uint64_t return_mask;
};

// NOLINTNEXTLINE(hicpp-signed-bitwise)
inline constexpr unsigned long pagemap_scan = _IOWR('f', 16, ScanArguments);

// Bit of an entry of /proc/self/pagemap: the page is write protected by userfaultfd (5.13).
inline constexpr std::uint64_t pagemap_protected = std::uint64_t{1} << 57;

}  // namespace tightwire::early::kernel
