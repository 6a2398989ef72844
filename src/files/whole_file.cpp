#include "files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace tightwire::files {
namespace {

// A file of a name that was not there before; removed unless it is renamed.
class NewFile {
 public:
  explicit NewFile(const std::string& beside) {
    constexpr int attempts = 100;
    for (int i = 0; descriptor_ < 0 && i < attempts; ++i) {
      path_ = beside + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(i);
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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

std::string obstacle(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return "";
  if (S_ISLNK(status.st_mode)) return "it is a symbolic link, which is not followed";
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  return "it is not a regular file";
}

std::optional<std::string> write_whole_file(
    const std::string& path, std::initializer_list<std::span<const std::byte>> parts) {
  if (const std::string reason = obstacle(path); !reason.empty()) return cannot_write(path, reason);
  const auto failed = [&] { return cannot_write(path, std::generic_category().message(errno)); };
  NewFile file(path);
  if (!file.is_there()) return failed();
  for (const auto part : parts) {
    if (!file.append(part)) return failed();
  }
  if (!file.finish_as(path)) return failed();
  return std::nullopt;
}

std::optional<std::string> write_whole_file(const std::string& path, std::string_view text) {
  return write_whole_file(path, {std::as_bytes(std::span(text))});
}

}  // namespace tightwire::files
