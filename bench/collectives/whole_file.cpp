#include "collectives/whole_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

namespace tightwire::bench {
namespace {

std::string cannot_write(const std::string& path) {
  return "cannot write " + path + ": " + std::generic_category().message(errno);
}

}  // namespace

std::optional<std::string> write_whole_file(const std::string& path, const std::string& text) {
  const std::string partial = path + ".partial." + std::to_string(::getpid());
  std::ofstream file(partial, std::ios::binary);
  if (!file) return cannot_write(path);
  file << text;
  file.close();
  if (file && std::rename(partial.c_str(), path.c_str()) == 0) return std::nullopt;
  const std::string problem = cannot_write(path);
  static_cast<void>(std::remove(partial.c_str()));
  return problem;
}

}  // namespace tightwire::bench
