// The thread that encodes chunks that have been left alone for a while, on an idle core.
//
// It looks at the tracked buffers some 20 times in the usual time between two sends. A chunk that
// was written to, and has not changed from one look to the next, is copied and encoded; encoded too
// early (the program writes to it again) makes the helper more patient with that buffer, a chunk
// taken by a send less. When all chunks are ready it encodes them again with a stronger codec, as
// time allows.
#pragma once

#include <condition_variable>
#include <thread>
#include <vector>

#include "early/buffer_registry.h"
#include "os/cores/idle_core.h"

namespace tightwire::early {

class EarlyEncoder {
 public:
  // All but the constructor and the destructor want the registry's mutex held.
  // No thread is started before the first wake(). `forced`: on any core of a mask of two or more.
  EarlyEncoder(BufferRegistry& registry, double fault_seconds, bool forced);
  ~EarlyEncoder();
  EarlyEncoder(const EarlyEncoder&) = delete;
  EarlyEncoder& operator=(const EarlyEncoder&) = delete;

  // There is something to look at. Where the system gives no thread,
  // nothing happens, now and later.
  void wake();

  // Whether it has not found out yet if there is a core for it, or found one only just.
  [[nodiscard]] bool may_come() const {
    return !unable_ && (undecided_ || Clock::now() < able_since_ + settling_time);
  }

 private:
  static constexpr auto settling_time = std::chrono::milliseconds(200);

  void run();
  void work();
  void visit(Buffer& buffer);
  // False when the rest of the buffer is to be left for later. Adds to `looking` the seconds that
  // finding out took.
  bool visit_chunk(Buffer& buffer, std::size_t index, double& looking);
  void encode_chunk(Buffer& buffer, std::size_t index);
  void note_able(bool able);
  // Codes one chunk that is ready with the stronger codec. False: there is none.
  bool upgrade();
  void upgrade_chunk(Buffer& buffer, std::size_t index);

  // What a piece of work on a chunk began with.
  struct Task {
    std::uint64_t generation = 0;
    Tracker* tracker = nullptr;
    Bytes values;
    codec::Encoding encoding;
    Path path;
    std::shared_ptr<EncodedChunk> ready;
  };
  [[nodiscard]] Task task_of(Buffer& buffer, std::size_t index);
  struct Made {
    std::shared_ptr<EncodedChunk> encoding;  // null: the values are gone, or there is no memory
    Mark mark;
  };
  [[nodiscard]] Made make(const Task& task, const codec::Encoding& encoding);
  // With the registry's mutex held.
  static void publish(Buffer& buffer, std::size_t index, const Task& task, Made made);
  [[nodiscard]] bool interrupted(const Buffer& buffer);

  BufferRegistry& registry_;
  const double fault_seconds_;
  const bool forced_;
  const cpu_set_t mask_;
  std::thread thread_;
  bool unable_ = false;
  // Guarded by the registry's mutex.
  bool undecided_ = true;
  bool able_ = false;
  Clock::time_point able_since_{};
  bool stop_ = false;  // guarded by the registry's mutex
  std::condition_variable changed_;
  std::optional<os::IdleCore> core_;
  std::vector<std::byte> copy_;
  std::vector<std::byte> workspace_;
};

}  // namespace tightwire::early
