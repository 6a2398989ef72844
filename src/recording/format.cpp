#include "recording/format.h"

#include <algorithm>
#include <cstring>

namespace tightwire::recording {
namespace {

template <class T>
void put(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace

std::array<std::byte, file_header_size> to_bytes(const FileHeader& header) {
  std::array<std::byte, file_header_size> bytes{};
  std::memcpy(bytes.data(), file_magic.data(), file_magic.size());
  put(version, &bytes[8]);
  put(header.rank, &bytes[12]);
  put(header.ranks, &bytes[16]);
  return bytes;
}

std::array<std::byte, message_header_size> to_bytes(const MessageHeader& header) {
  std::array<std::byte, message_header_size> bytes{};
  put(message_magic, bytes.data());
  put(header.communicator, &bytes[4]);
  put(header.peer, &bytes[8]);
  put(header.tag, &bytes[12]);
  put(header.bytes, &bytes[16]);
  put(header.nanoseconds, &bytes[24]);
  std::memcpy(&bytes[32], header.function.data(),
              std::min(header.function.size(), longest_function));
  bytes[56] = static_cast<std::byte>(header.type);
  return bytes;
}

}  // namespace tightwire::recording
