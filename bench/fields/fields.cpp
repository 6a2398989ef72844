#include "fields/fields.h"

#include <fstream>
#include <optional>
#include <stdexcept>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

// Change it when a generator changes, or old fields stay in caches.
constexpr int generation = 1;

constexpr std::array all_kinds{
    Kind{"quiet_wavefield", "sound soon after its source is struck", quiet_wavefield},
    Kind{"late_wavefield", "sound that fills layered ground", late_wavefield},
    Kind{"turbulence", "velocity in a slice of decaying turbulence", turbulence},
    Kind{"turbulence_3d", "velocity in a box of decaying turbulence", turbulence_3d},
    Kind{"gradient", "gradient of a neural network", gradient},
    Kind{"sorted_positions", "x of particles, in order", sorted_positions},
    Kind{"unsorted_positions", "x, y, z of particles, in no order", unsorted_positions},
    Kind{"climate", "surface temperature", climate},
    Kind{"constant", "one value throughout", constant},
    Kind{"white_noise", "normal random numbers", white_noise},
};

std::string_view extension(codec::ElementType type) {
  return type == codec::ElementType::float32 ? ".f32" : ".f64";
}

// Says all that the bytes do not: "turbulence.g1.2048x4096.f32".
std::string file_name(const Field& field) {
  std::string name = field.name + ".g" + std::to_string(generation) + ".";
  for (std::size_t i = 0; i < field.shape.size(); ++i) {
    name.append(i == 0 ? "" : "x").append(std::to_string(field.shape[i]));
  }
  return name.append(extension(field.type));
}

std::vector<std::size_t> parse_shape(std::string_view text) {
  std::vector<std::size_t> shape{0};
  for (const char c : text) {
    if (c == 'x') {
      shape.push_back(0);
    } else {
      shape.back() = 10 * shape.back() + static_cast<std::size_t>(c - '0');
    }
  }
  return shape;
}

// The field if this is its file, which by name and size it is.
std::optional<Field> read(const Kind& kind, std::size_t bytes, const std::filesystem::path& path) {
  const std::string start = std::string(kind.name) + ".g" + std::to_string(generation) + ".";
  const std::string name = path.stem().string();
  const std::string end = path.extension().string();
  if (!name.starts_with(start) || (end != ".f32" && end != ".f64")) return std::nullopt;
  if (std::filesystem::file_size(path) != bytes) return std::nullopt;
  Field field;
  field.name = kind.name;
  field.type = end == ".f32" ? codec::ElementType::float32 : codec::ElementType::float64;
  field.shape = parse_shape(std::string_view(name).substr(start.size()));
  field.bytes.resize(bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(field.bytes.data()), static_cast<std::streamsize>(bytes));
  if (!file) return std::nullopt;
  return field;
}

void write(const Field& field, const std::filesystem::path& path) {
  const std::filesystem::path partial = path.string() + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file.write(reinterpret_cast<const char*>(field.bytes.data()),
             static_cast<std::streamsize>(field.bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + partial.string());
  std::filesystem::rename(partial, path);
}

}  // namespace

std::span<const Kind> kinds() {
  return all_kinds;
}

const Kind* find(std::string_view name) {
  for (const Kind& kind : all_kinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

Field cached(const Kind& kind, std::size_t bytes, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (auto field = read(kind, bytes, entry.path())) return std::move(*field);
  }
  Field field = kind.make(bytes);
  write(field, folder / file_name(field));
  return field;
}

}  // namespace tightwire::fields
