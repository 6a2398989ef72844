// How long messages between two processes take, as both of them see it: so a sender learns how fast
// the network is for it, and whether encoding pays, without a message of its own to measure with.
//
// A receiver sees the time from when its program asks for a message until the values are in their
// place; a sender, the time in the call that sends. Both are seconds for each byte of values.
// Messages of one class, within a factor of two as long as each other, are compared: all of a time
// in which any may be encoded with all of a time in which none is. Pure; not thread safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "policy/call.h"
#include "policy/tuning/messages/message_pace.h"

namespace tightwire::policy {

[[nodiscard]] unsigned size_class(std::size_t bytes);

// Times of the last messages of one class that went between two processes.
class RecentTimes {
 public:
  // The first ones are left out: connections are set up, buffers are cold.
  void add(std::size_t bytes, double seconds);
  void clear() { count_ = 0; }

  [[nodiscard]] std::uint32_t count() const { return count_; }  // since clear()
  // Without the longest: a program may stop for something else now and then.
  [[nodiscard]] double mean() const;
  // What the network alone takes of that, as far as can be told: a message is waited for, too,
  // because its sender is late or has no core, so it is what the quickest quarter took of those
  // that were waited for at all.
  [[nodiscard]] double of_network() const;

 private:
  static constexpr std::size_t most_kept = 32;
  using Times = std::array<double, most_kept>;
  [[nodiscard]] std::span<const double> sorted(Times& memory) const;

  Times times_{};
  std::size_t bytes_ = 0;  // of the last one
  std::uint32_t skipped_ = 0;
  std::uint32_t count_ = 0;
};

// What each message took of those that come from one process at the same time: they share the
// network, so it is a part of the time since the first of them was asked for, by its size.
class SharedTime {
 public:
  // In the order in which messages come to their places; seconds on one clock. `others`: how many
  // the process waits for beside it. They may be half here, for all that is known.
  [[nodiscard]] double of(double asked, double in_place, std::size_t bytes, std::size_t others = 0);

 private:
  static constexpr unsigned longest = 64;  // what was long ago tells nothing of now

  double begin_ = 0;
  double last_ = -1;
  double bytes_ = 0;
  unsigned messages_ = 0;
};

// What a receiver tells the sender of a class: of the messages since its last report.
struct TransferReport {
  unsigned size_class = 0;
  double seconds_per_byte = 0;
  double of_network = 0;      // the same, as RecentTimes::of_network()
  double coding_speedup = 1;  // of the receiver, by its helpers
  bool operator==(const TransferReport&) const = default;
};

// The receiver's side: messages of one class from one process.
class SeenTransfers {
 public:
  // Gives a report where the sender should have one.
  [[nodiscard]] std::optional<TransferReport> add(std::size_t bytes, double seconds);

 private:
  std::uint32_t next_report_ = 0;
  RecentTimes times_;
};

// The sender's side: messages of one class to one process.
class EncodingTuner {
 public:
  // Before a message. Nothing: it is to be sent unmodified; else the bytes per second that an
  // unmodified message has, by which a codec is to be chosen, or none.
  [[nodiscard]] std::optional<double> link();
  // Some report has been heard, of this class or of another one.
  [[nodiscard]] bool knows_network() const { return unmodified_ != 0; }
  // Where link() is nothing.
  [[nodiscard]] Reason why_unmodified() const;
  // What another tuner knows of the network, to begin with: then the first messages need not
  // measure it again.
  void begin_with(const EncodingTuner& other) {
    unmodified_ = other.unmodified_;
    of_network_ = other.of_network_;
  }
  // What an earlier run has learned of such messages.
  struct Experience {
    double unmodified = 0;  // seconds a byte, on the network
    bool pays = true;       // encoding
    bool operator==(const Experience&) const = default;
  };
  // As begin_with() another tuner; where encoding did not pay it is tried later.
  void begin_with(const Experience& earlier);
  // Nothing where no report of unmodified messages has been heard; since it began, in a pause that
  // is to measure anew.
  [[nodiscard]] std::optional<Experience> experience() const;
  struct Sent {
    bool encoded = false;
    std::size_t bytes = 0;
    double seconds = 0;           // in the call that sends
    bool both_ways = false;       // meanwhile as much comes in
    double now = 0;               // in seconds
    bool core_is_shared = false;  // with other ranks, of late
  };
  void sent(const Sent& message);
  void told(const TransferReport& report);
  // Where link() is nothing: what helpers make of coding by now. What did not pay with less is
  // tried again at once.
  void helped_by(double coding_speedup);
  // What this process has waited for a message of the same class from the other one.
  void waited(std::size_t bytes, double seconds) { waited_.add(bytes, seconds); }

 private:
  // By which of RecentTimes' figures.
  using Figure = double (RecentTimes::*)() const;
  [[nodiscard]] double cost(Figure figure, double seen) const;
  void unmodified_took(double took, double seen_of_network);
  void encoded_took(double cost);
  void pause(std::uint32_t messages);
  void end_pause();
  void give_up_for_a_while();
  void weigh_cores();
  [[nodiscard]] bool costs_others() const;

  MessagePace pace_;
  RecentTimes own_;     // since the last report
  RecentTimes waited_;  // the same
  bool both_ways_ = false;
  bool is_mixed_ = false;          // what the next report tells of
  std::uint32_t encoded_ = 0;      // of own_
  std::uint32_t free_ = 0;         // messages since any may be encoded
  double unmodified_ = 0;          // seconds a byte; 0: not known
  double of_network_ = 0;          // of that
  std::uint32_t measured_by_ = 0;  // messages; `enough` at most
  bool is_measured_ = false;       // well enough to be compared with
  double average_ = 0;             // seconds a byte, of the last reports since
  std::uint32_t averaged_ = 0;     // messages of which they tell
  double before_pause_ = 0;        // average_
  bool is_measuring_ = false;
  std::uint32_t pause_left_ = 0;  // messages
  bool spares_cores_ = false;     // by that pause: whether encoding pays is another matter
  std::uint32_t next_pause_ = 0;
  double tried_with_ = 0;  // the most of helpers with which encoding did not pay; 0: not known
};

}  // namespace tightwire::policy
