// Random datatypes, packed by their layouts (src/mpi/datatype/flatten_datatype.h) part by part, and
// by MPI.
//
//   datatypes --seed=N --count=N [--fault=byte|order]
//
// Makes types of types of types, by every constructor there is. For each that is understood,
// MPI_Pack must give what the layout's parts, cut at random, give one after another; and MPI_Unpack
// must leave memory as the layout does. Prints "types N understood N bytes N wrong N"; the first
// type that differs is named with its seed. Left out is what Open MPI 4.1 packs otherwise than its
// own extents say: structures with empty members, and blocks that go downwards without a gap. A
// fault spoils what the layout packed, so that the comparison itself can be tested.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "../semantics/random.h"
#include "constructors.h"
#include "mpi/datatype/flatten_datatype.h"

namespace {

using semantics::Random;
using tightwire::mpi::StridedLayout;

// Nothing larger is made.
constexpr std::size_t most_bytes = 200'000;
constexpr MPI_Count most_extent = 2'000'000;

// A datatype and how it came about.
struct Type {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  std::string making;
  bool derived = true;
};

void release(Type& type) {
  if (type.derived) MPI_Type_free(&type.handle);
}

struct Extent {
  MPI_Count lower = 0;
  MPI_Count span = 0;
};

Extent true_extent(MPI_Datatype type) {
  Extent extent;
  MPI_Type_get_true_extent_x(type, &extent.lower, &extent.span);
  return extent;
}

std::size_t size_of(MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return static_cast<std::size_t>(size);
}

// From one item to the next that does not touch it, in bytes and in extents.
MPI_Aint clear_stride(MPI_Datatype type) {
  return static_cast<MPI_Aint>(true_extent(type).span);
}

int clear_extents(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  if (extent <= 0) return 0;
  return static_cast<int>((clear_stride(type) + extent - 1) / extent);
}

// Items do not touch when they follow one another at the type's own extent.
bool repeats_clearly(MPI_Datatype type) {
  return clear_extents(type) == 1;
}

Type named(Random& random) {
  struct Named {
    MPI_Datatype handle;
    const char* name;
  };
  const Named names[] = {{MPI_DOUBLE, "double"},
                         {MPI_FLOAT, "float"},
                         {MPI_INT, "int"},
                         {MPI_CHAR, "char"},
                         {MPI_SHORT, "short"},
                         {MPI_BYTE, "byte"},
                         {MPI_LONG, "long"},
                         {MPI_DOUBLE_INT, "double_int"},
                         {MPI_SHORT_INT, "short_int"},
                         {MPI_C_DOUBLE_COMPLEX, "complex"}};
  // Not long double: MPICH leaves out the padding in it. Pairs with gaps, and what holds them, are
  // not understood: seldom.
  const Named& one = names[random.chance(95) ? random.below(7) : 7 + random.below(3)];
  return {one.handle, one.name, false};
}

// Places for blocks of the given lengths (in items) that do not touch, in units of `step` items or
// bytes; some out of order.
template <class Place>
std::vector<Place> places_of(Random& random, const std::vector<int>& lengths, Place step,
                             bool even) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random.chance(30)) std::reverse(order.begin(), order.end());
  if (random.chance(30)) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  std::vector<Place> places(lengths.size());
  Place next = static_cast<Place>(random.below(7)) - 3;
  const auto gap = static_cast<Place>(random.below(4));
  for (const std::size_t i : order) {
    places[i] = next;
    next +=
        static_cast<Place>(lengths[i]) * step + (even ? gap : static_cast<Place>(random.below(4)));
  }
  return places;
}

std::vector<int> lengths_of(Random& random) {
  std::vector<int> lengths(random.between(0, 7));
  for (int& length : lengths) length = static_cast<int>(random.below(4));
  return lengths;
}

Type make(Random& random, int depth);

Type make_subarray(Random& random, const Type& inner) {
  const int dimensions = static_cast<int>(random.between(1, 3));
  std::vector<int> sizes;
  std::vector<int> subsizes;
  std::vector<int> starts;
  for (int d = 0; d < dimensions; ++d) {
    sizes.push_back(static_cast<int>(random.between(1, 6)));
    subsizes.push_back(static_cast<int>(random.between(1, static_cast<std::size_t>(sizes.back()))));
    starts.push_back(static_cast<int>(
        random.below(static_cast<std::size_t>(sizes.back() - subsizes.back()) + 1)));
  }
  const bool fortran = random.chance(50);
  return {datatypes::subarray(random.chance(30), sizes, subsizes, starts,
                              fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, inner.handle),
          std::string(fortran ? "fortran" : "c") + " subarray(" + inner.making + ")"};
}

Type make_struct(Random& random, const Type& inner, int depth) {
  const Type other = make(random, depth - 1);
  Type both[] = {inner, other};
  std::vector<int> lengths;
  std::vector<MPI_Aint> places;
  std::vector<MPI_Datatype> types;
  MPI_Aint next = 0;
  for (std::size_t i = random.between(0, 5); i > 0; --i) {
    const MPI_Datatype type = both[random.below(2)].handle;
    if (size_of(type) == 0) continue;
    const auto [lower, span] = true_extent(type);
    lengths.push_back(repeats_clearly(type) ? static_cast<int>(random.between(1, 3)) : 1);
    types.push_back(type);
    places.push_back(next - static_cast<MPI_Aint>(lower));
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &bound, &extent);
    next += static_cast<MPI_Aint>(span) + extent * lengths.back() +
            static_cast<MPI_Aint>(random.below(2) * 8);
  }
  Type made{datatypes::structure(random.chance(30), lengths, places, types),
            "struct(" + inner.making + ", " + other.making + ")"};
  release(both[1]);
  return made;
}

// By one constructor. Where the inner type's items would touch at its own extent, only by those
// that take strides in bytes.
Type derive(Random& random, const Type& inner, int depth) {
  const auto count = static_cast<int>(random.below(6));
  const MPI_Aint clear = clear_stride(inner.handle);
  const bool repeats = repeats_clearly(inner.handle);
  const int length = repeats ? static_cast<int>(random.between(1, 4)) : 1;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(inner.handle, &lower, &extent);
  const bool wide = random.chance(30);
  const auto called = [&](const char* name, MPI_Datatype made) {
    return Type{made, std::string(name) + "(" + inner.making + ")"};
  };
  switch (repeats ? random.below(11) : random.below(4)) {
    case 0: {
      MPI_Aint stride = clear * length + static_cast<MPI_Aint>(random.below(3) * 4);
      if (repeats) stride = std::max(stride, extent * length);
      if (stride > clear * length && random.chance(25)) stride = -stride;
      return called("hvector", datatypes::hvector(wide, count, length, stride, inner.handle));
    }
    case 1: {
      const MPI_Aint bound = static_cast<MPI_Aint>(random.below(9)) - 4;
      const MPI_Aint room = clear + static_cast<MPI_Aint>(random.below(3) * 8);
      return called("resized", datatypes::resized(wide, bound, room, inner.handle));
    }
    case 2: {
      MPI_Datatype made = MPI_DATATYPE_NULL;
      MPI_Type_dup(inner.handle, &made);
      return called("dup", made);
    }
    case 3:
      return make_struct(random, inner, depth);
    case 4:
      return called("contiguous", datatypes::contiguous(wide, count, inner.handle));
    case 5: {
      int stride = length + static_cast<int>(random.below(3));
      if (stride > length && random.chance(25)) stride = -stride;
      return called("vector", datatypes::vector(wide, count, length, stride, inner.handle));
    }
    case 6:
      return make_subarray(random, inner);
    case 7: {
      const auto lengths = lengths_of(random);
      const auto places = places_of<int>(random, lengths, 1, false);
      return called("indexed", datatypes::indexed(wide, lengths, places, inner.handle));
    }
    case 8: {
      const auto lengths = lengths_of(random);
      const auto places = places_of<MPI_Aint>(random, lengths, extent, false);
      return called("hindexed", datatypes::hindexed(wide, lengths, places, inner.handle));
    }
    case 9: {
      const std::vector<int> lengths(random.below(8), length);
      const auto places = places_of<int>(random, lengths, 1, random.chance(40));
      return called("indexed_block", datatypes::indexed_block(wide, length, places, inner.handle));
    }
    default: {
      const std::vector<int> lengths(random.below(8), length);
      const auto places = places_of<MPI_Aint>(random, lengths, extent, random.chance(40));
      return called("hindexed_block",
                    datatypes::hindexed_block(wide, length, places, inner.handle));
    }
  }
}

Type make(Random& random, int depth) {
  if (depth == 0) return named(random);
  Type inner = make(random, depth - 1);
  if (size_of(inner.handle) == 0) return inner;
  Type made = derive(random, inner, depth);
  if (size_of(made.handle) > most_bytes || true_extent(made.handle).span > most_extent) {
    release(made);
    return inner;
  }
  release(inner);
  return made;
}

// Memory that holds `count` items, wherever from their address they lie.
class Memory {
 public:
  Memory(MPI_Datatype type, int count) {
    const auto [lower, span] = true_extent(type);
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &bound, &extent);
    const MPI_Aint others = extent * std::max(count - 1, 0);
    const MPI_Aint low = static_cast<MPI_Aint>(lower) + std::min<MPI_Aint>(others, 0);
    const MPI_Aint size = static_cast<MPI_Aint>(span) + std::abs(others);
    bytes_.resize(static_cast<std::size_t>(size) + 1, 0xEE);
    start_ = -low;
  }
  [[nodiscard]] void* address() { return bytes_.data() + start_; }
  std::vector<unsigned char>& bytes() { return bytes_; }

 private:
  std::vector<unsigned char> bytes_;
  MPI_Aint start_ = 0;
};

struct Totals {
  std::size_t types = 0;
  std::size_t understood = 0;
  std::size_t bytes = 0;
  std::size_t wrong = 0;
};

class Checker {
 public:
  explicit Checker(std::string fault) : fault_(std::move(fault)) {}
  [[nodiscard]] const Totals& totals() const { return totals_; }

  void check(std::uint64_t seed) {
    Random random(seed);
    Type type = make(random, static_cast<int>(random.between(1, 5)));
    MPI_Type_commit(&type.handle);
    ++totals_.types;
    if (const auto layout = tightwire::mpi::layout_of(type.handle)) {
      ++totals_.understood;
      const int count = repeats_clearly(type.handle) ? static_cast<int>(random.below(4)) : 1;
      MPI_Aint lower = 0;
      MPI_Aint extent = 0;
      MPI_Type_get_extent(type.handle, &lower, &extent);
      const StridedLayout all = layout->repeated(static_cast<std::size_t>(count), extent);
      if (!compare(random, type.handle, count, all)) {
        if (totals_.wrong++ == 0) {
          std::printf("seed %llu: %d of %s\n", static_cast<unsigned long long>(seed), count,
                      type.making.c_str());
        }
      }
    }
    release(type);
  }

 private:
  bool compare(Random& random, MPI_Datatype type, int count, const StridedLayout& layout) {
    const std::size_t size = size_of(type) * static_cast<std::size_t>(count);
    if (layout.size() != size) return false;
    totals_.bytes += size;
    Memory from(type, count);
    for (unsigned char& byte : from.bytes()) byte = static_cast<unsigned char>(random.next());
    std::vector<std::byte> expected(size + 1);
    int position = 0;
    MPI_Pack(from.address(), count, type, expected.data(), static_cast<int>(expected.size()),
             &position, MPI_COMM_SELF);
    expected.resize(size);
    Memory by_mpi(type, count);
    position = 0;
    MPI_Unpack(expected.data(), static_cast<int>(size), &position, by_mpi.address(), count, type,
               MPI_COMM_SELF);

    Memory by_layout(type, count);
    std::vector<std::byte> packed(size);
    std::vector<std::size_t> ends{size};
    for (std::size_t i = random.below(6); i > 0; --i) ends.push_back(random.below(size + 1));
    std::sort(ends.begin(), ends.end());
    std::size_t begin = 0;
    std::vector<std::span<std::byte>> parts;
    for (const std::size_t end : ends) {
      parts.push_back(std::span(packed).subspan(begin, end - begin));
      layout.pack(from.address(), begin, parts.back());
      begin = end;
    }
    spoil(packed);
    // Parts come in any order.
    std::reverse(parts.begin(), parts.end());
    for (const auto part : parts) {
      layout.unpack(part, static_cast<std::size_t>(part.data() - packed.data()),
                    by_layout.address());
    }
    return packed == expected && by_layout.bytes() == by_mpi.bytes();
  }

  void spoil(std::vector<std::byte>& packed) const {
    if (packed.size() < 2) return;
    if (fault_ == "byte") packed.back() ^= std::byte{1};
    if (fault_ == "order") std::swap(packed.front(), packed.back());
  }

  std::string fault_;
  Totals totals_;
};

std::string option(int argc, char** argv, const std::string& name, const char* otherwise) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind(name + "=", 0) == 0) return word.substr(name.size() + 1);
  }
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::uint64_t seed = std::stoull(option(argc, argv, "--seed", "1"));
  const std::uint64_t count = std::stoull(option(argc, argv, "--count", "1000"));
  Checker checker(option(argc, argv, "--fault", ""));
  for (std::uint64_t i = 0; i < count; ++i) checker.check(seed + i);
  const Totals& totals = checker.totals();
  std::printf("types %zu understood %zu bytes %zu wrong %zu\n", totals.types, totals.understood,
              totals.bytes, totals.wrong);
  MPI_Finalize();
  return totals.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
