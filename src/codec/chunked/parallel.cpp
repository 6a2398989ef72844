// Threads take chunks in order from a counter. An encoded chunk's place is known once those before
// it have their sizes: a thread encodes into its workspace and goes on with the next chunk; what
// has its place by then is copied there. It waits only when its workspace is full, for work that is
// being done: to sleep and be woken takes as long as a chunk. The order of places makes the bytes
// independent of the threads.
#include "codec/chunked/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "codec/chunked/chunk.h"
#include "os/thread_pool.h"

namespace tightwire::codec::chunked {
namespace {

// With less than this many chunks for a thread, waking it costs more than it gives.
constexpr std::uint64_t chunks_per_thread = 2;
// Chunks that a thread has encoded and not copied yet, at most; and all threads together.
constexpr std::size_t slots = 4;
constexpr std::size_t most_slots = 1024;
constexpr std::size_t most_threads = most_slots / slots;

class ParallelEncoder {
 public:
  ParallelEncoder(const Codec& codec, const Header& header, std::span<const std::byte> values,
                  const Parameters& parameters, const Poll& poll, std::span<std::byte> out)
      : codec_(codec),
        header_(header),
        values_(values),
        parameters_(parameters),
        poll_(poll),
        out_(out),
        size_(payload_offset(header.cut)) {}

  void work(std::span<std::byte> workspace, bool of_caller) {
    Encoded encoded(workspace);
    while (!failed_.load(std::memory_order_relaxed)) {
      if (encoded.count == slots) place_first(encoded);
      const std::uint64_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= header_.cut.chunks()) break;
      const std::size_t slot = (encoded.first + encoded.count++) % slots;
      const Result result = encode_chunk(codec_, header_.type, chunk_of(values_, header_, chunk),
                                         parameters_, encoded.room(slot));
      encoded.chunks[slot] = {chunk, result.ok() ? result.size : 0};
      tell(chunk, result);
      while (encoded.count > 0 && has_place(encoded)) place_first(encoded);
      if (of_caller) poll_();
    }
    while (encoded.count > 0) place_first(encoded);
  }

  [[nodiscard]] Result result() const {
    return {error_, error_ == Error::none ? size_ : std::size_t{0}};
  }

 private:
  // What a thread has in its workspace, the oldest first.
  struct Encoded {
    struct Chunk {
      std::uint64_t chunk = 0;
      std::size_t size = 0;  // to be copied
    };
    explicit Encoded(std::span<std::byte> memory) : workspace(memory) {}
    [[nodiscard]] std::span<std::byte> room(std::size_t slot) const {
      return workspace.subspan(slot * (workspace.size() / slots), workspace.size() / slots);
    }
    std::span<std::byte> workspace;
    std::array<Chunk, slots> chunks{};
    std::size_t first = 0;
    std::size_t count = 0;
  };

  [[nodiscard]] bool has_place(const Encoded& encoded) const {
    return turn_.load(std::memory_order_acquire) > encoded.chunks[encoded.first].chunk;
  }

  void place_first(Encoded& encoded) {
    const auto [chunk, size] = encoded.chunks[encoded.first];
    for (std::uint64_t turn = turn_.load(std::memory_order_acquire); turn <= chunk;
         turn = turn_.load(std::memory_order_acquire)) {
      turn_.wait(turn, std::memory_order_acquire);
    }
    const std::uint64_t begin = chunk == 0 ? 0 : read_end(out_.data(), chunk - 1);
    std::byte* const place = out_.data() + payload_offset(header_.cut) + begin;
    if (size > 0) std::memcpy(place, encoded.room(encoded.first).data(), size);
    encoded.first = (encoded.first + 1) % slots;
    --encoded.count;
  }

  // No more chunks than there are slots are between the first without a place and this one.
  void tell(std::uint64_t chunk, const Result& result) {
    told(chunk) = (static_cast<std::uint64_t>(result.size) + 1) << 8 |
                  static_cast<std::uint64_t>(result.error);
    // Who finds somebody at it leaves it to them: they look again when they are done.
    while (!is_placing_.test_and_set()) {
      const bool moved = place_those_told();
      is_placing_.clear();
      if (moved) turn_.notify_all();
      if (told(turn_.load()) == 0) return;
    }
  }

  // Chunks pass here in their order, so of several errors the first one stands.
  bool place_those_told() {
    const std::uint64_t before = turn_.load(std::memory_order_relaxed);
    std::uint64_t turn = before;
    for (std::uint64_t now = told(turn).exchange(0); now != 0; now = told(turn).exchange(0)) {
      size_ += static_cast<std::size_t>((now >> 8) - 1);
      write_end(out_.data(), turn, size_ - payload_offset(header_.cut));
      const auto error = static_cast<Error>(now & 0xff);
      if (error != Error::none && error_ == Error::none) {
        error_ = error;
        failed_.store(true, std::memory_order_relaxed);
      }
      turn_.store(++turn, std::memory_order_release);
    }
    return turn != before;
  }

  // What is told of a chunk: its size and how it went; 0: nothing yet.
  std::atomic<std::uint64_t>& told(std::uint64_t chunk) { return told_[chunk % most_slots]; }

  const Codec& codec_;
  const Header& header_;
  std::span<const std::byte> values_;
  const Parameters& parameters_;
  const Poll& poll_;
  std::span<std::byte> out_;

  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> failed_{false};

  std::array<std::atomic<std::uint64_t>, most_slots> told_{};
  std::atomic<std::uint64_t> turn_{0};              // chunks before this one have their places
  std::atomic_flag is_placing_ = ATOMIC_FLAG_INIT;  // whose it is owns what follows
  std::size_t size_;
  Error error_ = Error::none;
};

class ParallelDecoder {
 public:
  ParallelDecoder(const View& view, const Header& header, const Poll& poll,
                  std::span<std::byte> values)
      : view_(view), header_(header), poll_(poll), values_(values) {}

  void work(bool of_caller) {
    while (first_failed_.load(std::memory_order_relaxed) == none_failed) {
      const std::uint64_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= header_.cut.chunks()) return;
      const Error error = view_.decode_chunk(chunk, chunk_of(values_, header_, chunk));
      if (error != Error::none) note(chunk, error);
      if (of_caller) poll_();
    }
  }

  [[nodiscard]] Result result() const {
    const std::uint64_t first = first_failed_.load(std::memory_order_relaxed);
    if (first == none_failed) return {Error::none, values_.size()};
    return {static_cast<Error>(first & 0xff), 0};
  }

 private:
  static constexpr std::uint64_t none_failed = ~std::uint64_t{0};

  // Chunk and error in one word, so that the first chunk's error stands, as it would serially.
  void note(std::uint64_t chunk, Error error) {
    const std::uint64_t mine = chunk << 8 | static_cast<std::uint64_t>(error);
    std::uint64_t first = first_failed_.load(std::memory_order_relaxed);
    while (mine < first &&
           !first_failed_.compare_exchange_weak(first, mine, std::memory_order_relaxed)) {
    }
  }

  const View& view_;
  const Header& header_;
  const Poll& poll_;
  std::span<std::byte> values_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> first_failed_{none_failed};
};

// One thread may have the memory that several had not.
std::optional<Result> unless_out_of_memory(const Result& result) {
  if (result.error == Error::out_of_memory) return std::nullopt;
  return result;
}

}  // namespace

std::optional<Result> encode_in_parallel(const Codec& codec, ElementType type,
                                         std::span<const std::byte> values,
                                         const Parameters& parameters, const Options& options,
                                         std::span<std::byte> out) {
  Header header;
  const Error error =
      make_header(codec, type, values, options.values_per_chunk, out.size(), header);
  if (error != Error::none) return Result{error, 0};
  if (header.cut.chunks() < 2 * chunks_per_thread) return std::nullopt;
  write_header(header, out.data());
  ParallelEncoder encoder(codec, header, values, parameters, options.poll, out);
  os::ThreadPool::Task task;
  task.work = [](void* context, std::span<std::byte> workspace, std::size_t worker) {
    static_cast<ParallelEncoder*>(context)->work(workspace, worker == 0);
  };
  task.context = &encoder;
  task.workspace_size = slots * max_chunk_size(codec, type, header.cut.values_in(0));
  task.threads = std::min<std::uint64_t>(header.cut.chunks() / chunks_per_thread, most_threads);
  if (!options.pool->run(task)) return std::nullopt;
  return unless_out_of_memory(encoder.result());
}

std::optional<Result> decode_in_parallel(const View& view, const Header& header,
                                         const Options& options, std::span<std::byte> values) {
  if (header.cut.chunks() < 2 * chunks_per_thread) return std::nullopt;
  ParallelDecoder decoder(view, header, options.poll, values);
  os::ThreadPool::Task task;
  task.work = [](void* context, std::span<std::byte>, std::size_t worker) {
    static_cast<ParallelDecoder*>(context)->work(worker == 0);
  };
  task.context = &decoder;
  task.threads = header.cut.chunks() / chunks_per_thread;
  if (!options.pool->run(task)) return std::nullopt;
  return unless_out_of_memory(decoder.result());
}

}  // namespace tightwire::codec::chunked
