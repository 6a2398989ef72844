#include "mpi/encoding/early_send.h"

#include <chrono>
#include <vector>

#include "mpi/byte_parts.h"
#include "runtime/runtime.h"
#include "wire/pack.h"

namespace tightwire::mpi {

bool codes_early() {
  return runtime::current().early != nullptr;
}

early::Send begin_early(std::span<const std::byte> values, std::size_t chunks,
                        const codec::Encoding& encoding, double link) {
  const auto& early = runtime::current().early;
  if (early == nullptr || encoding.codec->id() == codec::Id::raw) return {};
  std::vector<std::size_t> ends;
  for (std::size_t chunk = 0, end = 0; chunk < chunks; ++chunk)
    ends.push_back(end += byte_part(values, chunks, chunk).size());
  return early->begin(values, ends, {encoding.codec, encoding.type, encoding.parameters},
                      {link, chunks > 1});
}

std::size_t early_chunks(std::span<const std::byte> values, std::size_t chunks) {
  const auto& early = runtime::current().early;
  return early == nullptr ? chunks : early->finer_cut(values, chunks);
}

std::size_t pack_early(early::Send& send, std::size_t chunk, const codec::Encoding& encoding,
                       std::span<const std::byte> values, std::uint32_t sequence,
                       std::span<std::byte> frame) {
  if (const auto ready = send.take(chunk)) {
    const auto payload = ready->codec == codec::Id::raw ? values : ready->payload;
    return wire::pack_encoded(ready->codec, encoding.codec->id(), encoding.type, values.size(),
                              payload, sequence, frame);
  }
  const auto start = std::chrono::steady_clock::now();
  const std::size_t size =
      wire::pack(*encoding.codec, encoding.type, values, encoding.parameters, sequence, frame);
  if (send.tracked()) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    send.keep(chunk, wire::codec_of(frame),
              frame.subspan(wire::header_size, size - wire::header_size), elapsed.count());
  }
  return size;
}

}  // namespace tightwire::mpi
