// Test data as simulations make it, by real simulation code, for benchmarks and long checks.
//
// Everything is deterministic: the same name and size give the same bytes on one machine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/codec.h"

namespace tightwire::fields {

struct Field {
  std::string name;
  codec::ElementType type{};
  std::vector<std::size_t> shape;  // the last index varies fastest
  std::vector<std::byte> bytes;    // aligned for its type

  // T is the C++ type of `type`.
  template <class T>
  [[nodiscard]] std::span<const T> values() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] std::span<T> mutable_values() {
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// "float32", "float64" or "bytes".
[[nodiscard]] const char* type_name(const Field& field);

// What a relative bound is a part of (codec/estimate/value_range.h); of a constant field, which has
// no range, its size instead. 1 for types that have no bound.
[[nodiscard]] double value_range(const Field& field);

// One kind of field. `bytes` of make() is the size of the result: a power of two, at least 64 Ki.
struct Kind {
  std::string_view name;
  std::string_view about;
  Field (*make)(std::size_t bytes);
};

[[nodiscard]] std::span<const Kind> kinds();

// What programs send beside smooth fields: masks, mixed records, components side by side, numbers
// far from zero, numbers in types too wide for them.
[[nodiscard]] std::span<const Kind> hard_kinds();

// Of either; nullptr if there is none of this name.
[[nodiscard]] const Kind* find(std::string_view name);

// Reads the field from `folder` if it was made before, else makes it and leaves it there.
// Throws std::runtime_error where the folder cannot be written.
[[nodiscard]] Field cached(const Kind& kind, std::size_t bytes,
                           const std::filesystem::path& folder);

// A file of raw values named NAME.SHAPE.TYPE, such as sst.180x360.f32 (or f64, or u8 for bytes).
// Throws std::runtime_error where it cannot be read or its size is not what its name says.
[[nodiscard]] Field read_file(const std::filesystem::path& file);

}  // namespace tightwire::fields
