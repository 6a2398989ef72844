#include "recording/reader.h"

#include <cstring>

namespace tightwire::recording {
namespace {

template <class T>
T get(std::span<const std::byte> bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string_view function_in(std::span<const std::byte> bytes) {
  const auto* const text = reinterpret_cast<const char*>(bytes.data());
  return {text, ::strnlen(text, longest_function)};
}

std::optional<codec::ElementType> type_of(std::byte number) {
  if (number > static_cast<std::byte>(codec::ElementType::float64)) return std::nullopt;
  return static_cast<codec::ElementType>(number);
}

}  // namespace

bool is_recording(std::span<const std::byte> file) {
  return file.size() >= file_header_size &&
         std::memcmp(file.data(), file_magic.data(), file_magic.size()) == 0;
}

std::optional<Reader> Reader::of(std::span<const std::byte> file) {
  if (!is_recording(file) || get<std::uint32_t>(file, 8) != version) return std::nullopt;
  Reader reader;
  reader.header_ = {get<std::uint32_t>(file, 12), get<std::uint32_t>(file, 16)};
  reader.rest_ = file.subspan(file_header_size);
  return reader;
}

std::optional<Message> Reader::next() {
  if (rest_.size() < message_header_size) return std::nullopt;
  const auto head = rest_.first(message_header_size);
  const auto values = rest_.subspan(message_header_size);
  const auto type = type_of(head[56]);
  const auto bytes = get<std::uint64_t>(head, 16);
  if (get<std::uint32_t>(head, 0) != message_magic || !type || bytes > values.size()) {
    return std::nullopt;
  }
  Message message;
  message.header = {function_in(head.subspan(32)),
                    get<std::uint32_t>(head, 4),
                    get<std::int32_t>(head, 8),
                    get<std::int32_t>(head, 12),
                    *type,
                    bytes,
                    get<std::uint64_t>(head, 24)};
  message.values = values.first(bytes);
  rest_ = values.subspan(bytes);
  return message;
}

}  // namespace tightwire::recording
