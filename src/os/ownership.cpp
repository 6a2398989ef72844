#include "os/ownership.h"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace tightwire::os {
namespace {

bool is_trusted(uid_t owner) {
  struct stat command {};
  return owner == 0 || owner == ::geteuid() ||
         (::stat("/proc/self/exe", &command) == 0 && owner == command.st_uid);
}

// Completes "because it ...".
std::string who_else_may_change(const std::string& path, Part part) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return "cannot be examined";
  if (!is_trusted(file.st_uid)) return "belongs to another user";
  if ((file.st_mode & S_IWOTH) != 0) return "can be written by everybody";
  struct stat folder {};
  const std::string parent = std::filesystem::path(path).parent_path().string();
  if (::stat(parent.c_str(), &folder) != 0) return "lies in a folder that cannot be examined";
  if (!is_trusted(folder.st_uid)) return "lies in a folder of another user";
  // Where the sticky bit is set, as in /tmp, files can be replaced by their owners only.
  const bool only_owners_replace = (folder.st_mode & S_ISVTX) != 0;
  if ((folder.st_mode & S_IWOTH) != 0 && !(only_owners_replace && part == Part::file)) {
    return "lies in a folder that everybody can write to";
  }
  return "";
}

}  // namespace

std::string distrust(const std::string& path, const std::string& used, Part part) {
  const std::string others = who_else_may_change(path, part);
  if (others.empty()) return "";
  return path + " is not " + used + ", because it " + others +
         "; install Tightwire where only you or the administrator can write";
}

bool has_gained_rights() {
  return ::getauxval(AT_SECURE) != 0;
}

}  // namespace tightwire::os
