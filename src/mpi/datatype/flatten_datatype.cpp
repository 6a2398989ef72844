#include "mpi/datatype/flatten_datatype.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "mpi/datatype/datatype_contents.h"
#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

// Beyond these MPI's own packing is as good.
constexpr std::size_t most_parts = std::size_t{1} << 20;
constexpr std::size_t most_depth = 64;

using Integers = std::span<const MPI_Count>;

std::size_t size_of(MPI_Datatype datatype) {
  MPI_Count size = 0;
  check(PMPI_Type_size_x(datatype, &size));
  return static_cast<std::size_t>(std::max<MPI_Count>(size, 0));
}

std::ptrdiff_t extent_of(MPI_Datatype datatype) {
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  check(PMPI_Type_get_extent_x(datatype, &lower, &extent));
  return static_cast<std::ptrdiff_t>(extent);
}

// One of MPI's own, unless there is a gap in it.
std::optional<StridedLayout> layout_of_named(MPI_Datatype datatype) {
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  check(PMPI_Type_get_true_extent_x(datatype, &lower, &extent));
  const std::size_t size = size_of(datatype);
  if (static_cast<std::size_t>(extent) != size) return std::nullopt;
  return StridedLayout::run(size).moved(static_cast<std::ptrdiff_t>(lower));
}

// What a derived type repeats.
struct Item {
  StridedLayout layout;
  std::ptrdiff_t extent;

  [[nodiscard]] StridedLayout repeated(MPI_Count length) const {
    return layout.repeated(static_cast<std::size_t>(length), extent);
  }
};

StridedLayout of_vector(const Item& item, Integers numbers, std::ptrdiff_t stride_unit) {
  return item.repeated(numbers[1])
      .repeated(static_cast<std::size_t>(numbers[0]), numbers[2] * stride_unit);
}

// `lengths` of each block, or one for all.
StridedLayout of_blocks(const Item& item, Integers lengths, Integers places,
                        std::ptrdiff_t place_unit) {
  std::vector<StridedLayout> blocks;
  blocks.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const MPI_Count length = lengths[lengths.size() == 1 ? 0 : i];
    blocks.push_back(item.repeated(length).moved(places[i] * place_unit));
  }
  return StridedLayout::sequence(std::move(blocks));
}

StridedLayout of_subarray(const Item& item, const DatatypeContents& contents) {
  const Integers numbers = contents.numbers();
  const auto dimensions = static_cast<std::size_t>(numbers[0]);
  const Integers boxes = numbers.subspan(contents.wide() ? 2 : 1, 3 * dimensions);
  const MPI_Count order = contents.wide() ? numbers[1] : numbers.back();
  const Integers sizes = boxes.first(dimensions);
  const Integers subsizes = boxes.subspan(dimensions, dimensions);
  const Integers starts = boxes.last(dimensions);
  StridedLayout layout = item.layout;
  std::ptrdiff_t stride = item.extent;
  std::ptrdiff_t begin = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t d = order == MPI_ORDER_FORTRAN ? i : dimensions - 1 - i;
    layout = layout.repeated(static_cast<std::size_t>(subsizes[d]), stride);
    begin += starts[d] * stride;
    stride *= sizes[d];
  }
  return layout.moved(begin);
}

std::optional<StridedLayout> read(MPI_Datatype datatype, std::size_t depth);

std::optional<Item> read_item(MPI_Datatype datatype, std::size_t depth) {
  const auto layout = read(datatype, depth);
  if (!layout) return std::nullopt;
  return Item{*layout, extent_of(datatype)};
}

std::optional<StridedLayout> read_struct(const DatatypeContents& contents, std::size_t depth) {
  const Integers numbers = contents.numbers();
  const std::size_t blocks = contents.types().size();
  std::vector<StridedLayout> parts;
  for (std::size_t i = 0; i < blocks; ++i) {
    const auto item = read_item(contents.types()[i], depth);
    if (!item) return std::nullopt;
    parts.push_back(
        item->repeated(numbers[1 + i]).moved(static_cast<std::ptrdiff_t>(numbers[1 + blocks + i])));
  }
  return StridedLayout::sequence(std::move(parts));
}

// Where the numbers stand: MPI 4.0, section 5.1.13.
std::optional<StridedLayout> read(MPI_Datatype datatype, std::size_t depth) {
  if (depth == most_depth) return std::nullopt;
  const DatatypeContents contents(datatype);
  const Integers numbers = contents.numbers();
  if (numbers.size() > 2 * most_parts) return std::nullopt;
  switch (contents.combiner()) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
      return layout_of_named(datatype);
    case MPI_COMBINER_STRUCT:
      return read_struct(contents, depth + 1);
    default:
      break;
  }
  if (contents.types().size() != 1) return std::nullopt;
  const auto item = read_item(contents.types().front(), depth + 1);
  if (!item) return std::nullopt;
  const auto blocks = [&] { return static_cast<std::size_t>(numbers[0]); };
  switch (contents.combiner()) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      return item->layout;
    case MPI_COMBINER_CONTIGUOUS:
      return item->repeated(numbers[0]);
    case MPI_COMBINER_VECTOR:
      return of_vector(*item, numbers, item->extent);
    case MPI_COMBINER_HVECTOR:
      return of_vector(*item, numbers, 1);
    case MPI_COMBINER_INDEXED:
      return of_blocks(*item, numbers.subspan(1, blocks()), numbers.last(blocks()), item->extent);
    case MPI_COMBINER_HINDEXED:
      return of_blocks(*item, numbers.subspan(1, blocks()), numbers.last(blocks()), 1);
    case MPI_COMBINER_INDEXED_BLOCK:
      return of_blocks(*item, numbers.subspan(1, 1), numbers.last(blocks()), item->extent);
    case MPI_COMBINER_HINDEXED_BLOCK:
      return of_blocks(*item, numbers.subspan(1, 1), numbers.last(blocks()), 1);
    case MPI_COMBINER_SUBARRAY:
      return of_subarray(*item, contents);
    default:
      return std::nullopt;
  }
}

}  // namespace

namespace {

// Open MPI 4.1 has a view of its own on some types of single bytes at negative strides.
bool lies_as_mpi_says(const StridedLayout& layout, MPI_Datatype datatype) {
  MPI_Count lowest = 0;
  MPI_Count extent = 0;
  check(PMPI_Type_get_true_extent_x(datatype, &lowest, &extent));
  return layout.size() == 0 || (layout.lowest() == lowest && layout.end() == lowest + extent);
}

}  // namespace

std::optional<StridedLayout> layout_of(MPI_Datatype datatype) {
  const auto layout = read(datatype, 0);
  const bool usable = layout && layout->size() == size_of(datatype) &&
                      lies_as_mpi_says(*layout, datatype) && layout->parts() <= most_parts &&
                      layout->depth() <= most_depth;
  return usable ? layout : std::nullopt;
}

}  // namespace tightwire::mpi
