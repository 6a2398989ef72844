#include "device/processor.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <future>
#include <stdexcept>
#include <thread>

#include "codec/chunked/layout.h"
#include "device/host_codec.h"
#include "device/profile.h"

namespace tightwire::bench {
namespace {

using codec::chunked::Cut;

// Some neighbouring chunks of a message.
struct Part {
  std::uint64_t first;  // chunk
  Cut cut;              // of these alone
};

Cut cut_of(codec::ElementType type, std::size_t bytes) {
  const std::size_t size = codec::element_size(type);
  return {bytes / size, device::chunk_bytes / size};
}

std::vector<Part> parts_of(const Cut& whole) {
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t chunks = whole.chunks() / cores + 1;
  std::vector<Part> parts;
  for (std::uint64_t first = 0; first < whole.chunks(); first += chunks) {
    const std::uint64_t left = whole.count - whole.first(first);
    parts.push_back(
        {first, {std::min(left, chunks * whole.values_per_chunk), whole.values_per_chunk}});
  }
  return parts;
}

std::uint64_t end_of(const Stream& stream, std::uint64_t chunk) {
  return chunk == 0 ? 0 : codec::chunked::read_end(stream.data(), chunk - 1);
}

Stream begun(const codec::bounded::Header& header, const Cut& cut, std::size_t payload) {
  Stream stream(codec::chunked::payload_offset(cut) + payload);
  codec::chunked::write_header({codec::Id::bounded, header.type, cut}, stream.data());
  return stream;
}

// The part of a stream, as a stream.
Stream cut_out(const codec::bounded::Header& header, const Stream& whole, const Cut& cut,
               const Part& part) {
  const std::uint64_t start = end_of(whole, part.first);
  const std::uint64_t end = end_of(whole, part.first + part.cut.chunks());
  Stream stream = begun(header, part.cut, end - start);
  for (std::uint64_t chunk = 0; chunk < part.cut.chunks(); ++chunk) {
    codec::chunked::write_end(stream.data(), chunk, end_of(whole, part.first + chunk + 1) - start);
  }
  std::memcpy(stream.data() + codec::chunked::payload_offset(part.cut),
              whole.data() + codec::chunked::payload_offset(cut) + start, end - start);
  return stream;
}

Stream joined(const codec::bounded::Header& header, const Cut& cut, const std::vector<Part>& parts,
              const std::vector<Stream>& streams) {
  Stream whole = begun(header, cut, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint64_t start = whole.size() - codec::chunked::payload_offset(cut);
    for (std::uint64_t chunk = 0; chunk < parts[i].cut.chunks(); ++chunk) {
      codec::chunked::write_end(whole.data(), parts[i].first + chunk,
                                start + end_of(streams[i], chunk + 1));
    }
    const auto payload = static_cast<std::ptrdiff_t>(codec::chunked::payload_offset(parts[i].cut));
    whole.insert(whole.end(), streams[i].begin() + payload, streams[i].end());
  }
  return whole;
}

// make(part, room for it) for each part at the same time.
template <class Make>
Stream made_by_parts(const codec::bounded::Header& header, const Cut& cut, Make make) {
  const std::vector<Part> parts = parts_of(cut);
  std::vector<std::future<Stream>> running;
  for (const Part& part : parts) {
    running.push_back(std::async(std::launch::async, [&header, &make, part] {
      Stream out(device::max_encoded_size(header.type, part.cut.count));
      const codec::Result result = make(part, out);
      if (!result.ok()) throw std::runtime_error("the processor's own coding failed");
      out.resize(result.size);
      return out;
    }));
  }
  std::vector<Stream> streams;
  for (auto& stream : running) streams.push_back(stream.get());
  return joined(header, cut, parts, streams);
}

// Its values.
std::span<const std::byte> part_of(std::span<const std::byte> values, const Cut& cut,
                                   const Part& part, codec::ElementType type) {
  const std::size_t size = codec::element_size(type);
  return values.subspan(cut.first(part.first) * size, part.cut.count * size);
}

}  // namespace

Stream encoded_by_processor(const codec::bounded::Header& header,
                            std::span<const std::byte> values) {
  const Cut cut = cut_of(header.type, values.size());
  return made_by_parts(header, cut, [&](const Part& part, Stream& out) {
    return device::encode(device::HostLanes(), header, part_of(values, cut, part, header.type),
                          out);
  });
}

Stream merged_by_processor(const codec::bounded::Header& header, const Stream& incoming,
                           std::span<const std::byte> own) {
  const Cut cut = cut_of(header.type, own.size());
  return made_by_parts(header, cut, [&](const Part& part, Stream& out) {
    const Stream of_incoming = cut_out(header, incoming, cut, part);
    return device::merge(device::HostLanes(), header, of_incoming,
                         part_of(own, cut, part, header.type), out);
  });
}

Stream combined_by_processor(const codec::bounded::Header& header, std::size_t count,
                             const Stream& first, const Stream& second) {
  const Cut cut = cut_of(header.type, count * codec::element_size(header.type));
  return made_by_parts(header, cut, [&](const Part& part, Stream& out) {
    const Stream of_first = cut_out(header, first, cut, part);
    const Stream of_second = cut_out(header, second, cut, part);
    return device::combine(device::HostLanes(), header, part.cut.count, of_first, of_second, out);
  });
}

}  // namespace tightwire::bench
