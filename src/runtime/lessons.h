// What this job was told by earlier ones, and what it learns for later ones, where the setting
// `learned` names a file for that.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>

#include "experience/experience.h"
#include "settings/settings.h"

namespace tightwire::runtime {

class Lessons {
 public:
  // Rank 0, before the ranks compare their settings: reads the file, which need not be there yet.
  // What is wrong with it is put to the problems.
  void read(settings::Loaded& loaded, const std::filesystem::path& folder);
  // Collective over MPI_COMM_WORLD, after that.
  void share(const settings::Settings& settings, int rank);

  // Whether anybody will read what is learned.
  [[nodiscard]] bool are_kept() const { return are_kept_; }
  // What the file held: alike on all ranks. Does not change after share().
  [[nodiscard]] const experience::Experience& earlier() const { return earlier_; }

  // How fast the network is, as this process has learned it last, or else as the file says. Thread
  // safe.
  [[nodiscard]] policy::Network network() const;
  void set_network(const policy::Network& network);

  // Of calls: rank 0 keeps what it takes part in.
  [[nodiscard]] bool keeps_calls() const { return are_kept_ && is_first_; }
  // Thread safe; may throw std::bad_alloc.
  void note(const policy::Extent& extent, const policy::KindOfCall& kind,
            const policy::OnlineTuner::Experience& learned);
  void note(const policy::Extent& extent, policy::Operation operation,
            const policy::Backoff::Experience& learned);
  // Of messages to another process, by each rank: what counts is the mean of all, and what was
  // found of most.
  void note(unsigned size_class, const policy::EncodingTuner::Experience& learned);

  // Replaces the file by what was known and what was learned. Collective over MPI_COMM_WORLD; rank
  // 0 writes, and says so where it cannot.
  void write();

 private:
  struct Messages {
    double noted = 0;
    double unmodified = 0;  // sum
    double pays = 0;        // 1 for each of which encoding paid, -1 for the others
  };
  static constexpr std::size_t size_classes = 65;

  void gather_messages();

  mutable std::mutex mutex_;
  std::string text_;  // of the file
  std::string path_;
  bool are_kept_ = false;
  bool is_first_ = false;  // rank 0
  experience::Experience earlier_;
  experience::Experience learned_;
  std::array<Messages, size_classes> messages_;
};

}  // namespace tightwire::runtime
