// How fast a program goes on from message to message, encoded or not.
//
// Where ranks share cores, what one of them waits for is no loss: another one computes meanwhile.
// What encoding takes of a core is, and shows in none of the times of messages, but in what passes
// between them. Pure; not thread safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tightwire::policy {

class MessagePace {
 public:
  // A message, at that time in seconds; of its core others had a part of late, or none had.
  void sent(double now, bool core_is_shared);
  // All messages since the last call went so; nothing: some did, some did not.
  void end_of(std::optional<bool> encoded);

  // Of most of the last messages the core was shared.
  [[nodiscard]] bool cores_are_short() const { return cores_are_short_; }
  // Clearly, or not; nothing before enough messages of either kind have shown it.
  [[nodiscard]] std::optional<bool> encoding_is_quicker() const;

 private:
  // Seconds for each message in the last stretches of one kind.
  class Stretches {
   public:
    void add(double seconds_each, std::uint32_t messages);
    [[nodiscard]] bool are_enough() const { return messages_ >= enough && count_ >= 2; }
    [[nodiscard]] double median() const;

   private:
    static constexpr std::uint32_t enough = 24;
    static constexpr std::size_t kept = 8;
    std::array<double, kept> seconds_{};
    std::size_t count_ = 0;
    std::uint32_t messages_ = 0;
  };

  double begin_ = 0;  // 0: not known
  double last_ = 0;
  std::uint32_t messages_ = 0;
  std::uint32_t shared_ = 0;
  bool cores_are_short_ = false;
  Stretches encoded_;
  Stretches unmodified_;
};

}  // namespace tightwire::policy
