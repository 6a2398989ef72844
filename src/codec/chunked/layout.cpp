#include "codec/chunked/layout.h"

#include <bit>
#include <cstring>
#include <limits>

namespace tightwire::codec::chunked {
namespace {

static_assert(std::endian::native == std::endian::little, "the stream is little endian");

constexpr char magic[3] = {'T', 'W', 'C'};

struct Fields {
  char magic[3];
  std::uint8_t version;
  std::uint8_t codec;
  std::uint8_t type;
  std::uint16_t reserved;
  std::uint64_t count;
  std::uint64_t values_per_chunk;
};
static_assert(sizeof(Fields) == header_size);

}  // namespace

void write_header(const Header& header, std::byte* out) {
  Fields fields{};
  std::memcpy(fields.magic, magic, sizeof magic);
  fields.version = format_version;
  fields.codec = static_cast<std::uint8_t>(header.codec);
  fields.type = static_cast<std::uint8_t>(header.type);
  fields.count = header.cut.count;
  fields.values_per_chunk = header.cut.values_per_chunk;
  std::memcpy(out, &fields, sizeof fields);
}

Error read_header(std::span<const std::byte> encoded, Header& header) {
  if (encoded.size() < header_size) return Error::damaged;
  Fields fields;
  std::memcpy(&fields, encoded.data(), sizeof fields);
  if (std::memcmp(fields.magic, magic, sizeof magic) != 0) return Error::damaged;
  if (fields.version != format_version) return Error::other_version;
  if (fields.reserved != 0) return Error::damaged;
  header.codec = static_cast<Id>(fields.codec);
  header.type = static_cast<ElementType>(fields.type);
  header.cut = {fields.count, fields.values_per_chunk};
  const std::size_t size = element_size(header.type);
  if (size == 0 || header.cut.values_per_chunk == 0) return Error::damaged;
  if (header.cut.count > std::numeric_limits<std::size_t>::max() / size) return Error::damaged;
  if (header.cut.chunks() > (encoded.size() - header_size) / index_entry_size) {
    return Error::damaged;
  }
  return Error::none;
}

void write_end(std::byte* stream, std::uint64_t chunk, std::uint64_t end) {
  std::memcpy(stream + header_size + chunk * index_entry_size, &end, sizeof end);
}

std::uint64_t read_end(const std::byte* stream, std::uint64_t chunk) {
  std::uint64_t end;
  std::memcpy(&end, stream + header_size + chunk * index_entry_size, sizeof end);
  return end;
}

}  // namespace tightwire::codec::chunked
