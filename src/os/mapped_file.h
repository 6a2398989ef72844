// A file's bytes, read-only. Move-only; the span lives as long as the object.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tightwire::os {

class MappedFile {
 public:
  // On failure bytes() is empty and error() holds errno.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] int error() const { return error_; }

 private:
  std::span<const std::byte> bytes_;
  int error_ = 0;
};

}  // namespace tightwire::os
