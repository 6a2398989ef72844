#include "mpi/device/driver.h"

#include <array>

#include "mpi/device/driver/table.h"

namespace tightwire::mpi::driver {
namespace {

constexpr unsigned on_host = 1;           // CU_MEMORYTYPE_HOST
constexpr unsigned on_device = 2;         // CU_MEMORYTYPE_DEVICE
constexpr unsigned for_all_contexts = 1;  // CU_MEMHOSTALLOC_PORTABLE
constexpr std::size_t largest_pitch = 0x7FFFFFFF;

// CUpointer_attribute, in the order of Answers.
constexpr std::array<int, 4> attributes = {
    1,  // CONTEXT
    2,  // MEMORY_TYPE
    8,  // IS_MANAGED
    9,  // DEVICE_ORDINAL
};
struct Answers {
  Context context = nullptr;
  unsigned type = 0;
  unsigned managed = 0;
  int device = 0;
};

}  // namespace

bool is_loaded() {
  return table() != nullptr;
}

Place place_of(const void* address) {
  const Table* const driver = table();
  if (driver == nullptr || driver->attributes == nullptr) return {};
  Answers answers;
  std::array<void*, attributes.size()> at = {&answers.context, &answers.type, &answers.managed,
                                             &answers.device};
  // Of what is the host's alone it knows nothing, and says so by zeros.
  const int code = driver->attributes(attributes.size(), attributes.data(), at.data(),
                                      reinterpret_cast<DevicePointer>(address));
  if (code != 0) return {};
  return {.on_device = answers.type == on_device && answers.managed == 0,
          .context = answers.context,
          .device = answers.device};
}

Copies::Copies(const Place& place) {
  try {
    open(place);
    check(table()->wait(nullptr), "waiting for its default stream");
  } catch (...) {
    close();
    throw;
  }
}

Copies::Copies(const Place& place, Unordered /*tag*/) {
  try {
    open(place);
  } catch (...) {
    close();
    throw;
  }
}

Copies::~Copies() {
  close();
}

// The thread may have made no context its own: the memory's is taken.
void Copies::open(const Place& place) {
  if (table() == nullptr || !table()->can_copy()) check(no_function, "looking for its copies");
  if (Context const context = context_of(place)) {
    check(table()->push(context), "entering the memory's context");
    pushed_ = true;
    context_ = context;
  }
  if (context_ != nullptr) stream_ = idle_streams().take(context_);
  if (stream_ == nullptr) {
    check(table()->make_stream(&stream_, stream_of_its_own), "making a stream");
  }
}

void Copies::close() noexcept {
  const bool kept =
      context_ != nullptr && stream_ != nullptr && idle_streams().keep(context_, stream_);
  if (stream_ != nullptr && !kept) table()->free_stream(stream_);
  Context context = nullptr;
  if (pushed_) table()->pop(&context);
}

namespace {

bool is_plane(const Rows& rows) {
  return rows.rows > 1 && rows.stride > 0 && static_cast<std::size_t>(rows.stride) >= rows.bytes &&
         static_cast<std::size_t>(rows.stride) <= largest_pitch && table()->copy_2d != nullptr;
}

Copy2d plane(const Rows& rows, bool to_host) {
  Copy2d copy;
  Copy2d::Side& host = to_host ? copy.to : copy.from;
  Copy2d::Side& device = to_host ? copy.from : copy.to;
  host.type = on_host;
  host.host = rows.host;
  device.type = on_device;
  device.device = reinterpret_cast<DevicePointer>(rows.device);
  host.pitch = device.pitch = static_cast<std::size_t>(rows.stride);
  copy.width = rows.bytes;
  copy.height = rows.rows;
  return copy;
}

// At once where the driver can, else copy_row(device, host) for each row.
template <class CopyRow>
void copy(const Rows& rows, bool to_host, Stream stream, CopyRow copy_row) {
  const char* const doing = to_host ? "copying to the host" : "copying to the device";
  if (is_plane(rows)) {
    const Copy2d all = plane(rows, to_host);
    return check(table()->copy_2d(&all, stream), doing);
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::ptrdiff_t by = static_cast<std::ptrdiff_t>(i) * rows.stride;
    check(copy_row(reinterpret_cast<DevicePointer>(rows.device + by), rows.host + by), doing);
  }
}

}  // namespace

void Copies::to_host(const Rows& rows) {
  copy(rows, true, stream_, [&](DevicePointer device, std::byte* host) {
    return table()->to_host(host, device, rows.bytes, stream_);
  });
}

void Copies::to_device(const Rows& rows) {
  copy(rows, false, stream_, [&](DevicePointer device, std::byte* host) {
    return table()->to_device(device, host, rows.bytes, stream_);
  });
}

void Copies::wait() {
  check(table()->wait(stream_), "waiting for copies");
}

void* allocate_pinned(const Place& place, std::size_t bytes) noexcept try {
  const Table* const driver = table();
  if (driver == nullptr || driver->allocate == nullptr || driver->free == nullptr) return nullptr;
  Context context = context_of(place);
  if (context != nullptr && driver->push(context) != 0) return nullptr;
  void* memory = nullptr;
  const int code = driver->allocate(&memory, bytes, for_all_contexts);
  if (context != nullptr) driver->pop(&context);
  return code == 0 ? memory : nullptr;
} catch (const Error&) {
  return nullptr;
}

void free_pinned(void* memory) noexcept {
  if (const Table* const driver = table()) driver->free(memory);
}

}  // namespace tightwire::mpi::driver
