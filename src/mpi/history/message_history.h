// What messages remember of earlier ones, those between two ranks and those of collectives: that of
// this process, for all its threads, and what senders and receivers tell each other of it.
//
// Nobody waits for what is told: a sender goes by what it has heard when it sends. A message may
// have several receivers, who get the same frames: it is referred to when all of them keep it.
//
// MPI, whenever it is called, may move a started collective on, whose messages have a history, too
// (mpi/progress/mpi_progress.h): so nothing is locked while MPI is called.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "history/received_channels.h"
#include "history/sent_channels.h"

namespace tightwire::mpi {

// How answers travel between processes, by their ranks in MPI_COMM_WORLD. Thread safe; MPI may come
// back to it. Throws MpiError, std::bad_alloc.
class AnswerWay {
 public:
  using Take = std::function<void(int from, std::span<const std::byte> bytes)>;
  virtual ~AnswerWay() = default;
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  // All that have come; nothing where that is being done already.
  virtual void take_all(const Take& take) = 0;
  // Whether MPI may be asked for them while a message is made ready.
  [[nodiscard]] virtual bool may_look() = 0;
};

class MessageHistory {
 public:
  using Key = history::SentChannels::Key;
  using Receivers = std::span<const int>;  // ranks in MPI_COMM_WORLD

  // Half of the memory for either direction.
  MessageHistory(std::size_t memory, std::unique_ptr<AnswerWay> way)
      : way_(std::move(way)), sent_memory_(memory / 2), received_memory_(memory - memory / 2) {}

  // Whether a message of so many bytes is to be looked at; else it is left alone, as it is without
  // memory, and counted as that. The receivers of a key are always the same; none: the one that the
  // key names. May throw MpiError.
  [[nodiscard]] bool wants(const Key& key, Receivers receivers, std::size_t bytes);
  // The sender, if the message is wanted. As of SentChannel; may throw MpiError, and where it reads
  // std::bad_alloc. Nothing without memory: then it is not read(), mostly.
  using Read = std::function<std::span<const std::byte>()>;
  [[nodiscard]] std::optional<history::OfferedReferences> look(const Key& key, std::size_t bytes,
                                                               const codec::Parameters& parameters,
                                                               const Read& read);
  [[nodiscard]] wire::HistoryBlock send(const Key& key, std::span<const std::byte> values,
                                        const history::OfferedReferences& offered,
                                        std::uint8_t used);
  // In place of send(), where what is sent is known only when all of the message has been encoded.
  [[nodiscard]] wire::HistoryBlock announce(const Key& key, std::size_t bytes,
                                            const history::OfferedReferences& offered,
                                            std::uint8_t used);
  void keep_sent(const Key& key, std::span<const std::byte> values,
                 const history::OfferedReferences& offered);
  void pass(const Key& key, std::span<const std::byte> values,
            const history::OfferedReferences& offered);
  void coded(const Key& key, std::size_t bytes, double gain);
  void abandon(const Key& key, std::size_t bytes, const history::OfferedReferences& offered);

  // The receiver; senders by their ranks in MPI_COMM_WORLD. As of ReceivedChannels.
  [[nodiscard]] std::optional<history::FoundReferences> references(int sender,
                                                                   const wire::HistoryBlock& block,
                                                                   std::size_t bytes);
  // It has come before, or one that was sent later has: of messages that come in their order.
  [[nodiscard]] bool is_repeated(int sender, const wire::HistoryBlock& block);
  // Keeps the message, or without memory does not, and tells the sender, if there is memory for
  // that. Throws MpiError.
  void keep(int sender, const wire::HistoryBlock& block, std::span<const std::byte> message);
  // There is nothing to keep.
  void leave(int sender, const wire::HistoryBlock& block);

  // What others have told, which look() and keep() take in, too, where they may. Where nothing is
  // to be expected MPI is asked now and then only. Throws MpiError.
  void take_answers();

  // MPI_Finalize has begun: nobody needs to be told any more.
  void fall_silent() { silent_.store(true, std::memory_order_relaxed); }

  // Bytes kept at any time.
  [[nodiscard]] std::size_t most_held() const { return most_held_; }

 private:
  [[nodiscard]] bool awaits_answers();
  void look_for_answers();
  void take_answer(int from, std::span<const std::byte> bytes);
  void let_forget();
  [[nodiscard]] std::vector<history::SentChannels::Forgotten> to_be_forgotten();
  [[nodiscard]] wire::HistoryAnswer kept(int sender, const wire::HistoryBlock& block,
                                         std::span<const std::byte> message);
  void tell(int world_rank, const wire::HistoryAnswer& answer);
  // With the mutex held.
  [[nodiscard]] history::SentChannel* channel_to_look_at(const Key& key, std::size_t bytes,
                                                         Receivers receivers);
  void note_held();

  std::mutex mutex_;
  std::unique_ptr<AnswerWay> way_;
  history::Budget sent_memory_;
  history::Budget received_memory_;
  history::SentChannels sent_{sent_memory_};
  history::ReceivedChannels received_{received_memory_};
  unsigned looks_ = 0;
  std::atomic<std::uint64_t> answers_due_{0};
  std::atomic<unsigned> looks_in_vain_{0};
  std::size_t most_held_ = 0;
  std::atomic<bool> silent_{false};
};

// nullptr where the settings do not ask for it.
[[nodiscard]] MessageHistory* message_history();
void open_message_history(std::unique_ptr<AnswerWay> way);
void close_message_history();

}  // namespace tightwire::mpi
