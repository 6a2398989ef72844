#include "wire/history.h"

#include <xxhash.h>

#include "codec/codec.h"
#include "wire/fields.h"

namespace tightwire::wire {
namespace {

constexpr std::size_t block_hash_offset = 32;
constexpr std::size_t answer_hash_offset = 24;

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

bool is_possible(const HistoryBlock& block) {
  if (block.oldest > block.number) return false;
  if (block.references == 0) return block.spacing == 0 && block.checksum == 0;
  return block.spacing != 0 && block.references <= codec::most_references &&
         block.number - block.oldest >= std::uint64_t{block.spacing} * block.references;
}

}  // namespace

std::array<std::byte, history_size> write_history(const HistoryBlock& block) {
  std::array<std::byte, history_size> bytes{};
  put(bytes, 0, block.number);
  put(bytes, 8, block.oldest);
  put(bytes, 16, block.checksum);
  put(bytes, 24, block.channel);
  put(bytes, 28, block.spacing);
  put(bytes, 30, block.references);
  put(bytes, block_hash_offset, hash_of(std::span(bytes).first(block_hash_offset)));
  return bytes;
}

std::optional<HistoryBlock> read_history(std::span<const std::byte> bytes) {
  if (bytes.size() != history_size ||
      get<std::uint64_t>(bytes, block_hash_offset) != hash_of(bytes.first(block_hash_offset))) {
    return std::nullopt;
  }
  HistoryBlock block;
  block.number = get<std::uint64_t>(bytes, 0);
  block.oldest = get<std::uint64_t>(bytes, 8);
  block.checksum = get<std::uint64_t>(bytes, 16);
  block.channel = get<std::uint32_t>(bytes, 24);
  block.spacing = get<std::uint16_t>(bytes, 28);
  block.references = get<std::uint8_t>(bytes, 30);
  return is_possible(block) ? std::optional(block) : std::nullopt;
}

std::uint64_t content_hash(std::span<const std::byte> message) {
  return hash_of(message);
}

std::uint64_t combined_hash(std::span<const std::uint64_t> hashes) {
  return hashes.empty() ? 0 : hash_of(std::as_bytes(hashes));
}

std::array<std::byte, answer_size> write_answer(const HistoryAnswer& answer) {
  std::array<std::byte, answer_size> bytes{};
  put(bytes, 0, answer.number);
  put(bytes, 8, answer.hash);
  put(bytes, 16, answer.channel);
  put(bytes, 20, answer.kind);
  put(bytes, answer_hash_offset, hash_of(std::span(bytes).first(answer_hash_offset)));
  return bytes;
}

std::optional<HistoryAnswer> read_answer(std::span<const std::byte> bytes) {
  if (bytes.size() != answer_size ||
      get<std::uint64_t>(bytes, answer_hash_offset) != hash_of(bytes.first(answer_hash_offset))) {
    return std::nullopt;
  }
  HistoryAnswer answer;
  answer.number = get<std::uint64_t>(bytes, 0);
  answer.hash = get<std::uint64_t>(bytes, 8);
  answer.channel = get<std::uint32_t>(bytes, 16);
  answer.kind = get<HistoryAnswer::Kind>(bytes, 20);
  const bool known =
      answer.kind >= HistoryAnswer::Kind::kept && answer.kind <= HistoryAnswer::Kind::forget;
  return known ? std::optional(answer) : std::nullopt;
}

}  // namespace tightwire::wire
