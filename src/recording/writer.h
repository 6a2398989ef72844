// Writes a rank's recording.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "recording/format.h"

namespace tightwire::recording {

// Not thread safe.
class Writer {
 public:
  // A new file that grows to `limit` bytes at most. What went wrong: "cannot write <path>:
  // <reason>"; a file that is there is never written over.
  [[nodiscard]] std::optional<std::string> open(const std::string& path, const FileHeader& header,
                                                std::uint64_t limit);
  [[nodiscard]] bool is_open() const { return file_ != nullptr; }

  // `header.bytes` and the time are filled in. False: this message would be beyond the limit, or
  // cannot be written; it is left out, and the file stays whole.
  [[nodiscard]] bool add(MessageHeader header, std::span<const std::byte> values);

  // Whether the system would not write.
  [[nodiscard]] bool failed() const { return failed_; }
  // What could not be written until now, as open() says it.
  [[nodiscard]] std::optional<std::string> close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::unique_ptr<std::FILE, Close> file_;
  std::string path_;
  std::uint64_t limit_ = 0;
  std::uint64_t size_ = 0;
  bool failed_ = false;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tightwire::recording
