#include "cli/file/names.h"

#include <filesystem>

#include "cli/file/refusal.h"

namespace tightwire::cli {

using codec::ElementType;

const std::map<std::string, ElementType>& types_by_name() {
  static const std::map<std::string, ElementType> types{
      {"f32", ElementType::float32}, {"float32", ElementType::float32},
      {"f64", ElementType::float64}, {"float64", ElementType::float64},
      {"i8", ElementType::int8},     {"int8", ElementType::int8},
      {"i16", ElementType::int16},   {"int16", ElementType::int16},
      {"i32", ElementType::int32},   {"int32", ElementType::int32},
      {"i64", ElementType::int64},   {"int64", ElementType::int64},
      {"bytes", ElementType::bytes},
  };
  return types;
}

std::string name_of(ElementType type) {
  std::string longest;
  for (const auto& [name, value] : types_by_name()) {
    if (value == type && name.size() > longest.size()) longest = name;
  }
  return longest;
}

ElementType type_of_path(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const auto found = types_by_name().find(extension.empty() ? extension : extension.substr(1));
  if (found != types_by_name().end()) return found->second;
  throw Refusal(path + ": what values are these? Say it with --type, such as --type f32");
}

}  // namespace tightwire::cli
