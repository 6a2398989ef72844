// How fast large messages of this process come to others, as those say (policy/tuning/
// transfer_times.h): the network is measured by the program's own messages.
//
// What receivers say goes over the private communicator. Nobody waits for it: a sender goes by what
// it has heard when it sends.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "p2p/feedback/asked_for.h"
#include "p2p/state/paced_look.h"
#include "policy/tuning/messages/transfer_times.h"

namespace tightwire::p2p {

// A message that a call of the program sends.
struct Sending {
  int receiver = MPI_PROC_NULL;  // in MPI_COMM_WORLD
  std::size_t bytes = 0;
  bool encoded = false;
  std::chrono::steady_clock::time_point start;  // of the call
};

// Processes are named by their ranks in MPI_COMM_WORLD. Thread safe; link() throws MpiError,
// std::bad_alloc.
class TransferFeedback {
 public:
  using Clock = std::chrono::steady_clock;

  // The sender. As EncodingTuner::link().
  [[nodiscard]] std::optional<double> link(int receiver, std::size_t bytes);
  [[nodiscard]] policy::Reason why_unmodified(int receiver, std::size_t bytes);
  void helped_by(double coding_speedup, int receiver, std::size_t bytes);
  // Of the receiver, as its last report says; nothing where none has been heard.
  [[nodiscard]] std::optional<double> coding_speedup_of(int receiver);
  // The call that sends the message ends.
  void sent(const Sending& sending);

  // What receivers have said. Where a message is made ready it is put off (state/put_off.h). Throws
  // MpiError.
  void take_reports();

  // The receiver: a message that the program has waited for is in its place.
  void seen(int sender, std::size_t bytes, const AskedFor& asked);

  // For the runs to come.
  void keep_lessons();

  // MPI_Finalize has begun: nobody needs to be told any more.
  void fall_silent() { silent_.store(true, std::memory_order_relaxed); }

 private:
  using Class = std::pair<int, unsigned>;  // a process, and a size class

  // What is known of the network for messages like these: between the same two processes, or else
  // of the same size to another one.
  [[nodiscard]] const policy::EncodingTuner* most_alike(const Class& wanted) const;
  // By what earlier runs have learned of such messages, and what is known of others in this one.
  void begin(policy::EncodingTuner& tuner, const Class& wanted) const;
  // With the mutex held.
  void take_reports_at_once();
  void told(int receiver, const policy::TransferReport& report);
  // If MPI may be asked at all: at every long message, of so many bytes, and others now and then.
  void take_reports_now_and_then(std::size_t bytes);

  std::mutex mutex_;
  std::map<Class, policy::EncodingTuner> tuners_;
  std::map<Class, policy::SeenTransfers> seen_;
  std::map<int, double> speedups_;                // of receivers, as they have told last
  std::map<int, policy::SharedTime> shared_;      // by messages from that process
  std::map<Class, std::atomic<bool>> under_way_;  // a report
  unsigned not_looked_ = 0;                       // calls since reports were taken
  PacedLook<> paced_;                             // for reports
  std::atomic<bool> silent_{false};
};

// nullptr where the settings leave nothing to find out.
[[nodiscard]] TransferFeedback* transfer_feedback();
// Around all messages, after set_frame_rules().
void open_transfer_feedback();
void close_transfer_feedback();

// At the end of the call that sends a message, when MPI has taken it.
void note_sent(const Sending& sending);

}  // namespace tightwire::p2p
