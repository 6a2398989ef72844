#include "codec/chunked/chunked.h"

#include <algorithm>
#include <cstring>

#include "codec/chunked/chunk.h"
#include "codec/chunked/parallel.h"

namespace tightwire::codec::chunked {
namespace {

std::size_t length_of_chunks(ElementType type, std::size_t asked) {
  return asked != 0 ? asked : default_chunk_bytes / element_size(type);
}

Result encode_serially(const Codec& codec, ElementType type, std::span<const std::byte> values,
                       const Parameters& parameters, const Options& options,
                       std::span<std::byte> out) {
  Encoder encoder(codec, type, values, parameters, options.values_per_chunk, out);
  while (!encoder.done()) {
    encoder.step();
    options.poll();
  }
  if (encoder.error() != Error::none) return {encoder.error(), 0};
  return {Error::none, encoder.size()};
}

Result decode_serially(const View& view, const Header& header, const Poll& poll,
                       std::span<std::byte> values) {
  for (std::uint64_t chunk = 0; chunk < header.cut.chunks(); ++chunk) {
    const Error error = view.decode_chunk(chunk, chunk_of(values, header, chunk));
    if (error != Error::none) return {error, 0};
    poll();
  }
  return {Error::none, values.size()};
}

}  // namespace

std::size_t max_chunk_size(const Codec& codec, ElementType type, std::size_t count) {
  return std::max(codec.max_encoded_size(type, count), count * element_size(type));
}

std::size_t max_encoded_size(const Codec& codec, ElementType type, std::size_t count,
                             std::size_t values_per_chunk) {
  const Cut cut{count, length_of_chunks(type, values_per_chunk)};
  if (count == 0) return payload_offset(cut);
  const std::size_t before = (cut.chunks() - 1) * cut.values_per_chunk * element_size(type);
  return payload_offset(cut) + before + max_chunk_size(codec, type, cut.values_in(0));
}

Error make_header(const Codec& codec, ElementType type, std::span<const std::byte> values,
                  std::size_t values_per_chunk, std::size_t out_size, Header& header) {
  const std::size_t size = element_size(type);
  if (size == 0 || !codec.supports(type)) return Error::unsupported_type;
  if (values.size() % size != 0) return Error::bad_parameter;
  const std::size_t count = values.size() / size;
  header = {codec.id(), type, {count, length_of_chunks(type, values_per_chunk)}};
  if (out_size < max_encoded_size(codec, type, count, values_per_chunk)) {
    return Error::output_too_small;
  }
  return Error::none;
}

Result encode_chunk(const Codec& codec, ElementType type, std::span<const std::byte> values,
                    const Parameters& parameters, std::span<std::byte> out) {
  const Result result = codec.encode(type, values, parameters, out);
  const bool larger = result.ok() && result.size >= values.size();
  if (!larger && result.error != Error::incompressible) return result;
  std::memcpy(out.data(), values.data(), values.size());
  return {Error::none, values.size()};
}

Encoder::Encoder(const Codec& codec, ElementType type, std::span<const std::byte> values,
                 const Parameters& parameters, std::size_t values_per_chunk,
                 std::span<std::byte> out)
    : codec_(codec), values_(values), parameters_(parameters), out_(out) {
  error_ = parameters.references.empty()
               ? make_header(codec, type, values, values_per_chunk, out.size(), header_)
               : Error::bad_parameter;
  if (error_ != Error::none) return;
  write_header(header_, out.data());
  size_ = payload_offset(header_.cut);
}

void Encoder::step() {
  if (done()) return;
  const Result result = encode_chunk(codec_, header_.type, chunk_of(values_, header_, next_),
                                     parameters_, out_.subspan(size_));
  error_ = result.error;
  if (error_ != Error::none) return;
  size_ += result.size;
  write_end(out_.data(), next_, size_ - payload_offset(header_.cut));
  ++next_;
}

Error View::open(std::span<const std::byte> encoded, View& view) {
  Header header;
  if (const Error error = read_header(encoded, header); error != Error::none) return error;
  const Codec* codec = find(header.codec);
  // No streams in streams.
  const bool known = codec != nullptr && codec->id() != Id::bounded_device;
  if (!known || !codec->supports(header.type)) return Error::damaged;
  const std::size_t size = element_size(header.type);
  std::uint64_t end = 0;
  for (std::uint64_t chunk = 0; chunk < header.cut.chunks(); ++chunk) {
    const std::uint64_t start = end;
    end = read_end(encoded.data(), chunk);
    if (end < start || end - start > header.cut.values_in(chunk) * size) return Error::damaged;
  }
  if (end != encoded.size() - payload_offset(header.cut)) return Error::damaged;
  view.encoded_ = encoded;
  view.codec_ = codec;
  view.header_ = header;
  return Error::none;
}

std::span<const std::byte> View::encoded_chunk(std::uint64_t chunk) const {
  const std::uint64_t start = chunk == 0 ? 0 : read_end(encoded_.data(), chunk - 1);
  const std::uint64_t end = read_end(encoded_.data(), chunk);
  return encoded_.subspan(payload_offset(header_.cut) + start, end - start);
}

Error View::decode_chunk(std::uint64_t chunk, std::span<std::byte> values) const {
  const std::span<const std::byte> encoded = encoded_chunk(chunk);
  if (values.size() != header_.cut.values_in(chunk) * element_size(header_.type)) {
    return Error::bad_parameter;
  }
  if (encoded.size() == values.size()) {
    std::memcpy(values.data(), encoded.data(), values.size());
    return Error::none;
  }
  return codec_->decode(header_.type, encoded, values).error;
}

Result encode(const Codec& codec, ElementType type, std::span<const std::byte> values,
              const Parameters& parameters, const Options& options, std::span<std::byte> out) {
  if (!parameters.references.empty()) return {Error::bad_parameter, 0};
  if (options.pool != nullptr) {
    const auto result = encode_in_parallel(codec, type, values, parameters, options, out);
    if (result) return *result;
  }
  return encode_serially(codec, type, values, parameters, options, out);
}

Result decode(ElementType type, std::span<const std::byte> encoded, const Options& options,
              std::span<std::byte> values) {
  View view;
  if (const Error error = View::open(encoded, view); error != Error::none) return {error, 0};
  const Header header{view.codec().id(), view.type(), view.cut()};
  if (header.type != type || values.size() != header.cut.count * element_size(type)) {
    return {Error::damaged, 0};
  }
  if (options.pool != nullptr) {
    const auto result = decode_in_parallel(view, header, options, values);
    if (result) return *result;
  }
  return decode_serially(view, header, options.poll, values);
}

}  // namespace tightwire::codec::chunked
