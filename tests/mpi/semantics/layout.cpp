#include "layout.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "random.h"

namespace semantics {
namespace {

constexpr std::size_t most_runs = 512;

MPI_Datatype named_type(Base base) {
  switch (base) {
    case Base::bytes:
      return MPI_BYTE;
    case Base::int32:
      return MPI_INT;
    case Base::float32:
      return MPI_FLOAT;
    case Base::float64:
      return MPI_DOUBLE;
    case Base::record:
      break;
  }
  return MPI_DATATYPE_NULL;
}

// A block length that divides the count and leaves not too many blocks; the count if there is none.
std::size_t block_length(std::size_t count, Random& random) {
  std::vector<std::size_t> fitting{count};
  for (const std::size_t length : {1, 2, 3, 4, 7, 16, 64, 1000, 4096}) {
    if (length < count && count % length == 0 && count / length <= most_runs) {
      fitting.push_back(length);
    }
  }
  return random.of(fitting);
}

}  // namespace

std::size_t size_of(Base base) {
  switch (base) {
    case Base::bytes:
      return 1;
    case Base::int32:
    case Base::float32:
      return 4;
    case Base::float64:
      return 8;
    case Base::record:
      break;
  }
  return 12;
}

Layout::Layout(const Signature& signature, const Placement& placement)
    : signature_(signature), shape_(signature.count == 0 ? Shape::basic : placement.shape) {
  choose_element(placement.seed);
  choose_runs(placement);
  for (const Run& run : runs_) span_ = std::max(span_, run.offset + run.elements * extent_);
  absolute_ = shape_ == Shape::absolute;
}

Layout::~Layout() {
  if (type_ != MPI_DATATYPE_NULL && type_ != named_type(signature_.base)) MPI_Type_free(&type_);
}

// Records lie aligned, tight, or with the int first and a gap.
void Layout::choose_element(std::uint64_t seed) {
  extent_ = size_of(signature_.base);
  parts_ = {{0, extent_}};
  if (signature_.base != Base::record) return;
  constexpr Part variants[][2] = {{{0, 8}, {8, 4}}, {{0, 8}, {8, 4}}, {{8, 8}, {0, 4}}};
  constexpr std::size_t extents[] = {16, 12, 24};
  const std::size_t variant = Random(~seed).below(std::size(extents));
  parts_.assign(std::begin(variants[variant]), std::end(variants[variant]));
  extent_ = extents[variant];
}

void Layout::choose_runs(const Placement& placement) {
  switch (shape_) {
    case Shape::basic:
      runs_ = {{0, signature_.count}};
      count_ = static_cast<int>(signature_.count);
      return;
    case Shape::contiguous: {
      Random random(placement.seed);
      runs_ = {{0, signature_.count}};
      count_ = static_cast<int>(signature_.count / block_length(signature_.count, random));
      return;
    }
    case Shape::vector:
    case Shape::strided:
      strided_runs(placement);
      return;
    case Shape::blocks:
    case Shape::shuffled:
    case Shape::absolute:
      uneven_runs(placement);
      return;
  }
}

void Layout::strided_runs(const Placement& placement) {
  Random random(placement.seed);
  const std::size_t length = block_length(signature_.count, random);
  const std::size_t blocks = signature_.count / length;
  stride_ = (length + random.below(length + 2)) * extent_;
  for (std::size_t i = 0; i < blocks; ++i) runs_.push_back({i * stride_, length});
  count_ = shape_ == Shape::strided ? static_cast<int>(blocks) : 1;
}

void Layout::uneven_runs(const Placement& placement) {
  Random random(placement.seed);
  std::size_t left = signature_.count;
  const std::size_t pieces = random.between(1, 12);
  for (std::size_t i = 1; left > 0; ++i) {
    const std::size_t length = i < pieces ? std::max<std::size_t>(1, random.below(left + 1)) : left;
    runs_.push_back({0, length});
    left -= length;
  }
  std::vector<std::size_t> order(runs_.size());
  std::iota(order.begin(), order.end(), 0);
  if (shape_ != Shape::blocks) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  std::size_t offset = 0;
  for (const std::size_t run : order) {
    runs_[run].offset = offset;
    offset += (runs_[run].elements + random.below(5)) * extent_;
  }
}

MPI_Datatype Layout::type(void* start) {
  if (type_ != MPI_DATATYPE_NULL) return type_;
  MPI_Datatype element = make_element();
  type_ = make_type(element, static_cast<const std::byte*>(start));
  if (type_ != named_type(signature_.base)) MPI_Type_commit(&type_);
  if (element != type_ && signature_.base == Base::record) MPI_Type_free(&element);
  return type_;
}

MPI_Datatype Layout::make_element() const {
  if (signature_.base != Base::record) return named_type(signature_.base);
  const int lengths[] = {1, 1};
  const MPI_Aint offsets[] = {static_cast<MPI_Aint>(parts_[0].offset),
                              static_cast<MPI_Aint>(parts_[1].offset)};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype record = MPI_DATATYPE_NULL;
  MPI_Datatype spaced = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, offsets, types, &record);
  MPI_Type_create_resized(record, 0, static_cast<MPI_Aint>(extent_), &spaced);
  MPI_Type_free(&record);
  return spaced;
}

MPI_Datatype Layout::make_type(MPI_Datatype element, const std::byte* start) const {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  switch (shape_) {
    case Shape::basic:
      return element;
    case Shape::contiguous:
      MPI_Type_contiguous(static_cast<int>(signature_.count) / count_, element, &made);
      return made;
    case Shape::vector:
      MPI_Type_create_hvector(static_cast<int>(runs_.size()), static_cast<int>(runs_[0].elements),
                              static_cast<MPI_Aint>(stride_), element, &made);
      return made;
    case Shape::strided: {
      MPI_Datatype block = MPI_DATATYPE_NULL;
      MPI_Type_contiguous(static_cast<int>(runs_[0].elements), element, &block);
      MPI_Type_create_resized(block, 0, static_cast<MPI_Aint>(stride_), &made);
      MPI_Type_free(&block);
      return made;
    }
    case Shape::blocks:
    case Shape::shuffled:
    case Shape::absolute: {
      MPI_Aint base = 0;
      if (absolute_) MPI_Get_address(start, &base);
      std::vector<int> lengths;
      std::vector<MPI_Aint> offsets;
      for (const Run& run : runs_) {
        lengths.push_back(static_cast<int>(run.elements));
        offsets.push_back(base + static_cast<MPI_Aint>(run.offset));
      }
      MPI_Type_create_hindexed(static_cast<int>(runs_.size()), lengths.data(), offsets.data(),
                               element, &made);
      return made;
    }
  }
  return made;
}

template <class F>
void Layout::each_piece(std::size_t bytes, const F& place) const {
  const std::size_t size = size_of(signature_.base);
  const bool dense = parts_.size() == 1;
  std::size_t packed = 0;
  for (const Run& run : runs_) {
    const std::size_t elements = std::min(run.elements, (bytes - packed) / size);
    if (dense) {
      place(packed, run.offset, elements * size);
      packed += elements * size;
      continue;
    }
    for (std::size_t i = 0; i < elements; ++i) {
      for (const Part& part : parts_) {
        place(packed, run.offset + i * extent_ + part.offset, part.size);
        packed += part.size;
      }
    }
  }
}

void Layout::scatter(std::span<const std::byte> packed, std::byte* start) const {
  each_piece(packed.size(), [&](std::size_t from, std::size_t to, std::size_t size) {
    if (size > 0) std::memcpy(start + to, packed.data() + from, size);
  });
}

void Layout::gather(const std::byte* start, std::span<std::byte> packed) const {
  each_piece(packed.size(), [&](std::size_t to, std::size_t from, std::size_t size) {
    if (size > 0) std::memcpy(packed.data() + to, start + from, size);
  });
}

}  // namespace semantics
