// What the messages between two ranks remember of earlier ones: that of this process, for all its
// threads, and what senders and receivers tell each other of it on the private communicator.
//
// Nobody waits for what is told: a sender goes by what it has heard when it sends.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>

#include "history/received_channels.h"
#include "history/sent_channels.h"

namespace tightwire::p2p {

class MessageHistory {
 public:
  using Key = history::SentChannels::Key;

  // Half of the memory for either direction.
  explicit MessageHistory(std::size_t memory)
      : sent_memory_(memory / 2), received_memory_(memory - memory / 2) {}

  // The sender. As of SentChannel; all may throw MpiError, std::bad_alloc. Nothing where the
  // message, of so many bytes, is left alone: then it is not read().
  using Read = std::function<std::span<const std::byte>()>;
  [[nodiscard]] std::optional<history::Outlook> look(const Key& key, std::size_t bytes,
                                                     const codec::Parameters& parameters,
                                                     const Read& read);
  [[nodiscard]] wire::HistoryBlock send(const Key& key, std::span<const std::byte> values,
                                        const history::Outlook& outlook, std::uint8_t used);
  void pass(const Key& key, std::span<const std::byte> values, const history::Outlook& outlook);
  void abandon(const Key& key, std::size_t bytes, const history::Outlook& outlook);

  // The receiver; senders by their ranks in MPI_COMM_WORLD. As of ReceivedChannels.
  [[nodiscard]] std::optional<history::FoundReferences> references(int sender,
                                                                   const wire::HistoryBlock& block,
                                                                   std::size_t bytes);
  // Keeps the message, or without memory does not, and tells the sender, if there is memory for
  // that. Throws MpiError.
  void keep(int sender, const wire::HistoryBlock& block, std::span<const std::byte> message);
  // There is nothing to keep.
  void leave(int sender, const wire::HistoryBlock& block);

  // MPI_Finalize has begun: nobody needs to be told any more.
  void fall_silent() { silent_.store(true, std::memory_order_relaxed); }

  // Bytes kept at any time.
  [[nodiscard]] std::size_t most_held() const { return most_held_; }

 private:
  void take_answers();
  void take_answer(int from, std::span<const std::byte> bytes);
  void let_forget();
  void note_held();
  void tell(int world_rank, const wire::HistoryAnswer& answer) const;

  std::mutex mutex_;
  history::Budget sent_memory_;
  history::Budget received_memory_;
  history::SentChannels sent_{sent_memory_};
  history::ReceivedChannels received_{received_memory_};
  unsigned looks_ = 0;
  std::size_t most_held_ = 0;
  std::atomic<bool> silent_{false};
};

// nullptr where the settings do not ask for it.
[[nodiscard]] MessageHistory* message_history();
void open_message_history();
void close_message_history();

}  // namespace tightwire::p2p
