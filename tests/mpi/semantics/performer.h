// The state of one rank while it performs a schedule.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "calls.h"
#include "communicators.h"
#include "errands.h"
#include "generalized.h"
#include "outcome.h"
#include "plan.h"

namespace semantics {

class Performer {
 public:
  Performer(const Schedule& schedule, int rank, const Communicators& comms, const Judge& judge)
      : schedule_(schedule),
        rank_(rank),
        comms_(comms),
        judge_(judge),
        errands_(comms.control(), judge.bound) {}

  void perform(const Step& step);
  // After the last step: what was sent beside the schedule has been received.
  void finish_errands() { errands_.finish(); }
  [[nodiscard]] std::vector<std::string> take_log();

 private:
  // Of an operation; persistent ones share that of their first.
  struct Holder {
    std::unique_ptr<Buffer> buffer;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message matched = MPI_MESSAGE_NULL;
    std::vector<double> own;  // of an allreduce
    std::vector<double> sum;
    std::unique_ptr<Generalized> generalized;
  };

  [[nodiscard]] const Operation& operation(int i) const {
    return schedule_.operations[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const Message& message_of(int i) const {
    return schedule_.messages[static_cast<std::size_t>(operation(i).message)];
  }
  [[nodiscard]] const Communicator& comm_of(int i) const { return comms_[operation(i).comm]; }
  Holder& holder(int i);
  // Its memory, filled anew.
  Buffer& prepare(int i);
  Call call(int i) { return call_of(operation(i), comm_of(i), *holder(i).buffer); }

  void start(const std::vector<int>& operations);
  void start_collective(int i);
  void start_generalized(int i);
  void send(int i);
  void receive(int i, Reception way);
  int probe_then_receive(int i, bool blocks, MPI_Status* status);
  int match_then_receive(int i, bool blocks, MPI_Status* status);
  int cancel_and_retry(int i, MPI_Status* status);
  int match(int i, bool blocks, MPI_Status* status);
  void receive_matched(int i);
  void exchange(int sent, int received, Exchange way);
  void free_request(int i);
  void cancel_received(int i);
  void collective(const Step& step);
  void note_probe(int i, const MPI_Status& status);

  // complete.cpp
  struct Requests;
  void add_to(Requests& all, int i);
  void complete(const Step& step);
  void wait_for(int i);
  void test_for(int i);
  void status_then_wait(int i);
  void all_of(const std::vector<int>& operations, bool waits);
  void any_of(const std::vector<int>& operations, std::size_t must, bool waits);
  void some_of(const std::vector<int>& operations, std::size_t must, bool waits);
  [[nodiscard]] bool open(int i) { return !done_.contains(i); }
  [[nodiscard]] bool any_open(const std::vector<int>& operations, std::size_t must);

  // alone.cpp
  void cancel_unmatched(const Step& step);
  void probe_nothing(const Step& step);
  void talk_to_nobody(const Step& step);
  void invalid_arguments(const Step& step);

  // looks.cpp
  void look(const Step& step);
  void is_unreceived(const Step& step);

  // errors.cpp
  void err(const Step& step);

  // attributes.cpp
  void duplicate(const Step& step);
  // reduce.cpp
  void reduce(const Step& step);

  // files.cpp
  void use_file(const Step& step);
  // short_lived.cpp
  void short_lived(const Step& step);

  // Says what became of an operation. `status` may be MPI's null.
  void finish(int i, int code, MPI_Status* status);
  void finish_receive(int i, int code, MPI_Status* status, std::string& line);
  [[nodiscard]] std::string request_text(int i);
  void note(const std::string& line) { notes_.push_back(line); }
  void log_open_inbox(std::size_t index, std::vector<std::string>& lines);

  const Schedule& schedule_;
  int rank_;
  const Communicators& comms_;
  Judge judge_;
  bool fault_done_ = false;
  std::map<int, Holder> holders_;
  std::map<int, std::string> done_;  // by operation
  std::map<int, OpenReceipt> open_receipts_;
  Errands errands_;
  std::vector<std::string> notes_;  // what belongs to no operation, in the order of steps
};

}  // namespace semantics
