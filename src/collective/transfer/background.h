// Collectives that the program has started and not waited for yet: they go on while it is in MPI,
// whichever call that is (mpi/progress/mpi_progress.h).
//
// All ranks start the collectives of a communicator in the same order, and so they are carried out
// here: one after the other on each communicator, so that no two need tags of their own, but that
// the second may go on beside a first that lets it (lets_next_begin()). A blocking
// one waits for those before it. None waits in vain: whatever a rank waits for has been started by
// it, and by any other rank that could be waiting for something later.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

class BackgroundCall {
 public:
  BackgroundCall() = default;
  BackgroundCall(const BackgroundCall&) = delete;
  BackgroundCall& operator=(const BackgroundCall&) = delete;
  virtual ~BackgroundCall() = default;

  // Does what can be done now; true once it is at its end, of which the program then knows. One
  // thread at a time.
  [[nodiscard]] virtual bool advance() noexcept = 0;
  // Whether it has been at its end. Thread safe.
  [[nodiscard]] virtual bool is_over() const = 0;
  // Whether all that is left of it is in MPI's hands, so that its messages meet before those of the
  // next one.
  [[nodiscard]] virtual bool lets_next_begin() const = 0;
  // Changes as it comes on.
  [[nodiscard]] virtual std::uint64_t place() const = 0;
  // It will never be at its end. What MPI may still write to stays.
  virtual void give_up() noexcept = 0;
};

// Thread safe.
class Background {
 public:
  // What the calls that have ended did is seen by who finds none left.
  [[nodiscard]] bool any() const { return any_.load(std::memory_order_acquire); }
  // Puts a call behind those of its communicator, and does what can be done now.
  void begin(std::shared_ptr<BackgroundCall> call, const mpi::Communicator& communicator);
  // Moves on what is first on each communicator, and what may go on beside it. Does nothing where
  // that is being done already, in this thread or another.
  void advance() noexcept;
  // Waits for one call; until nothing is left of one communicator, or of any.
  void finish(const BackgroundCall& call);
  void finish(const mpi::Communicator& communicator);
  // In MPI_Finalize, collective: until nothing is left on any rank; gives up what not all of them
  // have started, which is an error of the program's. Throws MpiError.
  void finish_all();

 private:
  using Calls = std::deque<std::shared_ptr<BackgroundCall>>;
  struct First {
    const mpi::Communicator* communicator;
    std::shared_ptr<BackgroundCall> call;
    std::shared_ptr<BackgroundCall> next;
  };
  [[nodiscard]] std::vector<First> first_calls();
  void advance(const First& first);
  void remove_ended(const mpi::Communicator* communicator);
  [[nodiscard]] bool has(const mpi::Communicator& communicator);
  // How many are left on this rank, and how far they have come.
  struct Unfinished {
    std::uint64_t calls = 0;
    std::uint64_t place = 0;
    bool operator==(const Unfinished&) const = default;
  };
  [[nodiscard]] Unfinished unfinished();
  [[nodiscard]] Unfinished unfinished_everywhere();
  void give_up() noexcept;
  template <class Condition>
  void advance_until(Condition&& is_met);

  std::atomic<bool> any_{false};
  std::atomic_flag advancing_ = ATOMIC_FLAG_INIT;
  std::mutex mutex_;
  std::map<const mpi::Communicator*, Calls> calls_;
};

[[nodiscard]] Background& background();

// Whether anything may be left to go on in this job; the same on all ranks.
[[nodiscard]] bool may_start();

// After MPI is up, over MPI_COMM_WORLD; `can_start`: on this rank. Throws MpiError. Before it goes
// down: waits for what is under way.
void start_background(bool can_start);
void finish_background();

// What the blocking calls on a communicator of the program wait for first. Throws MpiError.
inline void finish_started(MPI_Comm user) {
  if (!background().any()) return;
  const mpi::Communicator* const known = mpi::known_communicator(user);
  if (known != nullptr) background().finish(*known);
}

}  // namespace tightwire::collective
