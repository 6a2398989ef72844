// Encodings kept in tests/golden: today's encoder must give their bytes, today's decoder their
// values, on every instruction set. With TIGHTWIRE_WRITE_GOLDEN set the files are written instead,
// which is right only together with a new version of the format.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>

#include "bounded/support.h"
#include "codec/bounded/layout.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {
namespace {

struct Golden {
  std::string name;  // begins with the codec's
  ElementType type;
  Parameters parameters;
  Bytes values;
  std::vector<Bytes> before = {};  // earlier messages, the nearest first

  [[nodiscard]] std::vector<std::span<const std::byte>> references() const {
    return {before.begin(), before.end()};
  }
};

// Integers keep the low bits of what is beyond their type.
template <class T, class Value>
T as(Value value) {
  if constexpr (std::is_integral_v<T> && std::is_floating_point_v<Value>) {
    return static_cast<T>(static_cast<std::int64_t>(value));
  } else {
    return static_cast<T>(value);
  }
}

// Only arithmetic that every machine does alike: no libm.
template <class T, class F>
Bytes made(std::size_t count, F f) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = as<T>(f(static_cast<std::int64_t>(i)));
  return bytes_of(values);
}

std::int64_t noise(std::int64_t i) {
  auto x = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return static_cast<std::int64_t>(x >> 40) - (1 << 23);
}

double parabola(std::int64_t i) {
  return static_cast<double>(i * i % 100000) / 64 + static_cast<double>(noise(i)) * 0x1p-24;
}

// Rows of 50 that repeat and drift.
double rows(std::int64_t i) {
  const std::int64_t row = i / 50;
  return static_cast<double>(noise(i % 50)) * 0x1p-12 + static_cast<double>(row) / 8;
}

template <class T>
T with_specials(std::int64_t i) {
  using Limits = std::numeric_limits<T>;
  const T specials[] = {-T{0},         Limits::infinity(), Limits::quiet_NaN(),
                        Limits::max(), Limits::min(),      -Limits::infinity()};
  if (i > 600) return i % 37 == 0 ? -T{0} : static_cast<T>(parabola(i));
  if (i > 300) return i % 3 == 0 ? specials[i % 6] : static_cast<T>(i);
  return i % 60 == 7 ? specials[i / 60 % 6] : static_cast<T>(parabola(i));
}

// Rows of 128, curved along and across.
double plane(std::int64_t i) {
  const auto column = static_cast<double>(i % 128 - 50);
  const std::int64_t line = i / 128;
  const auto row = static_cast<double>(line - 70);
  return column * column * row * row * 0x1p-12 + static_cast<double>(noise(i)) * 0x1p-24;
}

// The same digits, but no multiples of a step that a divisor could have.
template <class T>
double fine(double x) {
  return std::is_floating_point_v<T> ? x * 0x1p-60 : x;
}

// Planes of 9 rows of 40 that are much like each other and unlike along rows. The last row is not
// whole.
double planes(std::int64_t i) {
  const std::int64_t place = i % 360;
  const double here = static_cast<double>(noise(place)) * 0x1p-8 + static_cast<double>(place / 40);
  return here + static_cast<double>(i / 360 * (place % 7)) +
         static_cast<double>(noise(i)) * 0x1p-22;
}

// Each row moves on with the plane by an amount of its own, on top of that.
double cubes(std::int64_t i) {
  return planes(i) + static_cast<double>(noise(i / 40)) * 0x1p-10;
}

// With a hole in every plane, and some other exceptions.
template <class T>
T planes_with_fill(std::int64_t i) {
  if (i % 360 > 90 && i % 40 < 17) return T(1e20);
  return i % 1009 == 0 ? std::numeric_limits<T>::infinity() : static_cast<T>(planes(i));
}

// Tiles of nothing else, blocks with other values, zeros and one large value in between.
template <class T>
T with_subnormals(std::int64_t i) {
  const T subnormal = static_cast<T>(noise(i) >> i % 20) * std::numeric_limits<T>::denorm_min();
  if (i < 1024) return i % 5 == 0 ? T{0} : subnormal;
  if (i == 1030) return std::numeric_limits<T>::max();
  return i % 7 == 0 ? subnormal : static_cast<T>(parabola(i));
}

// Around 288, changing by less than 1.
double far_from_zero(std::int64_t i) {
  return 288 + static_cast<double>(i * i % 1000) * 0x1p-11 +
         static_cast<double>(noise(i)) * 0x1p-30;
}

// Rows of 100 with fill values in some of them, and tiles of nothing else.
template <class T>
T with_fill(std::int64_t i) {
  const std::int64_t row = i / 100;
  const T fill = row < 60 ? static_cast<T>(1e20) : std::numeric_limits<T>::quiet_NaN();
  const std::int64_t middle = i % 100 - 40;
  const bool filled = (row > 20 && row < 44) || middle * middle < row * row / 9 || i % 701 == 0;
  if (i % 997 == 0) return std::numeric_limits<T>::infinity();
  if (row > 70) return i % 5 < 2 ? fill : static_cast<T>(rows(i));
  return filled ? fill : static_cast<T>(rows(i));
}

// Rows of 40 turns of components of unlike size.
double in_turn(std::int64_t i, std::int64_t components) {
  const std::int64_t turn = i / components;
  return static_cast<double>(turn % 40 * (turn % 40)) *
             static_cast<double>(i % components * 7 + 1) +
         static_cast<double>(noise(i)) * 0x1p-20 + static_cast<double>(turn / 40);
}

// Of which one is a fill value now and then, and one constant.
template <class T>
T in_turn_with_fill(std::int64_t i) {
  if (i % 3 == 1) return i / 5000 % 2 == 0 ? T(1e20) : T(5);
  return static_cast<T>(i % 3 == 2 ? 42.25 : in_turn(i, 3));
}

template <class T>
void add_bounded(std::vector<Golden>& all, const std::string& suffix) {
  const ElementType type = type_of<T>;
  const auto add = [&](const char* name, const Parameters& parameters, Bytes values) {
    all.push_back({"bounded-" + std::string(name) + suffix, type, parameters, std::move(values)});
  };
  add("smooth", grid_parameters(0x1p-7), made<T>(1500, parabola));
  add("rows", grid_parameters(0.01, 1, 50), made<T>(1100, rows));
  add("short-rows", grid_parameters(0.01, 1, 5), made<T>(100, [](auto i) { return rows(i * 10); }));
  add("specials", grid_parameters(0.25), made<T>(1200, with_specials<T>));
  add("verbatim", grid_parameters(1e-30), made<T>(100, parabola));
  add("terms", grid_parameters(0.06 / 64, 64), made<T>(300, parabola));
  add("noise", grid_parameters(16), made<T>(1024, noise));
  add("sparse", grid_parameters(0.5), made<T>(5000, [](auto i) { return i % 700 == 0 ? i : 0; }));
  add("constant", grid_parameters(1e-3), made<T>(2100, [](auto) { return 42.4242; }));
  add("subnormals", grid_parameters(0.5), made<T>(1100, with_subnormals<T>));
  add("nothing", grid_parameters(1), {});
  add("masked", grid_parameters(0.01, 1, 100), made<T>(7900, with_fill<T>));
  add("far", alone_parameters(1e-4), made<T>(1100, far_from_zero));
  add("whole", alone_parameters(1e-4), made<T>(1100, [](auto i) { return noise(i) >> 12; }));
  const auto add_second = [&](const char* name, std::uint32_t row_length, Bytes values) {
    Parameters parameters = alone_parameters(0.01, row_length);
    parameters.second_stage = SecondStage::entropy;
    add(name, parameters, std::move(values));
  };
  add_second("coded", 0, made<T>(1500, parabola));
  add_second("coded-plane", 128, made<T>(17000, plane));
  add_second("coded-masked", 100, made<T>(7900, [](auto i) {
               const T value = with_fill<T>(i);
               return std::abs(value) < 1e6 ? static_cast<T>(parabola(i)) : value;
             }));
  add_second("coded-specials", 0, made<T>(1200, with_specials<T>));
  for (const std::uint32_t components : {2, 3}) {
    Parameters parameters = alone_parameters(0.01, 40 * components);
    parameters.components = components;
    const std::string name = "components-" + std::to_string(components);
    add(name.c_str(), parameters, made<T>(5000, [&](auto i) { return in_turn(i, components); }));
    if (components == 3) add("components-filled", parameters, made<T>(13000, in_turn_with_fill<T>));
  }
  const auto add_planes = [&](const char* name, Bytes values) {
    Parameters parameters = alone_parameters(0.01, 40);
    parameters.plane_length = 360;
    add(name, parameters, values);
    parameters.second_stage = SecondStage::entropy;
    add(("coded-" + std::string(name)).c_str(), parameters, std::move(values));
  };
  add_planes("planes", made<T>(5555, planes));
  add_planes("cubes", made<T>(5555, cubes));
  add_planes("planes-filled", made<T>(5555, planes_with_fill<T>));
  add("exactly", alone_parameters(sizeof(T) == 4 ? 1e-30 : 1e-280), made<T>(3000, parabola));
}

template <class T>
void add_exact(std::vector<Golden>& all, ElementType type, const std::string& suffix) {
  const auto add = [&](const char* name, std::uint32_t row_length, Bytes values) {
    Parameters parameters;
    parameters.row_length = row_length;
    all.push_back({"exact-" + std::string(name) + suffix, type, parameters, std::move(values)});
  };
  add("smooth", 0, made<T>(1100, [](auto i) { return i * i / 4096 - 60; }));
  add("rows", 50, made<T>(600, [](auto i) { return noise(i % 50) / 131072 + i / 50; }));
  Parameters parameters;
  parameters.row_length = 40;
  parameters.plane_length = 360;
  all.push_back({"exact-planes" + suffix, type, parameters,
                 made<T>(3333, [](auto i) { return noise(i % 360) / 33554432 + i / 360; })});
  parameters = {};
  parameters.components = 3;
  all.push_back({"exact-components" + suffix, type, parameters,
                 made<T>(4000, [](auto i) { return i % 3 * 40 - noise(i) / 4194304; })});
}

// Through the entropy coder: every transform, both kinds of tokens, differences of several orders
// and distances.
template <class T>
void add_coded(std::vector<Golden>& all, ElementType type, const std::string& suffix) {
  const auto add = [&](const char* name, std::uint32_t row_length, Bytes values) {
    Parameters parameters;
    parameters.row_length = row_length;
    parameters.second_stage = SecondStage::entropy;
    all.push_back(
        {"exact-coded-" + std::string(name) + suffix, type, parameters, std::move(values)});
  };
  add("smooth", 0, made<T>(3000, [](auto i) { return i * i / 4096 - 60; }));
  add("plane", 128, made<T>(17000, [](auto i) { return fine<T>(plane(i)); }));
  Parameters parameters;
  parameters.row_length = 40;
  parameters.plane_length = 360;
  parameters.second_stage = SecondStage::entropy;
  const auto add_planes = [&](const char* name, Bytes values) {
    all.push_back(
        {"exact-coded-" + std::string(name) + suffix, type, parameters, std::move(values)});
  };
  add_planes("planes", made<T>(5555, [](auto i) { return fine<T>(planes(i)); }));
  add_planes("cubes", made<T>(5555, [](auto i) { return fine<T>(cubes(i)); }));
  add_planes("planes-of-planes", made<T>(5555, [](auto i) {
               return fine<T>(static_cast<double>(noise(i % 360)) * 0x1p-26 *
                              static_cast<double>(i / 360));
             }));
  add("interleaved", 0, made<T>(2000, [](auto i) { return i % 3 * 40 - noise(i) / 4194304; }));
  add("rare", 0,
      made<T>(7001, [](auto i) { return i % 2 * 50 + i / 37 % 60 + (i % 911 == 5 ? 9 : 0); }));
  add("lopsided", 0, made<T>(2000, [](auto i) { return noise(i) >> (8 + i % 14); }));
}

// What repeats: runs of a value, few distinct ones, and both.
template <class T>
void add_repeats(std::vector<Golden>& all, ElementType type, const std::string& suffix) {
  const auto add = [&](const char* name, const Bytes& values) {
    Parameters parameters;
    parameters.second_stage = SecondStage::entropy;
    all.push_back({"exact-coded-" + std::string(name) + suffix, type, parameters, values});
  };
  const auto one_of = [](std::int64_t k) {
    return static_cast<T>((k + 3) * (k + 3) * (k + 5)) / static_cast<T>(7);
  };
  add("runs", made<T>(2500, [](auto i) {
        return i % 250 < 170 ? T(100) : static_cast<T>(noise(i) >> (i % 3 + sizeof(T) / 2 * 4));
      }));
  if (sizeof(T) < 4) return;
  add("list", made<T>(2100, [&](auto i) { return one_of(noise(i) / 536870912); }));
  add("runs-list",
      made<T>(9000, [&](auto i) { return i % 400 < 270 ? T(1) : one_of(noise(i) / 536870912); }));
}

// By the entropy coder and in tiles.
template <class T>
void add_transformed(std::vector<Golden>& all, ElementType type, const std::string& suffix) {
  const auto add = [&](const char* name, const Bytes& values) {
    Parameters parameters;
    all.push_back({"exact-" + std::string(name) + suffix, type, parameters, values});
    parameters.second_stage = SecondStage::entropy;
    all.push_back({"exact-coded-" + std::string(name) + suffix, type, parameters, values});
  };
  add("decimals", made<T>(1500, [](auto i) { return static_cast<T>(noise(i) / 8192) / T{100}; }));
  add("filled", made<T>(1500, [](auto i) {
        if (i % 200 < 60) return T(1e20);
        return i % 97 == 0 ? -T{0} : static_cast<T>(noise(i) / 65536) / T{4};
      }));
  add("heavy", made<T>(1500, [](auto i) {
        return static_cast<T>(noise(i)) * static_cast<T>(noise(i + 7)) / static_cast<T>(i + 1);
      }));
  add("packed",
      made<T>(1500, [](auto i) { return static_cast<T>(noise(i) / 16384) * T(0x1p-14); }));
  add("floats", made<T>(1500, [](auto i) {
        return static_cast<float>(noise(i)) / (static_cast<float>(i) + 3.0f);
      }));
  add("short", made<T>(1500, [](auto i) {
        return static_cast<T>(noise(i) / 16384) * (i % 2 == 0 ? T(0x1p30) : T(0x1p-20));
      }));
}

// Bytes that are words, behind some others.
template <class T>
void add_words(std::vector<Golden>& all, std::size_t offset, const std::string& suffix) {
  Bytes values(offset, std::byte{0x5a});
  const Bytes words = made<T>(24000 / sizeof(T), parabola);
  values.insert(values.end(), words.begin(), words.end());
  values.push_back(std::byte{1});
  Parameters parameters;
  all.push_back({"exact-words-" + suffix, ElementType::bytes, parameters, values});
  parameters.second_stage = SecondStage::entropy;
  all.push_back({"exact-coded-words-" + suffix, ElementType::int8, parameters, values});
}

// Values that go on in time, with specials among them, but for a tile that is a straight line in
// space and any in time.
template <class T>
T in_time(std::int64_t i, int step) {
  const std::int64_t height = noise(i % 701) >> 14;
  const int time = 20 - step;
  if constexpr (std::is_integral_v<T>) {
    if (i / 1024 == 1) return static_cast<T>(i * 3 + noise(step));
    return static_cast<T>(height * time * time * time + i / 100);
  } else {
    if (i / 1024 == 1) return static_cast<T>((i + 8192) << step * 7 % 5);
    if (i % 1024 < 64) return with_specials<T>(i % 64 * 5 + step % 2);
    double power = 1;
    double sum = 0;
    for (int k = 0; k < 8; ++k, power *= time * 0x1p-4) sum += power;
    return static_cast<T>(fine<T>(static_cast<double>(height) * sum));
  }
}

// Predicted from one to eight earlier messages, in tiles and by the entropy coder, taken apart and
// not.
template <class T>
void add_history(std::vector<Golden>& all, ElementType type, const std::string& suffix) {
  const auto add = [&](int references, std::uint32_t components, SecondStage stage) {
    Parameters parameters;
    parameters.components = components;
    parameters.second_stage = stage;
    const auto message = [&](int step) {
      return made<T>(2200, [&](auto i) { return in_time<T>(i, step); });
    };
    all.push_back(
        {"exact-history-" + std::to_string(references) + suffix, type, parameters, message(0)});
    for (int k = 1; k <= references; ++k) all.back().before.push_back(message(k));
  };
  add(1, 1, SecondStage::none);
  add(3, 3, SecondStage::none);
  add(6, 1, SecondStage::none);
  add(8, 1, SecondStage::entropy);
}

// A tile of it is a line in space, and was noise before. Few values are far from where they are
// expected.
template <class T>
T bent_in_time(std::int64_t i, int step) {
  const double bound = sizeof(T) == 4 ? 0x1p-4 : 0x1p-24;
  if (i / 1024 == 1) {
    return static_cast<T>(bound * static_cast<double>(step == 0 ? 3 * i : noise(i + step) / 64));
  }
  const int time = 40 - step;
  const double speed = static_cast<double>(noise(i + 5)) * 0x1p-20;
  const double unit = static_cast<double>(noise(31 * i + step)) * 0x1p-23;
  const double cube = unit * unit * unit;
  const double jitter = 1024 * bound * cube * cube * cube * cube * cube;
  return static_cast<T>(static_cast<double>(noise(i) >> 8) + speed * time + 0x1p-6 * time * time +
                        jitter);
}

// Within a bound, of gaps too, and where references lie on no grid of theirs.
template <class T>
void add_bounded_history(std::vector<Golden>& all, const std::string& suffix) {
  constexpr int references = 3;
  const auto add = [&](const char* name, Parameters parameters, bool has_gaps) {
    const auto message = [&](int step) {
      return made<T>(6000, [&](auto i) {
        const bool gap = has_gaps && (i / 100 % 8 == 1 || i % 700 == 3);
        return gap ? with_specials<T>(i / 100 + step) : bent_in_time<T>(i, step);
      });
    };
    parameters.alone = true;
    all.push_back(
        {"bounded-history-" + std::string(name) + suffix, type_of<T>, parameters, message(0)});
    for (int k = 1; k <= references; ++k) all.back().before.push_back(message(k));
  };
  Parameters parameters;
  parameters.error_bound = sizeof(T) == 4 ? 0x1p-4 : 0x1p-24;
  add("tiles", parameters, false);
  add("gaps", parameters, true);
  parameters.second_stage = SecondStage::entropy;
  add("entropy", parameters, false);
}

std::vector<Golden> all_golden() {
  std::vector<Golden> all;
  add_bounded<float>(all, "-float32");
  add_bounded<double>(all, "-float64");
  add_exact<std::int8_t>(all, ElementType::int8, "-int8");
  add_exact<std::int16_t>(all, ElementType::int16, "-int16");
  add_exact<std::int32_t>(all, ElementType::int32, "-int32");
  add_exact<std::int64_t>(all, ElementType::int64, "-int64");
  add_exact<float>(all, ElementType::float32, "-float32");
  add_exact<double>(all, ElementType::float64, "-float64");
  add_coded<std::int8_t>(all, ElementType::int8, "-int8");
  add_repeats<std::int8_t>(all, ElementType::int8, "-int8");
  add_coded<std::int16_t>(all, ElementType::int16, "-int16");
  add_repeats<std::int16_t>(all, ElementType::int16, "-int16");
  add_coded<std::int32_t>(all, ElementType::int32, "-int32");
  add_repeats<std::int32_t>(all, ElementType::int32, "-int32");
  add_coded<std::int64_t>(all, ElementType::int64, "-int64");
  add_repeats<std::int64_t>(all, ElementType::int64, "-int64");
  add_coded<float>(all, ElementType::float32, "-float32");
  add_repeats<float>(all, ElementType::float32, "-float32");
  add_coded<double>(all, ElementType::float64, "-float64");
  add_repeats<double>(all, ElementType::float64, "-float64");
  add_transformed<float>(all, ElementType::float32, "-float32");
  add_transformed<double>(all, ElementType::float64, "-float64");
  add_bounded_history<float>(all, "-float32");
  add_bounded_history<double>(all, "-float64");
  add_history<std::int8_t>(all, ElementType::int8, "-int8");
  add_history<std::int32_t>(all, ElementType::int32, "-int32");
  add_history<float>(all, ElementType::float32, "-float32");
  add_history<double>(all, ElementType::float64, "-float64");
  add_words<float>(all, 0, "float32");
  add_words<double>(all, 5, "float64");
  all.push_back({"bounded-plane-float32", ElementType::float32, grid_parameters(0x1p-6, 1, 128),
                 made<float>(16384, plane)});
  Parameters entropy;
  entropy.second_stage = SecondStage::entropy;
  all.push_back(
      {"exact-coded-septic-int64", ElementType::int64, entropy, made<std::int64_t>(500, [](auto i) {
         return i * i * i * i * i * i * i + noise(i) / 134217728;
       })});
  all.push_back({"exact-noise-int64", ElementType::int64, {}, made<std::int64_t>(60, noise)});
  return all;
}

const Codec& codec_of(const Golden& golden) {
  return *find(golden.name.substr(0, golden.name.find('-')));
}

std::string path_of(const Golden& golden, const char* ending) {
  return std::string(TIGHTWIRE_GOLDEN) + "/" + golden.name + ending;
}

Bytes read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path << " is missing";
  const std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
  return bytes_of(chars);
}

void write(const std::string& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(file.good()) << path;
}

Bytes encoded(const Golden& golden) {
  const std::size_t count = golden.values.size() / element_size(golden.type);
  Bytes out(codec_of(golden).max_encoded_size(golden.type, count));
  const auto references = golden.references();
  Parameters parameters = golden.parameters;
  parameters.references = references;
  const Result result = codec_of(golden).encode(golden.type, golden.values, parameters, out);
  EXPECT_TRUE(result.ok()) << golden.name << ": " << describe(result.error);
  out.resize(result.size);
  return out;
}

Bytes decoded(const Golden& golden, const Bytes& bytes) {
  Bytes values(golden.values.size());
  const auto references = golden.references();
  const Result result = codec_of(golden).decode_with(golden.type, bytes, references, values);
  EXPECT_TRUE(result.ok()) << golden.name << ": " << describe(result.error);
  return values;
}

// All references in one file.
Bytes one_by_one(const Golden& golden) {
  Bytes all;
  for (const Bytes& one : golden.before) all.insert(all.end(), one.begin(), one.end());
  return all;
}

TEST(Golden, EncodingsAndValuesAreThoseKept) {
  const Kernels& before = active_kernels();
  const bool writing = std::getenv("TIGHTWIRE_WRITE_GOLDEN") != nullptr;
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    use_kernels(*kernels);
    for (const Golden& golden : all_golden()) {
      const Bytes bytes = encoded(golden);
      if (writing) {
        write(path_of(golden, ".encoded"), bytes);
        write(path_of(golden, ".values"), decoded(golden, bytes));
        if (!golden.before.empty()) write(path_of(golden, ".references"), one_by_one(golden));
        continue;
      }
      EXPECT_EQ(bytes, read(path_of(golden, ".encoded"))) << golden.name << ", " << kernels->name;
      EXPECT_EQ(decoded(golden, bytes), read(path_of(golden, ".values")))
          << golden.name << ", " << kernels->name;
    }
  }
  use_kernels(before);
}

// So that readers of these meet both ways, and a map.
TEST(Golden, SomeAreInTime) {
  for (const std::string type : {"-float32.encoded", "-float64.encoded"}) {
    const Bytes encoding = read(std::string(TIGHTWIRE_GOLDEN) + "/bounded-history-tiles" + type);
    ASSERT_GT(encoding.size(), bounded::header_size + 2);
    bounded::Header header;
    ASSERT_EQ(bounded::read_header(encoding, header), Error::none);
    EXPECT_EQ(header.grid, bounded::GridKind::in_time);
    EXPECT_EQ(encoding[bounded::header_size + 1], std::byte{2}) << "the map";
    const Bytes coded = read(std::string(TIGHTWIRE_GOLDEN) + "/bounded-history-entropy" + type);
    ASSERT_EQ(bounded::read_header(coded, header), Error::none);
    EXPECT_EQ(header.grid, bounded::GridKind::coded_in_time);
  }
}

}  // namespace
}  // namespace tightwire::codec
