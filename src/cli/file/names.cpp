#include "cli/file/names.h"

#include <filesystem>

#include "cli/element_names.h"
#include "cli/file/refusal.h"

namespace tightwire::cli {

codec::ElementType type_of_path(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const auto found = types_by_name().find(extension.empty() ? extension : extension.substr(1));
  if (found != types_by_name().end()) return found->second;
  throw Refusal(path + ": what values are these? Say it with --type, such as --type f32");
}

}  // namespace tightwire::cli
