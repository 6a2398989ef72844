#include "mpi/image/places.h"

#include <algorithm>

#include "mpi/datatype/flatten_datatype.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

std::ptrdiff_t extent_of(MPI_Datatype datatype) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(datatype, &lower, &extent));
  return extent;
}

}  // namespace

void Places::add_blocks(int blocks, Counts counts, Counts displacements, MPI_Datatype datatype) {
  if (!counts.given() || !displacements.given() || datatype == MPI_DATATYPE_NULL) return;
  const std::ptrdiff_t extent = extent_of(datatype);
  for (int i = 0; i < blocks; ++i) add_at(displacements[i] * extent, counts[i], datatype);
}

void Places::add_blocks(int blocks, Counts counts, Counts displacements,
                        const MPI_Datatype* datatypes) {
  if (!counts.given() || !displacements.given() || datatypes == nullptr) return;
  for (int i = 0; i < blocks; ++i) add_at(displacements[i], counts[i], datatypes[i]);
}

void Places::add_sum(int blocks, Counts counts, MPI_Datatype datatype) {
  Count sum = 0;
  for (int i = 0; counts.given() && i < blocks; ++i) sum += counts[i];
  add(sum, datatype);
}

void Places::add_at(std::ptrdiff_t displacement, Count count, MPI_Datatype datatype) {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return;
  if (const auto type = predefined(datatype)) {
    return add_run(displacement, static_cast<std::size_t>(count) * type->item_size);
  }
  const auto item = layout_of(datatype);
  if (!item) return add_unknown(displacement, count, datatype);
  const StridedLayout all =
      item->repeated(static_cast<std::size_t>(count), extent_of(datatype)).moved(displacement);
  all.visit_runs([&](std::ptrdiff_t begin, std::size_t bytes) { add_run(begin, bytes); });
}

// From its first byte to its last.
void Places::add_unknown(std::ptrdiff_t displacement, Count count, MPI_Datatype datatype) {
  MPI_Aint lower = 0;
  MPI_Aint bytes = 0;
  check(PMPI_Type_get_true_extent(datatype, &lower, &bytes));
  const std::ptrdiff_t last = (count - 1) * extent_of(datatype);
  exact_ = false;
  add_run(displacement + lower + std::min<std::ptrdiff_t>(last, 0),
          static_cast<std::size_t>(bytes + (last < 0 ? -last : last)));
}

// With those before it where it goes on with them, or at their stride.
void Places::add_run(std::ptrdiff_t begin, std::size_t bytes) {
  if (bytes == 0) return;
  const std::ptrdiff_t run_end = begin + static_cast<std::ptrdiff_t>(bytes);
  lowest_ = rows_.empty() ? begin : std::min(lowest_, begin);
  end_ = rows_.empty() ? run_end : std::max(end_, run_end);
  if (!rows_.empty()) {
    Rows& last = rows_.back();
    if (last.rows == 1 && begin == last.begin + static_cast<std::ptrdiff_t>(last.bytes)) {
      last.bytes += bytes;
      return;
    }
    const std::ptrdiff_t from_first = begin - last.begin;
    const bool goes_on =
        last.bytes == bytes &&
        (last.rows == 1 || from_first == static_cast<std::ptrdiff_t>(last.rows) * last.stride);
    if (goes_on) {
      if (last.rows == 1) last.stride = from_first;
      ++last.rows;
      return;
    }
  }
  rows_.push_back({begin, bytes, 1, 0});
}

}  // namespace tightwire::mpi
