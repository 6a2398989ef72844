// Chunked streams: a message cut into chunks that decode independently, behind an index. Gives
// pipelining (chunk by chunk, with a poll between), threads, and random access.
//
// Ownership and errors as in codec.h. The bytes depend on the codec, the values, the parameters and
// the length of chunks alone, not on the number of threads. Hostile input: as codec.h says of
// decode(); the index is checked before anything is decoded. A chunk that its codec does not make
// smaller is stored as it is, so a stream is never larger than its values by more than the header
// and 8 bytes a chunk.
#pragma once

#include "codec/chunked/layout.h"
#include "codec/codec.h"
#include "os/thread_pool.h"

namespace tightwire::codec {}

namespace tightwire::codec::chunked {

inline constexpr std::size_t default_chunk_bytes = std::size_t{1} << 18;

// Runs on the thread that called encode() or decode(), after each chunk of that thread's. It must
// not throw, nor touch the buffers.
struct Poll {
  void (*function)(void* context) = nullptr;
  void* context = nullptr;
  void operator()() const {
    if (function != nullptr) function(context);
  }
};

struct Options {
  // 0: default_chunk_bytes of values. Multiples of 1024 suit `bounded` and `exact`.
  std::size_t values_per_chunk = 0;
  // Other threads help if it is given; see thread_pool.h.
  os::ThreadPool* pool = nullptr;
  Poll poll;
};

// What encode() asks of its output buffer.
[[nodiscard]] std::size_t max_encoded_size(const Codec& codec, ElementType type, std::size_t count,
                                           std::size_t values_per_chunk = 0);

// Error::output_too_small if `out` is smaller than max_encoded_size(), whatever the values.
// Allocates nothing itself, except that the pool grows its workspace when chunks are longer than
// ever before.
Result encode(const Codec& codec, ElementType type, std::span<const std::byte> values,
              const Parameters& parameters, const Options& options, std::span<std::byte> out);

// Fills exactly `values`; a stream of another type or count is damage. values_per_chunk of the
// options is not used. Result::size is that of the values.
Result decode(ElementType type, std::span<const std::byte> encoded, const Options& options,
              std::span<std::byte> values);

// encode() in steps, for a caller with something to do in between. The chunks written so far may be
// sent on before the rest is encoded. One thread at a time.
class Encoder {
 public:
  // The codec and the buffers must outlive the encoder.
  Encoder(const Codec& codec, ElementType type, std::span<const std::byte> values,
          const Parameters& parameters, std::size_t values_per_chunk, std::span<std::byte> out);

  // No chunk is left, or an error has occurred.
  [[nodiscard]] bool done() const { return error_ != Error::none || next_ == header_.cut.chunks(); }
  // Encodes the next chunk; nothing happens once done().
  void step();

  [[nodiscard]] Error error() const { return error_; }
  [[nodiscard]] std::uint64_t chunks_written() const { return next_; }
  // Of the stream so far; only the finished stream decodes.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  const Codec& codec_;
  std::span<const std::byte> values_;
  Parameters parameters_;
  std::span<std::byte> out_;
  Header header_;
  std::uint64_t next_ = 0;
  std::size_t size_ = 0;
  Error error_ = Error::none;
};

// A stream as its index shows it, and its chunks in any order. Immutable once opened; any number of
// threads may decode chunks at once. Refers to the encoded bytes.
class View {
 public:
  // Checks the header and the whole index.
  [[nodiscard]] static Error open(std::span<const std::byte> encoded, View& view);

  [[nodiscard]] const Codec& codec() const { return *codec_; }
  [[nodiscard]] ElementType type() const { return header_.type; }
  [[nodiscard]] const Cut& cut() const { return header_.cut; }

  // chunk < cut().chunks().
  [[nodiscard]] std::span<const std::byte> encoded_chunk(std::uint64_t chunk) const;
  // `values` holds the cut().values_in(chunk) values from cut().first(chunk) on.
  [[nodiscard]] Error decode_chunk(std::uint64_t chunk, std::span<std::byte> values) const;

 private:
  std::span<const std::byte> encoded_;
  const Codec* codec_ = nullptr;
  Header header_;
};

}  // namespace tightwire::codec::chunked
