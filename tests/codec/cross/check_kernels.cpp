// Compares every kernel that runs here with the portable one, and both with the golden encodings.
// A program by itself, so that it can be cross-compiled without any library and run in an emulator.
//
//     check_kernels GOLDEN-FOLDER
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../bounded/data.h"
#include "codec/entropy/scratch.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {
namespace {

using Bytes = std::vector<std::byte>;

struct Outcome {
  Error error = Error::none;
  Bytes bytes;
  bool operator==(const Outcome&) const = default;
};

template <class Call>
Outcome outcome(std::size_t room, Call call) {
  Bytes out(room);
  const Result result = call(std::span(out));
  out.resize(result.ok() ? result.size : 0);
  return {result.error, std::move(out)};
}

template <class T>
std::vector<Outcome> bounded_outcomes(const Kernels& kernels, const bounded::Header& header,
                                      const std::vector<T>& a, const std::vector<T>& b) {
  const auto values_a = std::as_bytes(std::span(a));
  const auto values_b = std::as_bytes(std::span(b));
  const std::size_t room = 2 * values_a.size() + 1000;
  const auto encode = [&](auto values) {
    return outcome(room, [&](auto out) { return kernels.bounded_encode(header, values, out); });
  };
  const auto decode = [&](const Bytes& body) {
    return outcome(values_a.size(),
                   [&](auto out) { return kernels.bounded_decode(header, body, out); });
  };
  std::vector<Outcome> all{encode(values_a), encode(values_b)};
  const Bytes encoded_a = all[0].bytes;
  const Bytes encoded_b = all[1].bytes;
  for (const auto operation :
       {bounded::Operation::sum, bounded::Operation::min, bounded::Operation::max}) {
    all.push_back(outcome(room, [&](auto out) {
      return kernels.bounded_combine(operation, header, encoded_a, header, encoded_b, header, out);
    }));
    all.push_back(outcome(room, [&](auto out) {
      return kernels.bounded_combine_values(operation, header, encoded_a, values_b, header, out);
    }));
  }
  const std::size_t encodings = all.size();
  for (std::size_t i = 0; i < encodings; ++i) all.push_back(decode(all[i].bytes));
  for (const auto operation :
       {bounded::Operation::sum, bounded::Operation::min, bounded::Operation::max}) {
    Bytes completed(values_b.size());
    all.push_back(outcome(room, [&](auto out) {
      return kernels.bounded_complete_values(operation, header, encoded_a, values_b, header, out,
                                             completed);
    }));
    all.push_back({Error::none, completed});
  }
  Bytes damaged = encoded_a;
  for (std::size_t i = 0; i < damaged.size(); i += damaged.size() / 3 + 1) {
    damaged[i] ^= std::byte{4};
    Outcome one = decode(damaged);
    if (one.error != Error::none) one.bytes.clear();
    all.push_back(one);
  }
  return all;
}

template <class T>
std::vector<Outcome> coded_outcomes(const Kernels& kernels, bounded::Header header,
                                    const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  header.grid = bounded::GridKind::coded;
  header.rows.reach = 0;
  const entropy::Scratch scratch(header.count, sizeof(T), header.rows.apart());
  std::vector<Outcome> all;
  all.push_back(outcome(8 * bytes.size() + 4000, [&](auto out) {
    return kernels.bounded_coded_encode(header, bytes, scratch.bytes(), out);
  }));
  const Bytes body = all[0].bytes;
  all.push_back(outcome(bytes.size(), [&](auto out) {
    return kernels.bounded_coded_decode(header, body, scratch.bytes(), out);
  }));
  return all;
}

template <class T>
std::vector<Outcome> component_outcomes(const Kernels& kernels, const bounded::Header& header,
                                        const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  std::vector<Outcome> all;
  all.push_back(outcome(8 * bytes.size() + 10000,
                        [&](auto out) { return kernels.bounded_encode(header, bytes, out); }));
  const Bytes body = all[0].bytes;
  all.push_back(
      outcome(bytes.size(), [&](auto out) { return kernels.bounded_decode(header, body, out); }));
  return all;
}

template <class T>
std::vector<Outcome> exact_outcomes(const Kernels& kernels, ElementType type,
                                    std::uint8_t components, bounded::Rows rows,
                                    const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  exact::Header header;
  header.type = type;
  header.components = components;
  header.rows = rows;
  header.count = bytes.size() / element_size(type);
  std::vector<Outcome> all;
  all.push_back(outcome(8 * bytes.size() + 10000,
                        [&](auto out) { return kernels.exact_encode(header, {}, bytes, out); }));
  const Bytes body = all[0].bytes;
  all.push_back(
      outcome(bytes.size(), [&](auto out) { return kernels.exact_decode(header, {}, body, out); }));
  return all;
}

// Predicted from messages that are nearly the same.
template <class T>
std::vector<Outcome> history_outcomes(const Kernels& kernels, ElementType type,
                                      std::uint8_t components, const std::vector<T>& values,
                                      std::mt19937_64& random) {
  const auto bytes = std::as_bytes(std::span(values));
  std::vector<Bytes> before(1 + random() % most_references, Bytes(bytes.begin(), bytes.end()));
  for (Bytes& one : before) {
    for (std::size_t i = 0; i < one.size(); i += 1 + random() % 40) one[i] ^= std::byte(random());
  }
  const std::vector<std::span<const std::byte>> references(before.begin(), before.end());
  exact::Header header;
  header.type = type;
  header.components = components;
  header.count = bytes.size() / element_size(type);
  exact::Transform transform;
  transform.kind = exact::TransformKind::extrapolated;
  transform.order = static_cast<std::uint8_t>(references.size());
  transform.references = references;
  Bytes marks(exact::left_out_size(header.count));
  if (random() % 2 == 0) {
    const std::size_t marked = kernels.mark_left_out(header, transform, bytes, marks);
    if (marked > 0) transform.left_out = marks;
  }
  const entropy::Scratch scratch(header.count, sizeof(T), {});
  std::vector<Outcome> all{{Error::none, marks}};
  all.push_back(outcome(8 * bytes.size() + 10000, [&](auto out) {
    return kernels.exact_encode(header, transform, bytes, out);
  }));
  const Bytes body = all.back().bytes;
  all.push_back(outcome(
      bytes.size(), [&](auto out) { return kernels.exact_decode(header, transform, body, out); }));
  if (components != 1) return all;
  for (const exact::Counted counted : {exact::Counted::all, exact::Counted::told}) {
    all.push_back(outcome(sizeof(double), [&](auto out) {
      const double bits =
          kernels.coded_estimate(header, transform, bytes, counted, scratch.bytes());
      std::memcpy(out.data(), &bits, sizeof bits);
      return Result{Error::none, sizeof bits};
    }));
  }
  all.push_back(outcome(8 * bytes.size() + 10000, [&](auto out) {
    return kernels.coded_encode(header, transform, bytes, scratch.bytes(), out);
  }));
  const Bytes coded = all.back().bytes;
  all.push_back(outcome(bytes.size(), [&](auto out) {
    return kernels.coded_decode(header, transform, coded, scratch.bytes(), out);
  }));
  return all;
}

// The same on a grid, in tiles and through the entropy coder.
template <class T>
std::vector<Outcome> grid_history_outcomes(const Kernels& kernels, bounded::Header header,
                                           const std::vector<T>& values, std::mt19937_64 random) {
  const auto bytes = std::as_bytes(std::span(values));
  std::vector<Bytes> before(1 + random() % most_references, Bytes(bytes.begin(), bytes.end()));
  for (Bytes& one : before) {
    for (std::size_t i = 0; i < one.size(); i += 1 + random() % 40) one[i] ^= std::byte(random());
  }
  const std::vector<std::span<const std::byte>> references(before.begin(), before.end());
  header.rows = {};
  header.grid = bounded::GridKind::in_time;
  const entropy::Scratch scratch(header.count, sizeof(T), {});
  std::vector<Outcome> all;
  const auto add = [&](auto encode, auto decode) {
    Bytes marks(bounded::left_out_size(header.count));
    all.push_back(
        outcome(8 * bytes.size() + 10000, [&](auto out) { return encode(std::span(marks), out); }));
    const Bytes body = all.back().bytes;
    const bounded::InTime in_time{references, marks};
    all.push_back(outcome(bytes.size(), [&](auto out) { return decode(in_time, body, out); }));
    all.push_back({Error::none, marks});
  };
  add(
      [&](auto marks, auto out) {
        return kernels.bounded_encode_in_time(header, references, marks, bytes, out);
      },
      [&](const auto& in_time, const auto& body, auto out) {
        return kernels.bounded_decode_in_time(header, in_time, body, out);
      });
  add(
      [&](auto marks, auto out) {
        return kernels.bounded_coded_encode_in_time(header, references, marks, bytes,
                                                    scratch.bytes(), out);
      },
      [&](const auto& in_time, const auto& body, auto out) {
        return kernels.bounded_coded_decode_in_time(header, in_time, body, scratch.bytes(), out);
      });
  return all;
}

// Of an encoding alone, with integers found in either precision.
bounded::Header with_given_grid(bounded::Header header, double step, std::mt19937_64& random) {
  header.grid = bounded::GridKind::given;
  header.terms = 1;
  header.step = step;
  header.origin = static_cast<float>(step) * static_cast<float>(random() % 100000);
  header.use.wide_encode = header.type == ElementType::float32 && random() % 2 == 0;
  header.use.limit = 1 << 20;
  header.use.fast_limit = random() % 2 == 0 ? 1 << 20 : 1 << 10;
  return header;
}

template <class T>
bool agree(const Kernels& kernels, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr bool single = sizeof(T) == 4;
  const double bound = std::exp2(static_cast<double>(random() % 40) - 20);
  const std::size_t count = random() % 4000;
  const bounded::Rows rows[] = {{0, 0}, {3, 1}, {16, 1}, {16, 3}, {100, 1}, {100, 3}, {1300, 3}};
  const std::uint32_t terms[] = {1, 2, 64, 5000};
  bounded::Header header;
  header.type = single ? ElementType::float32 : ElementType::float64;
  header.rows = rows[random() % 7];
  header.terms = terms[random() % 4];
  header.count = count;
  header.error_bound = bound;
  const auto shape = static_cast<Shape>(random() % static_cast<unsigned>(Shape::last));
  const auto a = make_data<T>(shape, count, bound, random());
  const auto b = make_data<T>(shape, count, bound, random());
  const Kernels& reference = *all_kernels().back();
  if (bounded_outcomes(kernels, header, a, b) != bounded_outcomes(reference, header, a, b)) {
    return false;
  }
  bounded::Header given = with_given_grid(header, static_cast<T>(bound), random);
  if (bounded_outcomes(kernels, given, a, b) != bounded_outcomes(reference, given, a, b)) {
    return false;
  }
  if (coded_outcomes(kernels, given, a) != coded_outcomes(reference, given, a)) return false;
  if (grid_history_outcomes(kernels, given, a, random) !=
      grid_history_outcomes(reference, given, a, random)) {
    return false;
  }
  given.components = static_cast<std::uint8_t>(2 + random() % 15);
  if (component_outcomes(kernels, given, a) != component_outcomes(reference, given, a)) {
    return false;
  }
  const std::uint8_t components = random() % 2 == 0 ? std::uint8_t{1} : given.components;
  const ElementType types[] = {ElementType::int8, ElementType::int16, header.type,
                               single ? ElementType::int32 : ElementType::int64};
  for (const ElementType type : types) {
    if (exact_outcomes(kernels, type, components, header.rows, a) !=
        exact_outcomes(reference, type, components, header.rows, a)) {
      return false;
    }
    const std::uint64_t before = random();
    std::mt19937_64 of_kernels(before);
    std::mt19937_64 of_reference(before);
    if (history_outcomes(kernels, type, components, a, of_kernels) !=
        history_outcomes(reference, type, components, a, of_reference)) {
      return false;
    }
  }
  return true;
}

Bytes read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(chars));
  return {bytes.begin(), bytes.end()};
}

// All in one file, each as large as the values.
std::vector<std::span<const std::byte>> cut_into(const Bytes& all, std::size_t size) {
  std::vector<std::span<const std::byte>> parts;
  for (std::size_t at = 0; at < all.size(); at += size) {
    parts.push_back(std::span(all).subspan(at, size));
  }
  return parts;
}

bool decodes_exact(const Kernels& kernels, std::span<const std::byte> bytes, const Bytes& before,
                   const Bytes& expected) {
  exact::Header header;
  if (exact::read_header(bytes, header) != Error::none) return false;
  if (header.method != exact::Method::tiles) return true;
  const std::span<const std::byte> body = bytes.subspan(exact::header_size);
  exact::Transform transform;
  const auto references = cut_into(before, expected.size());
  const std::size_t size =
      exact::read_transform(header.type, header.count, body, references, transform);
  Bytes values(expected.size());
  return size != 0 && kernels.exact_decode(header, transform, body.subspan(size), values).ok() &&
         values == expected;
}

bool decodes_in_time(const Kernels& kernels, const bounded::Header& header,
                     std::span<const std::byte> bytes, const Bytes& before, const Bytes& expected) {
  const auto references = cut_into(before, expected.size());
  const auto in_time = bounded::read_in_time(header.count, references, bytes);
  if (!in_time) return false;
  const auto body = bytes.subspan(bounded::in_time_size(header.count));
  const entropy::Scratch scratch(header.count, element_size(header.type), {});
  Bytes values(expected.size());
  const Result result =
      header.grid == bounded::GridKind::in_time
          ? kernels.bounded_decode_in_time(header, *in_time, body, values)
          : kernels.bounded_coded_decode_in_time(header, *in_time, body, scratch.bytes(), values);
  return result.ok() && values == expected;
}

bool decodes_golden(const Kernels& kernels, const std::filesystem::path& path) {
  const Bytes encoded = read(path);
  const Bytes expected = read(std::filesystem::path(path).replace_extension(".values"));
  const Bytes before = read(std::filesystem::path(path).replace_extension(".references"));
  Bytes values(expected.size());
  const std::span<const std::byte> bytes(encoded);
  if (path.filename().string().starts_with("bounded")) {
    bounded::Header header;
    if (bounded::read_header(bytes, header) != Error::none) return false;
    const auto body = bytes.subspan(bounded::header_size);
    if (bounded::is_in_time(header))
      return decodes_in_time(kernels, header, body, before, expected);
    if (header.grid == bounded::GridKind::coded) {
      const entropy::Scratch scratch(header.count, element_size(header.type), header.rows.apart());
      return kernels.bounded_coded_decode(header, body, scratch.bytes(), values).ok() &&
             values == expected;
    }
    if (header.grid == bounded::GridKind::none)
      return decodes_exact(kernels, body, before, expected);
    return kernels.bounded_decode(header, body, values).ok() && values == expected;
  }
  return decodes_exact(kernels, bytes, before, expected);
}

int check(const char* folder) {
  int golden = 0;
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    std::string wrong;
    for (std::uint64_t seed = 0; seed < 200 && wrong.empty(); ++seed) {
      if (!agree<float>(*kernels, seed) || !agree<double>(*kernels, seed)) {
        wrong = "seed " + std::to_string(seed);
      }
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".encoded") continue;
      ++golden;
      if (!decodes_golden(*kernels, entry.path())) wrong = entry.path().filename().string();
    }
    const std::string name(kernels->name);
    std::printf("%s: %s\n", name.c_str(), wrong.empty() ? "agrees" : wrong.c_str());
    if (!wrong.empty()) return 1;
  }
  return golden > 0 ? 0 : 1;
}

}  // namespace
}  // namespace tightwire::codec

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s GOLDEN-FOLDER\n", arguments[0]);
    return 2;
  }
  return tightwire::codec::check(arguments[1]);
}
