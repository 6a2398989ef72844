#include "early/encoding/encoded_chunk.h"

#include <algorithm>
#include <ctime>
#include <new>

#include "timeline/events.h"

namespace tightwire::early {
namespace {

// Of this thread: what others do on its core does not count.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

std::shared_ptr<EncodedChunk> keep(codec::Id codec, Bytes payload, double encode_seconds) {
  try {
    auto encoding = std::make_shared<EncodedChunk>();
    encoding->codec = codec;
    encoding->size = payload.size();
    encoding->encode_seconds = encode_seconds;
    if (codec == codec::Id::raw) return encoding;
    encoding->memory = std::make_unique_for_overwrite<std::byte[]>(payload.size());
    std::copy(payload.begin(), payload.end(), encoding->memory.get());
    return encoding;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::size_t workspace_size(const codec::Encoding& encoding, std::size_t value_bytes) {
  return encoding.codec->max_encoded_size(encoding.type,
                                          value_bytes / codec::element_size(encoding.type));
}

std::shared_ptr<EncodedChunk> encode(const codec::Encoding& encoding, Bytes values,
                                     std::span<std::byte> workspace) {
  const timeline::Span span("encode", timeline::Kind::codec, values.size());
  const double start = processor_seconds();
  const codec::Result encoded =
      encoding.codec->encode(encoding.type, values, encoding.parameters, workspace);
  const double seconds = processor_seconds() - start;
  if (!encoded.ok() || encoded.size >= values.size()) return keep(codec::Id::raw, values, seconds);
  return keep(encoding.codec->id(), workspace.first(encoded.size), seconds);
}

}  // namespace tightwire::early
