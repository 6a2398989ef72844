// Which messages go as they are, without frames, in calls that no ranks can agree to leave to MPI.
//
// Only the sender sees that nothing is gained. With a message of which it has found that, it tells
// that the next one like it goes so, whatever its values: so the receiver can be ready to take it,
// and nobody looks at the values. After one, two, four and at last 64 of them it looks anew.
//
// Messages alike may be of fields that take turns, of which some gain much: each that does asks for
// twice as many in a row that do not, up to 64, before one goes as it is.
//
// Where a codec was to gain something, what it gains is known when all of the message is encoded,
// and then it is too late to tell. So there it takes a message that came to nothing and the first
// frame of the one after it.
//
// Both ends count the same messages. Not thread safe.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

#include "policy/call.h"

namespace tightwire::policy {

// Messages that are alike, as far as both ends know.
struct MessageKind {
  Operation operation{};
  int peer = 0;
  std::size_t bytes = 0;
  int place = 0;  // among those of one call between the same two ranks

  auto operator<=>(const MessageKind&) const = default;  // NOLINT(modernize-use-nullptr)
};

// What the receiver of a message knows of the next one like it, if it could read what it was told.
enum class NextMessage : std::uint8_t { in_frames, unframed, unknown };

class UnframedMessages {
 public:
  // A message is to be sent: whether it has been told that it goes as it is.
  [[nodiscard]] bool begin_told(const MessageKind& kind);
  // It had not, goes in frames, and has been looked at.
  void looked_at(const MessageKind& kind, bool gains_nothing);
  // It goes in frames by a codec that promises a gain: of its first frame, before that leaves; and
  // of all of them.
  void begins(const MessageKind& kind, bool gains_nothing);
  void came_to(const MessageKind& kind, bool gains_nothing);
  // With any of them: whether its receiver is told that the next one goes as it is.
  [[nodiscard]] bool is_next_told(const MessageKind& kind) const;

  // At the receiver: what the last one told.
  [[nodiscard]] NextMessage expected(const MessageKind& kind) const;
  void expect(const MessageKind& kind, NextMessage next);

 private:
  static constexpr std::size_t longest = 64;
  static constexpr std::size_t most_kinds = 4096;  // of more, each message is looked at

  struct Told {
    std::size_t left = 0;
    std::size_t next = 1;
    std::size_t looks = 0;   // in a row by which nothing is gained
    std::size_t needed = 1;  // of these
    bool in_vain = false;    // what a codec made of the last one

    // One that gains something; what has been told stays.
    void gained();
  };
  // None for those that gain something, nor for too many.
  [[nodiscard]] Told* told_of(const MessageKind& kind, bool gains_nothing);

  std::map<MessageKind, Told> told_;
  std::map<MessageKind, NextMessage> expected_;  // but for those in frames
};

}  // namespace tightwire::policy
