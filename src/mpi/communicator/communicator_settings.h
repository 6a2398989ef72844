// The settings in force on one communicator: the job's, the rules for its name, its hints.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "policy/settings_resolver.h"

namespace tightwire::mpi {

// Thread safe. `comm` is always the communicator that these are the settings of.
class CommunicatorSettings {
 public:
  // As this rank alone sees them. Valid for the rest of the job.
  [[nodiscard]] const policy::SettingsResolver& resolver(MPI_Comm comm);

  // Makes sure that all ranks gave the communicator a name for which the same rules hold, else the
  // job is ended; from then on a new name changes nothing. Collective the first time. Does nothing
  // on an intercommunicator, where no rule goes by names.
  void agree(MPI_Comm comm);
  [[nodiscard]] bool agreed() const { return agreed_; }
  // After the program gave it another name.
  void renamed(MPI_Comm comm);

  [[nodiscard]] settings::Overrides hints();
  void set_hints(const settings::Overrides& hints);
  // Whether it was ever given some: alike on all ranks.
  [[nodiscard]] bool hinted() const { return hinted_.load(std::memory_order_relaxed); }

 private:
  void make_resolver(MPI_Comm comm);

  std::mutex mutex_;
  settings::Overrides hints_;
  std::vector<bool> for_name_;  // which rules hold for its name
  bool named_ = false;          // for_name_ is of its name
  bool told_ = false;           // of a new name that came too late
  // By all ranks: for_name_ stays as it is. Read without the lock, as threads share MPI_COMM_SELF.
  std::atomic<bool> agreed_{false};
  std::atomic<bool> hinted_{false};
  std::atomic<const policy::SettingsResolver*> resolver_{nullptr};
  std::atomic<std::size_t> of_settings_{0};  // settings_hash that the resolver was made for
};

}  // namespace tightwire::mpi
