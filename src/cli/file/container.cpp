#include "cli/file/container.h"

#include <xxhash.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "cli/file/refusal.h"

namespace tightwire::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "the header is written as in memory");

constexpr std::array<unsigned char, 8> magic{0x89, 'T', 'W', 'F', '\r', '\n', 0x1a, '\n'};
constexpr std::uint8_t version = 1;

struct Header {
  std::array<unsigned char, 8> magic;
  std::uint8_t version;
  std::uint8_t codec;
  std::uint8_t type;
  std::array<std::uint8_t, 5> reserved;
  std::uint64_t count;
  double error_bound;
  std::uint64_t encoding_size;
  std::uint64_t encoding_hash;
  std::uint64_t header_hash;
};
static_assert(sizeof(Header) == container_header_size);

std::uint64_t hash_of(const Header& header) {
  return XXH3_64bits(&header, offsetof(Header, header_hash));
}

[[noreturn]] void refuse_file(const std::string& path, const std::string& reason) {
  throw Refusal(path + ": " + reason);
}

}  // namespace

std::vector<std::byte> container_header(const Contents& contents) {
  Header header{};
  header.magic = magic;
  header.version = version;
  header.codec = static_cast<std::uint8_t>(contents.codec);
  header.type = static_cast<std::uint8_t>(contents.type);
  header.count = contents.count;
  header.error_bound = contents.error_bound;
  header.encoding_size = contents.encoding.size();
  header.encoding_hash = XXH3_64bits(contents.encoding.data(), contents.encoding.size());
  header.header_hash = hash_of(header);
  std::vector<std::byte> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

bool is_container(std::span<const std::byte> file) {
  return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

Contents read_container(std::span<const std::byte> file, const std::string& path) {
  if (!is_container(file)) {
    refuse_file(path, "is not a file that tightwire compress has written");
  }
  Header header;
  if (file.size() < sizeof header) refuse_file(path, "is cut off inside its header");
  std::memcpy(&header, file.data(), sizeof header);
  if (header.version != version) {
    refuse_file(path, "has version " + std::to_string(header.version) +
                          "; this tightwire reads version " + std::to_string(version));
  }
  if (header.header_hash != hash_of(header)) {
    refuse_file(path, "its header is damaged (the checksum differs)");
  }
  const auto encoding = file.subspan(sizeof header);
  if (encoding.size() != header.encoding_size) {
    refuse_file(path, encoding.size() < header.encoding_size
                          ? "is cut off: " + std::to_string(header.encoding_size) +
                                " bytes of data announced, " + std::to_string(encoding.size()) +
                                " there"
                          : "has bytes behind its end");
  }
  if (header.encoding_hash != XXH3_64bits(encoding.data(), encoding.size())) {
    refuse_file(path, "its data is damaged (the checksum differs)");
  }
  const Contents contents{static_cast<codec::Id>(header.codec),
                          static_cast<codec::ElementType>(header.type), header.count,
                          header.error_bound, encoding};
  const codec::Codec* const codec = codec::find(contents.codec);
  if (codec == nullptr) {
    refuse_file(path, "needs codec number " + std::to_string(header.codec) +
                          ", which this tightwire does not have");
  }
  const std::size_t element = element_size(contents.type);
  const bool reserved = header.reserved != decltype(header.reserved){};
  if (reserved || element == 0 || !codec->supports(contents.type) ||
      header.count > std::numeric_limits<std::ptrdiff_t>::max() / element ||
      !(header.error_bound >= 0) || !std::isfinite(header.error_bound)) {
    refuse_file(path, "its header makes no sense, though its checksum is right");
  }
  return contents;
}

std::vector<std::byte> expand(const Contents& contents, const std::string& path) {
  // More than any machine has for one file; not every allocator says so by an exception.
  constexpr std::size_t most_bytes = std::size_t{1} << 39;
  const std::size_t bytes = contents.count * element_size(contents.type);
  std::vector<std::byte> values;
  try {
    if (bytes > most_bytes) throw std::bad_alloc();
    values.resize(bytes);
  } catch (const std::bad_alloc&) {
    refuse_file(path, "there is no memory for its " + std::to_string(contents.count) + " values");
  }
  const codec::Result result =
      codec::find(contents.codec)->decode(contents.type, contents.encoding, values);
  if (!result.ok()) refuse_file(path, std::string(describe(result.error)));
  return values;
}

}  // namespace tightwire::cli
