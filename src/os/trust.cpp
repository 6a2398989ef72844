#include "os/trust.h"

#include <grp.h>
#include <pwd.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace tightwire::os {
namespace {

// Many systems give each user a group of the same name, and let groups write.
bool is_private_group(gid_t group) {
  if (group != ::getegid()) return false;
  const passwd* user = ::getpwuid(::geteuid());  // NOLINT(concurrency-mt-unsafe)
  if (user == nullptr) return false;
  const std::string name = user->pw_name;
  const struct group* entry = ::getgrgid(group);  // NOLINT(concurrency-mt-unsafe)
  if (entry == nullptr || name != entry->gr_name) return false;
  for (char** member = entry->gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

std::string who_else_may_write(const struct stat& status) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) return "belongs to another user";
  if ((status.st_mode & S_IWOTH) != 0) return "can be written by everybody";
  if ((status.st_mode & S_IWGRP) != 0 && !is_private_group(status.st_gid)) {
    return "can be written by others of its group";
  }
  return "";
}

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

std::string distrust_of_found(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return "cannot be examined";
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (std::string others = who_else_may_write(status); !others.empty()) return others;
  struct stat folder {};
  if (::stat(".", &folder) != 0) return "lies in a folder that cannot be examined";
  const std::string others = who_else_may_write(folder);
  return others.empty() ? "" : "lies in a folder that " + others;
}

std::string distrust_of_installed(const std::string& path, const std::string& used, Part part) {
  const std::string others = who_else_may_change(path, part);
  if (others.empty()) return "";
  return path + " is not " + used + ", because it " + others +
         "; install Tightwire where only you or the administrator can write";
}

bool has_gained_rights() {
  return ::getauxval(AT_SECURE) != 0;
}

}  // namespace tightwire::os
