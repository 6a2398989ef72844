#include "recording/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tightwire::recording {
namespace {

std::string cannot_write(const std::string& path) {
  return "cannot write " + path + ": " + std::generic_category().message(errno);
}

bool write(std::FILE* file, std::span<const std::byte> bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
}

}  // namespace

std::optional<std::string> Writer::open(const std::string& path, const FileHeader& header,
                                        std::uint64_t limit) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return cannot_write(path);
  file_.reset(::fdopen(descriptor, "wb"));
  if (!file_) {
    ::close(descriptor);
    return cannot_write(path);
  }
  // What a buffer holds a forked child of the program would write once more.
  static_cast<void>(std::setvbuf(file_.get(), nullptr, _IONBF, 0));
  path_ = path;
  limit_ = limit;
  start_ = std::chrono::steady_clock::now();
  const auto bytes = to_bytes(header);
  size_ = bytes.size();
  if (!write(file_.get(), bytes)) return cannot_write(path);
  return std::nullopt;
}

bool Writer::add(MessageHeader header, std::span<const std::byte> values) {
  const std::uint64_t size = message_header_size + values.size();
  if (failed_ || size > limit_ - std::min(size_, limit_)) return false;
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start_;
  header.bytes = values.size();
  header.nanoseconds = static_cast<std::uint64_t>(time.count());
  failed_ = !write(file_.get(), to_bytes(header)) || !write(file_.get(), values);
  size_ += size;
  return !failed_;
}

std::optional<std::string> Writer::close() {
  std::FILE* const file = file_.release();
  if (file == nullptr) return std::nullopt;
  if (std::fclose(file) == 0 && !failed_) return std::nullopt;
  return cannot_write(path_);
}

}  // namespace tightwire::recording
