// A folder of one's own to run commands in that write files.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "input.h"

namespace tightwire::fuzz {

class WorkFolder {
 public:
  using Files = std::map<std::string, std::string>;  // names and contents

  WorkFolder() {
    std::string name = std::filesystem::temp_directory_path() / "tightwire-fuzz-XXXXXX";
    require(::mkdtemp(name.data()) != nullptr, "a folder can be made");
    path_ = name;
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() { std::filesystem::remove_all(path_); }

  // Nothing but these is there afterwards.
  void fill(const Files& files) const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      std::filesystem::remove_all(entry.path());
    }
    for (const auto& [name, content] : files) {
      std::ofstream(path_ / name, std::ios::binary) << content;
    }
  }

  [[nodiscard]] Files content() const {
    Files files;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }

  // While it lives the folder is the current one.
  class Visit {
   public:
    explicit Visit(const WorkFolder& folder) : before_(::open(".", O_RDONLY | O_CLOEXEC)) {
      require(::chdir(folder.path_.c_str()) == 0, "the folder is there");
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() {
      require(::fchdir(before_) == 0, "the folder before is there");
      ::close(before_);
    }

   private:
    int before_;
  };

 private:
  std::filesystem::path path_;
};

}  // namespace tightwire::fuzz
