// Writes the corpus that the fuzzers begin with: make_corpus FOLDER. Small valid inputs of each
// target; run it again where a format changes, and check the result in.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "../cli/elf_builder.h"
#include "cli/file/container.h"
#include "codec/chunked/chunked.h"
#include "codec/codec.h"
#include "device/host_codec.h"
#include "wire/pack.h"
#include "wire/round_header.h"
#include "wire/trailer.h"

namespace {

using namespace tightwire;
using codec::ElementType;
using Bytes = std::vector<std::byte>;

constexpr std::size_t count = 300;

class Corpus {
 public:
  explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const std::string& target, const std::string& name, const Bytes& head,
           std::span<const std::byte> rest) const {
    std::filesystem::create_directories(folder_ / target);
    std::ofstream file(folder_ / target / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(head.data()),
               static_cast<std::streamsize>(head.size()));
    file.write(reinterpret_cast<const char*>(rest.data()),
               static_cast<std::streamsize>(rest.size()));
  }

 private:
  std::filesystem::path folder_;
};

Bytes head_of(std::initializer_list<unsigned> bytes) {
  Bytes head;
  for (const unsigned byte : bytes) head.push_back(static_cast<std::byte>(byte));
  return head;
}

template <class T>
Bytes wave(std::size_t length) {
  std::vector<T> values(length);
  for (std::size_t i = 0; i < length; ++i) {
    values[i] = static_cast<T>(100 * std::sin(0.05 * static_cast<double>(i)));
  }
  if constexpr (std::is_floating_point_v<T>) {
    values[7] = std::numeric_limits<T>::quiet_NaN();
    values[100] = static_cast<T>(1e30);
    values[101] = T{-0.0};
    values[120] = 5 * std::numeric_limits<T>::denorm_min();
    std::fill(values.begin() + 150, values.begin() + 180, static_cast<T>(1e20));
  }
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

Bytes values_of(ElementType type, std::size_t length) {
  switch (type) {
    case ElementType::float32:
      return wave<float>(length);
    case ElementType::float64:
      return wave<double>(length);
    case ElementType::int64:
      return wave<std::int64_t>(length);
    case ElementType::int32:
      return wave<std::int32_t>(length);
    case ElementType::int16:
      return wave<std::int16_t>(length);
    default:
      return wave<std::int8_t>(length);
  }
}

codec::Parameters some_parameters() {
  codec::Parameters parameters;
  parameters.error_bound = 0.125;
  parameters.terms = 3;
  parameters.row_length = 20;
  return parameters;
}

Bytes encoded(const codec::Codec& codec, ElementType type, const codec::Parameters& parameters,
              std::size_t length = count) {
  const Bytes values = values_of(type, length);
  Bytes out(codec.max_encoded_size(type, length));
  out.resize(codec.encode(type, values, parameters, out).size);
  return out;
}

// Half of them in runs, or few distinct ones, through `exact`.
void add_repeats(const Corpus& corpus, unsigned index) {
  const codec::Codec& exact = *codec::find(codec::Id::exact);
  codec::Parameters parameters;
  parameters.second_stage = codec::SecondStage::entropy;
  for (const bool runs : {true, false}) {
    const std::size_t length = runs ? 400 : 2100;
    std::vector<float> values(length);
    for (std::size_t i = 0; i < length; ++i) {
      const auto k = static_cast<float>(i * i * 31 % (runs ? 1009 : 61));
      values[i] = runs && i / 40 % 2 == 0 ? 1e20f : std::sqrt(k + 2);
    }
    const auto bytes = std::as_bytes(std::span(values));
    Bytes out(exact.max_encoded_size(ElementType::float32, length));
    out.resize(exact.encode(ElementType::float32, bytes, parameters, out).size);
    const auto type = static_cast<unsigned>(ElementType::float32);
    corpus.add("decode", runs ? "exact-runs" : "exact-list",
               head_of({index, type, static_cast<unsigned>(length & 0xff),
                        static_cast<unsigned>(length >> 8)}),
               out);
  }
}

void add_codec(const Corpus& corpus, unsigned index, ElementType type) {
  const codec::Codec& codec = *codec::all()[index];
  const auto type_byte = static_cast<unsigned>(type);
  const std::string name = std::string(codec.name()) + "-" + std::to_string(type_byte);
  // SZ3 wants more values than the others before it is used at all.
  const std::size_t length = codec.id() == codec::Id::sz3 ? 1100 : count;
  const Bytes stream = encoded(codec, type, some_parameters(), length);
  const Bytes decode_head = head_of(
      {index, type_byte, static_cast<unsigned>(length & 0xff), static_cast<unsigned>(length >> 8)});
  corpus.add("decode", name, decode_head, stream);
  codec::Parameters second = some_parameters();
  second.second_stage = codec::SecondStage::entropy;
  if (codec.id() == codec::Id::exact) {
    add_repeats(corpus, index);
    corpus.add("decode", name + "-entropy", decode_head, encoded(codec, type, second));
  }
  corpus.add("round_trip", name, head_of({index, type_byte, 0, 125, 2, 20, 8, 1}),
             values_of(type, length));

  Bytes chunks(codec::chunked::max_encoded_size(codec, type, count, 128));
  codec::chunked::Options options;
  options.values_per_chunk = 128;
  chunks.resize(codec::chunked::encode(codec, type, values_of(type, count), some_parameters(),
                                       options, chunks)
                    .size);
  corpus.add("chunked", name, head_of({type_byte, count & 0xff, count >> 8}), chunks);

  const Bytes values = values_of(type, count);
  Bytes frame(wire::packing_size(codec, type, values.size()));
  frame.resize(wire::pack(codec, type, values, some_parameters(), 1, frame));
  corpus.add("frame", name, head_of({type_byte, 0, 1, count & 0xff, count >> 8}), frame);

  const Bytes file_stream = encoded(codec, type, some_parameters());
  corpus.add(
      "container", name,
      cli::container_header({codec.id(), type, count, codec.lossy() ? 0.125 : 0, file_stream}),
      file_stream);
}

// With a grid of its own, and with none.
void add_alone(const Corpus& corpus, ElementType type) {
  codec::Parameters parameters;
  parameters.alone = true;
  const auto type_byte = static_cast<unsigned>(type);
  const codec::Codec& codec = *codec::find(codec::Id::bounded);
  const auto index =
      static_cast<unsigned>(std::ranges::find(codec::all(), &codec) - codec::all().begin());
  for (const double bound : {0.125, 1e-300}) {
    parameters.error_bound = bound;
    corpus.add("decode", (bound > 0.1 ? "alone-" : "no-grid-") + std::to_string(type_byte),
               head_of({index, type_byte, count & 0xff, count >> 8}),
               encoded(codec, type, parameters));
  }
  parameters.error_bound = 0.125;
  parameters.second_stage = codec::SecondStage::entropy;
  corpus.add("decode", "alone-entropy-" + std::to_string(type_byte),
             head_of({index, type_byte, count & 0xff, count >> 8}),
             encoded(codec, type, parameters));
}

// With so many earlier messages, of which every second tile is no guide.
void add_history(const Corpus& corpus, ElementType type, unsigned references, bool coded,
                 codec::Id id = codec::Id::exact) {
  constexpr std::size_t length = 3100;
  const std::size_t size = element_size(type);
  const Bytes values = values_of(type, length);
  std::vector<Bytes> before(references, values);
  for (Bytes& one : before) {
    for (std::size_t i = 0; i < length; i += i / 1024 % 2 == 0 ? 1 : 31) {
      one[i * size] ^= std::byte(i * 7 + one.size());
      if (i / 1024 % 2 == 0) one[(i + 1) * size - 1] ^= std::byte(i * 11);
    }
  }
  const std::vector<std::span<const std::byte>> spans(before.begin(), before.end());
  codec::Parameters parameters;
  parameters.references = spans;
  if (coded) parameters.second_stage = codec::SecondStage::entropy;
  parameters.alone = true;
  parameters.error_bound = 0.25;
  const codec::Codec& codec = *codec::find(id);
  Bytes stream(codec.max_encoded_size(type, length));
  stream.resize(codec.encode(type, values, parameters, stream).size);
  const auto type_byte = static_cast<unsigned>(type);
  const std::string name =
      std::to_string(type_byte) + (codec.lossy() ? "-bounded" : "") + (coded ? "-entropy" : "");
  corpus.add("history", "decode-" + name,
             head_of({type_byte, 0, references, length & 0xff, length >> 8, 1, 0}), stream);
  corpus.add("history", "round-trip-" + name,
             head_of({type_byte, coded ? 3U : 1U + 4 * 2, references, 0, 0, 5, 1}),
             std::span(values).first(1100 * size));
}

// Bytes that are taken for words.
void add_words(const Corpus& corpus) {
  constexpr std::size_t length = 20001;
  Bytes values = values_of(ElementType::float32, length / sizeof(float));
  values.resize(length);
  const codec::Codec& codec = *codec::find(codec::Id::exact);
  Bytes stream(codec.max_encoded_size(ElementType::bytes, length));
  stream.resize(codec.encode(ElementType::bytes, values, {}, stream).size);
  const auto index =
      static_cast<unsigned>(std::ranges::find(codec::all(), &codec) - codec::all().begin());
  corpus.add("decode", "words", head_of({index, 0, length & 0xff, length >> 8}), stream);
}

// Three components, of which two decay and one repeats, in tiles and through the entropy coder.
void add_components(const Corpus& corpus, codec::Id id, codec::SecondStage stage) {
  constexpr std::size_t length = 5000;
  std::vector<float> values(length);
  for (std::size_t i = 0; i < length; ++i) {
    const auto turn = static_cast<double>(i / 3);
    values[i] = i % 3 == 2 ? 7.0F
                           : static_cast<float>(static_cast<double>(1 + i % 3 * 50) *
                                                std::exp(-1e-2 * turn) * std::sin(0.1 * turn));
  }
  codec::Parameters parameters;
  parameters.error_bound = 1e-3;
  parameters.alone = true;
  parameters.components = 3;
  parameters.row_length = 60;
  parameters.second_stage = stage;
  const codec::Codec& codec = *codec::find(id);
  const auto bytes = std::as_bytes(std::span(values));
  Bytes stream(codec.max_encoded_size(ElementType::float32, length));
  stream.resize(codec.encode(ElementType::float32, bytes, parameters, stream).size);
  const auto index =
      static_cast<unsigned>(std::ranges::find(codec::all(), &codec) - codec::all().begin());
  const auto type = static_cast<unsigned>(ElementType::float32);
  const bool coded = stage == codec::SecondStage::entropy;
  const std::string name = std::string(codec.name()) + "-components" + (coded ? "-entropy" : "");
  corpus.add("decode", name, head_of({index, type, length & 0xff, length >> 8}), stream);
  // Flags: whether coded, alone, and two components more than one.
  const unsigned flags = (coded ? 0 : 1) + 4 + 8 * 2;
  corpus.add("round_trip", name, head_of({index, type, 0, 118, 0, 60, 8, flags}),
             bytes.first(bytes.size() / 4));
}

void add_combine(const Corpus& corpus, ElementType type) {
  const Bytes stream = encoded(*codec::find(codec::Id::bounded), type, some_parameters());
  const auto size = static_cast<unsigned>(stream.size());
  for (unsigned operation = 0; operation < 3; ++operation) {
    Bytes head = head_of({type == ElementType::float32 ? 0U : 1U, operation, count & 0xff,
                          count >> 8, 125, 2, 20, size & 0xff, size >> 8});
    head.insert(head.end(), stream.begin(), stream.end());
    const std::string name =
        std::to_string(static_cast<unsigned>(type)) + "-" + std::to_string(operation);
    corpus.add("combine", "two-" + name, head, stream);
    corpus.add("combine", "values-" + name, head, values_of(type, count));
  }
}

// The same in a frame of a collective, and as a message.
void add_device_frames(const Corpus& corpus, ElementType type, const std::string& name,
                       const Bytes& stream, std::size_t value_bytes) {
  constexpr auto id = codec::Id::bounded_device;
  const std::size_t length = value_bytes / element_size(type);
  Bytes frame(wire::header_size + stream.size());
  frame.resize(wire::pack_encoded(id, id, type, value_bytes, stream, 1, frame));
  corpus.add("frame", "device-" + name,
             head_of({static_cast<unsigned>(type), 0, 1, static_cast<unsigned>(length & 0xff),
                      static_cast<unsigned>(length >> 8)}),
             frame);
  const auto mark = wire::write_mark();
  const auto end = wire::write_trailer(
      {wire::FrameKind::encoded, id, type, id, value_bytes, stream.size(), 0, 1}, stream);
  Bytes message(mark.begin(), mark.end());
  message.insert(message.end(), stream.begin(), stream.end());
  message.insert(message.end(), end.begin(), end.end());
  corpus.add("message", "device-" + name, head_of({0, 0}), message);
}

// Streams of the device profile: with a grid of their own, and on one for sums.
void add_device(const Corpus& corpus, ElementType type) {
  constexpr std::size_t length = 1500;
  constexpr unsigned bound = 125;  // 2^-3
  constexpr unsigned terms = 3;
  const auto which = type == ElementType::float32 ? 0U : 1U;
  const Bytes values = values_of(type, length);
  constexpr unsigned decodes = 0;
  constexpr unsigned merges = 1;
  constexpr unsigned combines = 3;
  const auto add = [&](const std::string& name, const codec::bounded::Header& header,
                       unsigned what) {
    Bytes stream(device::max_encoded_size(type, length));
    stream.resize(device::encode({}, header, values, stream).size);
    Bytes head = head_of({which, what, bound, terms - 1, length & 0xff, length >> 8});
    if (what != decodes) {
      constexpr unsigned own = 200;
      const Bytes more = head_of({own, 0});
      head.insert(head.end(), more.begin(), more.end());
      head.insert(head.end(), values.begin(),
                  values.begin() + static_cast<std::ptrdiff_t>(own * element_size(type)));
    }
    const std::string file = name + (which == 0 ? "-float32" : "-float64");
    corpus.add("device", file, head, stream);
    if (what == decodes) add_device_frames(corpus, type, file, stream, values.size());
  };
  add("own-grid", device::header_for(type, 0.125, -100, 100), decodes);
  add("sums", device::header_for_sums(type, 0.125, terms), decodes);
  add("merge", device::header_for_sums(type, 0.125, terms), merges);
  add("combine", device::header_for_sums(type, 0.125, terms), combines);
}

// Whole tiles whose widths are close, predicted from three rows above.
void add_rows(const Corpus& corpus, codec::Id id) {
  constexpr std::size_t row_length = 128;
  constexpr std::size_t length = 128 * row_length;
  std::vector<float> values(length);
  for (std::size_t i = 0; i < length; ++i) {
    const auto column = static_cast<double>(i % row_length);
    const std::size_t line = i / row_length;
    const auto row = static_cast<double>(line);
    values[i] = static_cast<float>(std::sin(0.1 * column) * std::cos(0.2 * row));
  }
  const codec::Codec& codec = *codec::find(id);
  codec::Parameters parameters = some_parameters();
  parameters.error_bound = 2e-3;
  parameters.row_length = row_length;
  Bytes stream(codec.max_encoded_size(ElementType::float32, length));
  stream.resize(
      codec.encode(ElementType::float32, std::as_bytes(std::span(values)), parameters, stream)
          .size);
  const auto index =
      static_cast<unsigned>(std::ranges::find(codec::all(), &codec) - codec::all().begin());
  corpus.add(
      "decode", std::string(codec.name()) + "-rows",
      head_of({index, static_cast<unsigned>(ElementType::float32), length & 0xff, length >> 8}),
      stream);
}

// Atoms as a program packs them: a length, coordinates, a type, a charge, a number that stands for
// none; the last one is cut short.
template <class T>
void add_records(const Corpus& corpus, ElementType type) {
  constexpr std::size_t length = 500;
  std::vector<T> values;
  for (std::size_t i = 0; values.size() < length; ++i) {
    const double place = std::sin(static_cast<double>(i)) * 40;
    values.insert(values.end(), {T{12}, static_cast<T>(place), static_cast<T>(place * 1e-3 + 0.1),
                                 static_cast<T>(place * 1e5), static_cast<T>(1 + i % 3),
                                 i % 2 == 0 ? T{-0.5} : T{0.25}, i % 5 == 0 ? T(1e30) : T{-0.0}});
  }
  values.resize(length);
  const auto index = static_cast<unsigned>(
      std::ranges::find(codec::all(), codec::find(codec::Id::bounded)) - codec::all().begin());
  // Flags: tiles, alone, and six components more than one.
  corpus.add("round_trip", "bounded-records-" + std::to_string(static_cast<unsigned>(type)),
             head_of({index, static_cast<unsigned>(type), 0, 118, 0, 0, 8, 1 + 4 + 8 * 6}),
             std::as_bytes(std::span(values)));
}

// Planes of 5 rows of 8, much alike, with holes in half of them.
void add_planes(const Corpus& corpus, codec::Id id, codec::SecondStage stage) {
  constexpr std::size_t length = 3000;
  std::vector<float> values(length);
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t place = i % 40;
    const bool hole = i % 80 > 73 && id == codec::Id::bounded;
    values[i] = hole ? 1e20F : static_cast<float>(place * place * 37 % 101 + i / 40);
    if (i % 97 == 5) values[i] += 0.4F;
  }
  const codec::Codec& codec = *codec::find(id);
  codec::Parameters parameters;
  parameters.error_bound = 1e-3;
  parameters.alone = true;
  parameters.row_length = 8;
  parameters.plane_length = 40;
  parameters.second_stage = stage;
  const auto bytes = std::as_bytes(std::span(values));
  Bytes stream(codec.max_encoded_size(ElementType::float32, length));
  stream.resize(codec.encode(ElementType::float32, bytes, parameters, stream).size);
  const auto index =
      static_cast<unsigned>(std::ranges::find(codec::all(), &codec) - codec::all().begin());
  const auto type = static_cast<unsigned>(ElementType::float32);
  const bool coded = stage == codec::SecondStage::entropy;
  const std::string name = std::string(codec.name()) + "-planes" + (coded ? "-entropy" : "");
  corpus.add("decode", name, head_of({index, type, length & 0xff, length >> 8}), stream);
  // Flags: whether coded, alone, and four rows more than one in a plane.
  const unsigned flags = (coded ? 0 : 1) + 4 + 8 * 4 + 128;
  corpus.add("round_trip", name, head_of({index, type, 0, 118, 0, 8, 8, flags}),
             bytes.first(bytes.size() / 4));
}

// Residuals that are mostly 0, four at a time, of values that do not repeat.
void add_fours(const Corpus& corpus) {
  constexpr std::size_t length = 2000;
  std::vector<std::int32_t> values(length);
  for (std::size_t i = 0; i < length; ++i) {
    values[i] = static_cast<std::int32_t>(i % 2 * 50 + i / 19 + (i % 401 == 7 ? 30 : 0));
  }
  const codec::Codec& codec = *codec::find(codec::Id::exact);
  codec::Parameters parameters;
  parameters.second_stage = codec::SecondStage::entropy;
  Bytes stream(codec.max_encoded_size(ElementType::int32, length));
  stream.resize(
      codec.encode(ElementType::int32, std::as_bytes(std::span(values)), parameters, stream).size);
  const auto index =
      static_cast<unsigned>(std::ranges::find(codec::all(), &codec) - codec::all().begin());
  corpus.add(
      "decode", "exact-fours",
      head_of({index, static_cast<unsigned>(ElementType::int32), length & 0xff, length >> 8}),
      stream);
}

// As p2p writes them.
void add_messages(const Corpus& corpus) {
  const auto repaired = head_of({0, 0});
  const Bytes values = values_of(ElementType::float64, count);
  for (const codec::Codec* codec : codec::all()) {
    const Bytes payload = encoded(*codec, ElementType::float64, some_parameters());
    if (payload.size() + wire::overhead(false) > values.size()) continue;
    wire::Trailer trailer{wire::FrameKind::encoded,
                          codec->id(),
                          ElementType::float64,
                          codec->id(),
                          values.size(),
                          payload.size()};
    const auto mark = wire::write_mark();
    const auto end = wire::write_trailer(trailer, payload);
    Bytes message(mark.begin(), mark.end());
    message.insert(message.end(), payload.begin(), payload.end());
    message.insert(message.end(), end.begin(), end.end());
    corpus.add("message", std::string(codec->name()), repaired, message);
  }
  const std::size_t kept = values.size() - wire::trailer_size;
  const wire::Trailer trailer{wire::FrameKind::stored,
                              codec::Id::raw,
                              ElementType::bytes,
                              codec::Id::raw,
                              values.size(),
                              kept,
                              5};
  Bytes trailing(wire::trailing_size(wire::trailer_size));
  wire::write_trailing_bytes(std::span(values).subspan(kept), trailer.tag, trailing);
  const auto end = wire::write_trailer(trailer, {});
  Bytes head = head_of({0, static_cast<unsigned>(trailing.size())});
  head.insert(head.end(), trailing.begin(), trailing.end());
  head.insert(head.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(kept));
  corpus.add("message", "stored", head, end);
}

// Predicted from two messages before it.
void add_message_with_history(const Corpus& corpus) {
  const Bytes values = values_of(ElementType::float64, count);
  const codec::Codec& codec = *codec::find(codec::Id::exact);
  const Bytes payload = encoded(codec, ElementType::float64, some_parameters());
  wire::Trailer trailer{wire::FrameKind::encoded, codec.id(),    ElementType::float64, codec.id(),
                        2 * values.size(),        payload.size()};
  trailer.has_history = true;
  const auto mark = wire::write_mark();
  const auto block = wire::write_history({3, 9, 5, 77, 2, 2});
  const auto end = wire::write_trailer(trailer, payload);
  Bytes message(mark.begin(), mark.end());
  message.insert(message.end(), payload.begin(), payload.end());
  message.insert(message.end(), block.begin(), block.end());
  message.insert(message.end(), end.begin(), end.end());
  corpus.add("message", "history", head_of({0, 0}), message);
}

void add_round_headers(const Corpus& corpus) {
  constexpr unsigned size = 1000;
  for (const unsigned pieces : {1U, 3U}) {
    corpus.add("round_header", std::to_string(pieces), head_of({size & 0xff, size >> 8, 0}),
               wire::write_round_header({size, 300, pieces, 7}));
  }
}

void add_programs(const Corpus& corpus) {
  cli::ElfBuilder library;
  library.needs("libmpi.so.40").needs("libc.so.6").defines("MPI_Init").calls("main");
  corpus.add("elf", "library", {}, library.build());
  corpus.add("elf", "program", {}, library.interpreter("/lib64/ld-linux-x86-64.so.2").build());
}

}  // namespace

int main(int arguments, char** words) {
  if (arguments != 2) return 2;
  const Corpus corpus(words[1]);
  for (unsigned index = 0; index < codec::all().size(); ++index) {
    for (const ElementType type : {ElementType::bytes, ElementType::int16, ElementType::int64,
                                   ElementType::float32, ElementType::float64}) {
      if (codec::all()[index]->supports(type)) add_codec(corpus, index, type);
    }
  }
  add_combine(corpus, ElementType::float32);
  add_combine(corpus, ElementType::float64);
  add_device(corpus, ElementType::float32);
  add_device(corpus, ElementType::float64);
  add_alone(corpus, ElementType::float32);
  add_alone(corpus, ElementType::float64);
  add_records<float>(corpus, ElementType::float32);
  add_records<double>(corpus, ElementType::float64);
  add_words(corpus);
  add_rows(corpus, codec::Id::bounded);
  for (const auto id : {codec::Id::bounded, codec::Id::exact}) {
    add_planes(corpus, id, codec::SecondStage::none);
    add_planes(corpus, id, codec::SecondStage::entropy);
  }
  add_fours(corpus);
  add_components(corpus, codec::Id::bounded, codec::SecondStage::none);
  add_components(corpus, codec::Id::exact, codec::SecondStage::none);
  add_components(corpus, codec::Id::exact, codec::SecondStage::entropy);
  add_history(corpus, ElementType::bytes, 2, false);
  add_history(corpus, ElementType::int32, 3, false);
  add_history(corpus, ElementType::float32, 8, true);
  add_history(corpus, ElementType::float64, 4, false);
  add_history(corpus, ElementType::float64, 6, true);
  add_history(corpus, ElementType::float32, 2, false, codec::Id::bounded);
  add_history(corpus, ElementType::float64, 3, true, codec::Id::bounded);
  add_messages(corpus);
  add_message_with_history(corpus);
  add_round_headers(corpus);
  add_programs(corpus);
  return 0;
}
