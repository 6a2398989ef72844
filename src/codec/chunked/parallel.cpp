// Threads take chunks in order from a counter. An encoded chunk's place is known once those before
// it have their sizes: a thread encodes into its workspace, waits for its turn to claim a place,
// and copies while the others go on. Whoever holds a chunk is running, so the wait is for work that
// is being done, and the order of places makes the bytes independent of the threads.
#include "codec/chunked/parallel.h"

#include <atomic>
#include <cstring>

#include "codec/chunked/chunk.h"
#include "os/thread_pool.h"

namespace tightwire::codec::chunked {
namespace {

// With less than this many chunks for a thread, waking it costs more than it gives.
constexpr std::uint64_t chunks_per_thread = 2;

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
    while (!failed_.load(std::memory_order_relaxed)) {
      const std::uint64_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= header_.cut.chunks()) return;
      const Result result = encode_chunk(codec_, header_.type, chunk_of(values_, header_, chunk),
                                         parameters_, workspace);
      const std::size_t place = claim_place(chunk, result);
      if (result.ok()) std::memcpy(out_.data() + place, workspace.data(), result.size);
      if (of_caller) poll_();
    }
  }

  [[nodiscard]] Result result() const {
    return {error_, error_ == Error::none ? size_ : std::size_t{0}};
  }

 private:
  // Chunks pass here in their order, so of several errors the first one stands.
  std::size_t claim_place(std::uint64_t chunk, const Result& result) {
    for (std::uint64_t turn = turn_.load(std::memory_order_acquire); turn != chunk;
         turn = turn_.load(std::memory_order_acquire)) {
      turn_.wait(turn, std::memory_order_acquire);
    }
    const std::size_t place = size_;
    size_ += result.size;
    write_end(out_.data(), chunk, size_ - payload_offset(header_.cut));
    if (!result.ok() && error_ == Error::none) {
      error_ = result.error;
      failed_.store(true, std::memory_order_relaxed);
    }
    turn_.store(chunk + 1, std::memory_order_release);
    turn_.notify_all();
    return place;
  }

  const Codec& codec_;
  const Header& header_;
  std::span<const std::byte> values_;
  const Parameters& parameters_;
  const Poll& poll_;
  std::span<std::byte> out_;

  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> failed_{false};

  std::atomic<std::uint64_t> turn_{0};  // whose chunk it is owns what follows
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
  task.workspace_size = max_chunk_size(codec, type, header.cut.values_in(0));
  task.threads = header.cut.chunks() / chunks_per_thread;
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
