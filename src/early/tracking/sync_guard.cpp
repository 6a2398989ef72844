#include "early/tracking/sync_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "early/tracking/kernel_interface.h"
#include "early/tracking/userfault.h"
#include "os/signals.h"

namespace tightwire::early {
namespace {

bool huge_pages_everywhere() {
  const os::FileDescriptor file(
      open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC));
  std::array<char, 64> text{};
  return file.open() && read(file.get(), text.data(), text.size() - 1) > 0 &&
         std::strstr(text.data(), "[always]") != nullptr;
}

class SyncGuard final : public PageGuard {
 public:
  SyncGuard(os::FileDescriptor faults, os::FileDescriptor pagemap, os::FileDescriptor stop)
      : faults_(std::move(faults)), pagemap_(std::move(pagemap)), stop_(std::move(stop)) {}

  ~SyncGuard() override {
    if (!running_) return;
    const std::uint64_t one = 1;
    if (write(stop_.get(), &one, sizeof one) == static_cast<ssize_t>(sizeof one))
      pthread_join(handler_, nullptr);
  }

  [[nodiscard]] bool start() {
    const os::AllSignalsBlocked blocked;
    running_ = pthread_create(&handler_, nullptr, &SyncGuard::handle, this) == 0;
    return running_;
  }

  bool watch(const Range& pages) override { return userfault::watch(faults_, pages); }
  void release(const Range& pages) override { userfault::release(faults_, pages); }
  void lift(const Range& pages) override {
    static_cast<void>(userfault::set_protection(faults_, pages, false));
  }
  // /proc/self/pagemap shows what a page carries from another place, on the kernels that have no
  // more than that.
  [[nodiscard]] bool is_proof() const override { return false; }

  // These kernels do not tell, so it goes by what the system may do.
  [[nodiscard]] bool may_be_huge(const Range& pages) const override {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    return huge_always_ && pages.size() >= huge_page;
  }

  [[nodiscard]] std::vector<Range> unprotected(const Range& pages) const override {
    std::vector<Range> written;
    std::array<std::uint64_t, 512> entries;
    Address page = pages.begin;
    while (page < pages.end) {
      const std::size_t wanted = std::min(entries.size(), (pages.end - page) / page_size());
      const auto place = static_cast<off_t>(page / page_size() * sizeof entries[0]);
      const ssize_t got = pread(pagemap_.get(), entries.data(), wanted * sizeof entries[0], place);
      const std::size_t read = got <= 0 ? 0 : static_cast<std::size_t>(got) / sizeof entries[0];
      if (read == 0) {
        add(written, {page, pages.end});
        break;
      }
      for (std::size_t i = 0; i < read; ++i, page += page_size()) {
        if ((entries[i] & kernel::pagemap_protected) == 0) add(written, {page, page + page_size()});
      }
    }
    return written;
  }

  // Only what was found unprotected is protected, never the whole range: a page that is written
  // between the two steps stays unprotected and is found next time.
  std::vector<Range> protect(const Range& pages) override {
    std::vector<Range> written = unprotected(pages);
    for (const Range& range : written) {
      // Pages that are not there cannot be protected: fetch them. No error matters here, what is
      // not protected afterwards counts as written.
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      madvise(reinterpret_cast<void*>(range.begin), range.size(), MADV_POPULATE_READ);
      static_cast<void>(userfault::set_protection(faults_, range, true));
    }
    return written;
  }

 private:
  static void add(std::vector<Range>& ranges, const Range& range) {
    if (!ranges.empty() && ranges.back().end == range.begin) {
      ranges.back().end = range.end;
    } else {
      ranges.push_back(range);
    }
  }

  static void* handle(void* self) {
    static_cast<const SyncGuard*>(self)->handle();
    return nullptr;
  }

  void handle() const {
    std::array<pollfd, 2> files{{{faults_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    while (true) {
      if (poll(files.data(), files.size(), -1) < 0) continue;
      if (files[1].revents != 0) return;
      uffd_msg message;
      while (read(faults_.get(), &message, sizeof message) ==
             static_cast<ssize_t>(sizeof message)) {
        if (message.event == UFFD_EVENT_PAGEFAULT) let_write(message.arg.pagefault.address);
      }
    }
  }

  void let_write(Address address) const {
    const Address page = address & ~static_cast<Address>(page_size() - 1);
    // Unmapped meanwhile: whoever waits is woken by that.
    static_cast<void>(userfault::set_protection(faults_, {page, page + page_size()}, false));
  }

  os::FileDescriptor faults_;
  os::FileDescriptor pagemap_;
  os::FileDescriptor stop_;
  const bool huge_always_ = huge_pages_everywhere();
  pthread_t handler_{};
  bool running_ = false;
};

// Whether /proc/self/pagemap shows the protection of a page, and its end.
bool shows_protection(SyncGuard& guard) {
  const std::size_t size = page_size();
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* const bytes = static_cast<volatile char*>(memory);
  bytes[0] = 1;
  const auto begin = reinterpret_cast<Address>(memory);
  const Range page{begin, begin + size};
  bool shows = guard.watch(page);
  if (shows) {
    guard.protect(page);
    shows = guard.unprotected(page).empty();
    bytes[0] = 2;
    shows = shows && !guard.unprotected(page).empty();
    guard.release(page);
  }
  munmap(memory, size);
  return shows;
}

}  // namespace

GuardOffer make_sync_guard() {
  userfault::Opened faults = userfault::open_with(true, UFFD_FEATURE_PAGEFAULT_FLAG_WP);
  if (!faults.file.open()) {
    return {nullptr, faults.reason +
                         "; an administrator may allow it: sysctl vm.unprivileged_userfaultfd=1"};
  }
  os::FileDescriptor pagemap(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  os::FileDescriptor stop(eventfd(0, EFD_CLOEXEC));
  if (!pagemap.open() || !stop.open()) return {nullptr, "/proc/self/pagemap cannot be opened"};
  auto guard =
      std::make_unique<SyncGuard>(std::move(faults.file), std::move(pagemap), std::move(stop));
  if (!guard->start()) return {nullptr, "the system gives no thread"};
  if (!shows_protection(*guard))
    return {nullptr, "/proc/self/pagemap does not show protection (Linux 5.13 does)"};
  return {std::move(guard), {}};
}

}  // namespace tightwire::early
