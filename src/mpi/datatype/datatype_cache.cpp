#include "mpi/datatype/datatype_cache.h"

#include <cstdint>
#include <mutex>
#include <new>

#include "mpi/communicator/private/copy.h"
#include "mpi/datatype/datatype_contents.h"
#include "mpi/datatype/element_type.h"
#include "mpi/datatype/flatten_datatype.h"
#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

using Facts = std::shared_ptr<const CachedDatatype>;

int key = MPI_KEYVAL_INVALID;

// Two threads may use a type at once. One that frees it while another uses it is in error.
std::mutex& mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

int duplicate(MPI_Datatype /*old*/, int /*key*/, void* /*extra*/, void* value, void* copy,
              int* flag) {
  auto* const facts = new (std::nothrow) Facts(*static_cast<const Facts*>(value));
  *static_cast<void**>(copy) = facts;
  *flag = facts != nullptr ? 1 : 0;
  return MPI_SUCCESS;
}

int forget(MPI_Datatype /*datatype*/, int /*key*/, void* value, void* /*extra*/) {
  delete static_cast<const Facts*>(value);
  return MPI_SUCCESS;
}

Facts find_out(MPI_Datatype datatype) {
  auto facts = std::make_shared<CachedDatatype>();
  facts->element = element_of(datatype);
  facts->item = layout_of(datatype);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(datatype, &lower, &extent));
  facts->extent = extent;
  return facts;
}

}  // namespace

bool is_committed(MPI_Datatype datatype) {
  std::byte nothing{};
  int position = 0;
  return PMPI_Pack(&nothing, 0, datatype, &nothing, 1, &position, self().comm) == MPI_SUCCESS;
}

void open_datatype_cache() {
  check(PMPI_Type_create_keyval(&duplicate, &forget, &key, nullptr));
}

// MPI keeps what is needed for the types that still have facts.
void close_datatype_cache() {
  PMPI_Type_free_keyval(&key);
}

Facts cached_datatype(MPI_Datatype datatype) {
  const std::scoped_lock lock(mutex());
  void* kept = nullptr;
  int found = 0;
  check(PMPI_Type_get_attr(datatype, key, static_cast<void*>(&kept), &found));
  if (found != 0) return *static_cast<const Facts*>(kept);
  if (!is_committed(datatype)) return std::make_shared<CachedDatatype>();
  Facts facts = find_out(datatype);
  // MPI's own types are left as they are.
  if (DatatypeContents(datatype).types().empty()) return facts;
  auto holder = std::make_unique<Facts>(facts);
  check(PMPI_Type_set_attr(datatype, key, holder.get()));
  static_cast<void>(holder.release());
  return facts;
}

std::optional<PredefinedType> element_of_message(MPI_Datatype datatype) {
  const auto known = predefined(datatype);
  return known ? known : cached_datatype(datatype)->element;
}

std::optional<StridedLayout> layout_of(const Buffer& buffer) {
  const Facts facts = cached_datatype(buffer.datatype);
  if (!facts->item || buffer.count < 0) return std::nullopt;
  return facts->item->repeated(static_cast<std::size_t>(buffer.count), facts->extent);
}

std::optional<std::span<std::byte>> contiguous_memory_of(const StridedLayout& layout,
                                                         const Buffer& buffer) {
  const auto begin = layout.single_run();
  if (!begin) return std::nullopt;
  const std::uintptr_t place =
      reinterpret_cast<std::uintptr_t>(buffer.host()) + static_cast<std::uintptr_t>(*begin);
  // From MPI_BOTTOM it is no offset within an object. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return std::span(reinterpret_cast<std::byte*>(place), layout.size());
}

}  // namespace tightwire::mpi
