#include "os/trust.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

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

std::string who_else(const struct stat& status) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) return "belongs to another user";
  if ((status.st_mode & S_IWOTH) != 0) return "can be written by everybody";
  if ((status.st_mode & S_IWGRP) != 0 && !is_private_group(status.st_gid)) {
    return "can be written by others of its group";
  }
  return "";
}

}  // namespace

std::string distrust(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return "cannot be examined";
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (const std::string others = who_else(status); !others.empty()) return others;
  struct stat folder {};
  if (::stat(".", &folder) != 0) return "lies in a folder that cannot be examined";
  const std::string others = who_else(folder);
  return others.empty() ? "" : "lies in a folder that " + others;
}

}  // namespace tightwire::os
