#include "fields/fields.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <numeric>
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

constexpr std::array all_hard_kinds{
    Kind{"leapfrog", "sound, with the -0 and subnormals that a leapfrog leaves", leapfrog},
    Kind{"leapfrog_flushed", "the same with these at zero", leapfrog_flushed},
    Kind{"masked_nan", "turbulence at sea, land at NaN", masked_nan},
    Kind{"masked_1e20", "turbulence at sea, land at 1e20", masked_1e20},
    Kind{"masked_-9999", "turbulence at sea, land at -9999", masked_minus_9999},
    Kind{"kelvin", "temperatures from 287 to 289 K", kelvin},
    Kind{"interleaved", "x, y, z of a velocity, of unlike size", interleaved},
    Kind{"interleaved_apart", "the same, all x before all y before all z", interleaved_apart},
    Kind{"records", "positions beside lengths, and integers in the bits of doubles", records},
    Kind{"widened", "turbulence in doubles that were floats", widened},
    Kind{"image", "8-bit image as floats", image},
    Kind{"counts", "counts of a detector as floats", counts},
    Kind{"packed", "doubles, floats and integers packed as bytes", packed},
};

struct Suffix {
  codec::ElementType type;
  std::string_view text;
  const char* name;
};

constexpr std::array suffixes{
    Suffix{codec::ElementType::float32, ".f32", "float32"},
    Suffix{codec::ElementType::float64, ".f64", "float64"},
    Suffix{codec::ElementType::bytes, ".u8", "bytes"},
};

const Suffix& suffix_of(codec::ElementType type) {
  return *std::ranges::find(suffixes, type, &Suffix::type);
}

std::optional<codec::ElementType> type_of(std::string_view extension) {
  const auto suffix = std::ranges::find(suffixes, extension, &Suffix::text);
  if (suffix == suffixes.end()) return std::nullopt;
  return suffix->type;
}

// Says all that the bytes do not: "turbulence.g1.2048x4096.f32".
std::string file_name(const Field& field) {
  std::string name = field.name + ".g" + std::to_string(generation) + ".";
  for (std::size_t i = 0; i < field.shape.size(); ++i) {
    name.append(i == 0 ? "" : "x").append(std::to_string(field.shape[i]));
  }
  return name.append(suffix_of(field.type).text);
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

// Nothing where the file holds fewer.
std::optional<std::vector<std::byte>> first_bytes(const std::filesystem::path& path,
                                                  std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) return std::nullopt;
  return bytes;
}

// The field if this is its file, which by name and size it is.
std::optional<Field> read(const Kind& kind, std::size_t bytes, const std::filesystem::path& path) {
  const std::string start = std::string(kind.name) + ".g" + std::to_string(generation) + ".";
  const std::string name = path.stem().string();
  const auto type = type_of(path.extension().string());
  if (!name.starts_with(start) || !type) return std::nullopt;
  if (std::filesystem::file_size(path) != bytes) return std::nullopt;
  auto contents = first_bytes(path, bytes);
  if (!contents) return std::nullopt;
  return Field{std::string(kind.name), *type,
               parse_shape(std::string_view(name).substr(start.size())), std::move(*contents)};
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

const char* type_name(const Field& field) {
  return suffix_of(field.type).name;
}

std::span<const Kind> kinds() {
  return all_kinds;
}

std::span<const Kind> hard_kinds() {
  return all_hard_kinds;
}

const Kind* find(std::string_view name) {
  for (const std::span<const Kind> list : {kinds(), hard_kinds()}) {
    for (const Kind& kind : list) {
      if (kind.name == name) return &kind;
    }
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

Field read_file(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  const auto type = type_of(file.extension().string());
  const std::size_t dot = stem.rfind('.');
  if (!type || dot == std::string::npos) {
    throw std::runtime_error(file.string() + " is not named NAME.SHAPE.TYPE");
  }
  Field field{stem.substr(0, dot), *type, parse_shape(std::string_view(stem).substr(dot + 1)), {}};
  const std::size_t size = std::accumulate(field.shape.begin(), field.shape.end(),
                                           codec::element_size(*type), std::multiplies{});
  const bool fits = std::filesystem::file_size(file) == size;
  auto contents = fits ? first_bytes(file, size) : std::nullopt;
  if (!contents) {
    throw std::runtime_error(file.string() + " does not hold what its name says");
  }
  field.bytes = std::move(*contents);
  return field;
}

}  // namespace tightwire::fields
