#include "cli/element_names.h"

namespace tightwire::cli {

using codec::ElementType;

const std::map<std::string, ElementType>& types_by_name() {
  static const std::map<std::string, ElementType> types{
      {"f32", ElementType::float32},   {"float32", ElementType::float32},
      {"f64", ElementType::float64},   {"float64", ElementType::float64},
      {"i8", ElementType::int8},       {"int8", ElementType::int8},
      {"i16", ElementType::int16},     {"int16", ElementType::int16},
      {"i32", ElementType::int32},     {"int32", ElementType::int32},
      {"i64", ElementType::int64},     {"int64", ElementType::int64},
      {"float", ElementType::float32}, {"double", ElementType::float64},
      {"char", ElementType::int8},     {"short", ElementType::int16},
      {"int", ElementType::int32},     {"long", ElementType::int64},
      {"byte", ElementType::bytes},    {"bytes", ElementType::bytes},
  };
  return types;
}

std::string name_of(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return "float32";
    case ElementType::float64:
      return "float64";
    case ElementType::int8:
      return "int8";
    case ElementType::int16:
      return "int16";
    case ElementType::int32:
      return "int32";
    case ElementType::int64:
      return "int64";
    case ElementType::bytes:
      return "bytes";
  }
  return "bytes";
}

}  // namespace tightwire::cli
