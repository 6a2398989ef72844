// Reads a rank's recording.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "recording/format.h"

namespace tightwire::recording {

struct Message {
  MessageHeader header;  // refers to the file
  std::span<const std::byte> values;
};

[[nodiscard]] bool is_recording(std::span<const std::byte> file);

// A file is looked at as it is read: any bytes will do. Refers to them.
class Reader {
 public:
  // Nothing for what is no recording of this version.
  [[nodiscard]] static std::optional<Reader> of(std::span<const std::byte> file);

  [[nodiscard]] const FileHeader& header() const { return header_; }
  // The next message; nothing at the end, and where what follows is none.
  [[nodiscard]] std::optional<Message> next();
  // Whether next() came to the end of the file. A program that was killed leaves half a message.
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  FileHeader header_;
  std::span<const std::byte> rest_;
};

}  // namespace tightwire::recording
