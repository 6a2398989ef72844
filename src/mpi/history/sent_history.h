// The part of a message that is sent in the history of its channel: from the look at what it may be
// predicted from to the word about what became of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "codec/codec.h"
#include "codec/history/reference_parts.h"
#include "mpi/history/message_history.h"

namespace tightwire::mpi {

class SentHistory {
 public:
  SentHistory() = default;
  SentHistory(const SentHistory&) = delete;
  SentHistory& operator=(const SentHistory&) = delete;
  ~SentHistory();

  // Whether look() will read the message; at most once, and look() asks if nobody has. Throws
  // MpiError.
  [[nodiscard]] bool wants(const MessageHistory::Key& key, MessageHistory::Receivers receivers,
                           std::size_t bytes);
  // At most once; without it all else does nothing. Throws MpiError, std::bad_alloc.
  void look(const MessageHistory::Key& key, MessageHistory::Receivers receivers, std::size_t bytes,
            const codec::Parameters& parameters, const MessageHistory::Read& read);

  // What `exact`, or within a bound `bounded`, makes of the message with references(), by a sample;
  // 0: it is not to be tried.
  [[nodiscard]] double ratio() const { return offered_.ratio; }
  // The same without references.
  [[nodiscard]] double ratio_alone() const { return offered_.alone; }
  // The references that ratio() is with.
  [[nodiscard]] std::size_t offered() const { return offered_.size; }
  // The receiver is to keep the message: it has to go as a frame with a block.
  [[nodiscard]] bool to_keep() const { return offered_.to_keep; }

  // What later messages may come to, where none can be predicted yet; 0: nothing is known of that.
  [[nodiscard]] double hoped_for() const { return offered_.hoped_for; }
  // That would not be quick enough either: nothing is kept. Then pass() is to be called.
  void decline() {
    offered_.to_keep = false;
    offered_.is_declined = true;
  }

  // Neither send() nor pass() has been called since look().
  [[nodiscard]] bool is_open() const { return open_; }

  void predict() { used_ = offered_.size; }
  [[nodiscard]] bool is_predicted() const { return used_ > 0; }
  // What it is predicted from: of a part of the message, the same part of each.
  [[nodiscard]] codec::ReferenceParts references(std::size_t begin, std::size_t count) const;
  // What a ratio becomes through the entropy coder: as last time, or as is hoped for.
  [[nodiscard]] double coded_ratio(double ratio) const;
  // What a predicted part of the message came to through it.
  void coded(std::size_t bytes, std::size_t encoded);
  // It is as good without.
  void do_not_predict() { used_ = 0; }

  // One of the two: the message goes with a block, as it was predicted; or unmodified, or as a
  // frame without. What is sent are the values that the receiver will have.
  [[nodiscard]] wire::HistoryBlock send(std::span<const std::byte> values);
  void pass(std::span<const std::byte> values);
  // In place of send(), where what is sent is known only when all of the message has been encoded.
  [[nodiscard]] wire::HistoryBlock announce();
  void keep(std::span<const std::byte> values);
  // MPI has taken what went with a block. Where it has not, the receiver will never answer.
  void accepted() { sent_ = false; }

 private:
  std::optional<bool> wanted_;
  bool open_ = false;
  bool sent_ = false;  // and not yet accepted
  MessageHistory::Key key_;
  std::size_t bytes_ = 0;
  history::OfferedReferences offered_;
  std::uint8_t used_ = 0;
};

}  // namespace tightwire::mpi
