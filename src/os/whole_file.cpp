#include "os/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "os/signals.h"

namespace tightwire::os {
namespace {

// A file of a name that was not there before; removed unless it is renamed.
class NewFile {
 public:
  NewFile(const std::string& beside, mode_t mode) {
    constexpr int attempts = 100;
    for (int i = 0; descriptor_ < 0 && i < attempts; ++i) {
      path_ = beside + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(i);
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (descriptor_ < 0 && errno != EEXIST) return;
    }
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (descriptor_ < 0) return;
    if (open_) ::close(descriptor_);
    if (!renamed_) ::unlink(path_.c_str());
  }

  [[nodiscard]] bool is_there() const { return descriptor_ >= 0; }

  // Where the file system has no such thing, the rights stay as narrow as they were opened with.
  void take_group_and_mode_of(const struct stat& other) const {
    const bool same_group = ::fchown(descriptor_, static_cast<uid_t>(-1), other.st_gid) == 0;
    const mode_t everybody = other.st_mode & S_IRWXO;
    // Another group may do no more than everybody.
    const mode_t group = other.st_mode & (same_group ? S_IRWXG : everybody << 3U);
    (void)::fchmod(descriptor_, (other.st_mode & S_IRWXU) | group | everybody);
  }

  [[nodiscard]] bool append(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t size = ::write(descriptor_, bytes.data(), bytes.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(size));
    }
    return true;
  }

  [[nodiscard]] bool finish_as(const std::string& path) {
    open_ = false;
    if (::close(descriptor_) != 0) return false;
    renamed_ = std::rename(path_.c_str(), path.c_str()) == 0;
    return renamed_;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool open_ = true;
  bool renamed_ = false;
};

std::string cannot_write(const std::string& path, const std::string& reason) {
  return "cannot write " + path + ": " + reason;
}

}  // namespace

std::string why_not_replace(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return "";
  if (S_ISLNK(status.st_mode)) return "it is a symbolic link, which is not followed";
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  return "it is not a regular file";
}

std::optional<std::string> why_not_write(const std::string& path) {
  const std::string reason = why_not_replace(path);
  return reason.empty() ? std::nullopt : std::optional(cannot_write(path, reason));
}

std::optional<std::string> write_whole_file(const std::string& path,
                                            const std::function<std::string_view()>& next) {
  if (auto problem = why_not_write(path)) return problem;
  const auto failed = [&] { return cannot_write(path, std::generic_category().message(errno)); };
  struct stat old {};
  const bool replaces = ::lstat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode);
  NewFile file(path, replaces ? old.st_mode & S_IRWXU : 0666);
  if (!file.is_there()) return failed();
  if (replaces) file.take_group_and_mode_of(old);
  const WriteErrorsReturn write_errors_return;
  for (std::string_view part = next(); !part.empty(); part = next()) {
    if (!file.append(std::as_bytes(std::span(part)))) return failed();
  }
  if (!file.finish_as(path)) return failed();
  return std::nullopt;
}

std::optional<std::string> write_whole_file(
    const std::string& path, std::initializer_list<std::span<const std::byte>> parts) {
  const auto* part = parts.begin();
  return write_whole_file(path, [&]() -> std::string_view {
    while (part != parts.end() && part->empty()) ++part;
    if (part == parts.end()) return {};
    const std::span<const std::byte> bytes = *part++;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  });
}

std::optional<std::string> write_whole_file(const std::string& path, std::string_view text) {
  return write_whole_file(path, {std::as_bytes(std::span(text))});
}

}  // namespace tightwire::os
