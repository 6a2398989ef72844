#include "cli/file/io.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/file/refusal.h"
#include "os/whole_file.h"

namespace tightwire::cli {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void refuse_path(const std::string& verb, const std::string& path) {
  throw Refusal("cannot " + verb + " " + path + ": " + std::strerror(errno));
}

}  // namespace

std::vector<std::byte> read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw Refusal(path + " is a folder, not a file");
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse_path("read", path);
  std::vector<std::byte> bytes;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error) bytes.reserve(size);
  // To the end, whatever its size was: it may be a pipe.
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + piece);
    const std::size_t got = std::fread(bytes.data() + before, 1, piece, file.get());
    bytes.resize(before + got);
    if (got < piece) break;
  }
  if (std::ferror(file.get()) != 0) refuse_path("read", path);
  return bytes;
}

void check_output(const std::string& path, bool replace) {
  if (!replace && std::filesystem::exists(path)) {
    throw Refusal(path + " is there already; name another with --output, or add --force");
  }
  if (const auto problem = os::why_not_write(path)) throw Refusal(*problem);
}

void write_file(const std::string& path, std::initializer_list<std::span<const std::byte>> parts,
                bool replace) {
  check_output(path, replace);
  if (const auto problem = os::write_whole_file(path, parts)) throw Refusal(*problem);
}

}  // namespace tightwire::cli
