// Any bytes as the header of a round of partitioned communication; what is accepted must cut the
// values into chunks that cover them, see p2p/partitioned/partitioned_receive.cpp.
#include "wire/round_header.h"

#include <xxhash.h>

#include "input.h"
#include "mpi/byte_parts.h"
#include "wire/fields.h"

namespace {

using namespace tightwire;
using fuzz::require;

void repair(std::vector<std::byte>& bytes) {
  constexpr std::size_t sum_at = 32;
  if (bytes.size() < wire::round_header_size) return;
  wire::put(std::span(bytes), sum_at, XXH3_64bits(bytes.data(), sum_at));
}

void check_covers(const wire::RoundHeader& header) {
  std::uint64_t next = 0;
  for (std::uint64_t begin = 0; begin < header.value_bytes; begin += header.batch_bytes) {
    const auto size = std::min(header.batch_bytes, header.value_bytes - begin);
    for (std::uint32_t piece = 0; piece < header.pieces; ++piece) {
      const auto part = mpi::byte_range(size, header.pieces, piece);
      require(part.count == 0 || begin + part.begin == next, "chunks follow each other");
      next += part.count;
    }
  }
  require(next == header.value_bytes, "the chunks cover the values");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr unsigned most = 4096;
  fuzz::Input input(data, size);
  const std::uint64_t value_bytes = input.word() % most;
  const bool repaired = input.byte() % 2 == 0;
  std::vector<std::byte> bytes = input.rest();
  if (repaired) repair(bytes);
  const auto read = wire::read_round_header(bytes, value_bytes);
  if (!read.problem) check_covers(read.header);
  return 0;
}
