// include/tightwire_codec.h: checks what C cannot, and passes on.
#include <algorithm>
#include <limits>
#include <new>
#include <optional>

#include "codec/chunked/chunked.h"
#include "codec/codec.h"
#include "os/thread_pool.h"
#include "tightwire_codec.h"

namespace codec = tightwire::codec;
using codec::Codec;
using codec::ElementType;
using codec::Error;

struct tightwire_codec_threads {
  tightwire::os::ThreadPool pool;
};

namespace {

// The numbers of C are for ever, those of C++ are not.
struct Numbered {
  int number;
  Error error;
};
constexpr Numbered errors[] = {
    {TIGHTWIRE_CODEC_OK, Error::none},
    {TIGHTWIRE_CODEC_OUTPUT_TOO_SMALL, Error::output_too_small},
    {TIGHTWIRE_CODEC_DAMAGED, Error::damaged},
    {TIGHTWIRE_CODEC_UNSUPPORTED_TYPE, Error::unsupported_type},
    {TIGHTWIRE_CODEC_BAD_PARAMETER, Error::bad_parameter},
    {TIGHTWIRE_CODEC_OUT_OF_MEMORY, Error::out_of_memory},
    {TIGHTWIRE_CODEC_MISMATCHED_GRID, Error::mismatched_grid},
};

constexpr int code(Error error) {
  for (const Numbered& each : errors) {
    if (each.error == error) return each.number;
  }
  return TIGHTWIRE_CODEC_BAD_PARAMETER;
}

static_assert(TIGHTWIRE_CODEC_BYTES == static_cast<int>(ElementType::bytes));
static_assert(TIGHTWIRE_CODEC_INT8 == static_cast<int>(ElementType::int8));
static_assert(TIGHTWIRE_CODEC_INT16 == static_cast<int>(ElementType::int16));
static_assert(TIGHTWIRE_CODEC_INT32 == static_cast<int>(ElementType::int32));
static_assert(TIGHTWIRE_CODEC_INT64 == static_cast<int>(ElementType::int64));
static_assert(TIGHTWIRE_CODEC_FLOAT32 == static_cast<int>(ElementType::float32));
static_assert(TIGHTWIRE_CODEC_FLOAT64 == static_cast<int>(ElementType::float64));

// No sum of sizes overflows with fewer bytes of values than this.
constexpr std::size_t most_bytes = std::numeric_limits<std::size_t>::max() / 64;

// Codec and type of a call, and the number of elements; error() where they are not sound.
class Subject {
 public:
  Subject(const Codec* codec, int type, std::size_t count) : codec_(codec), count_(count) {
    if (type < 0 || type > TIGHTWIRE_CODEC_FLOAT64) {
      error_ = TIGHTWIRE_CODEC_BAD_PARAMETER;
      return;
    }
    type_ = static_cast<ElementType>(type);
    if (count > most_bytes / element_size(type_)) error_ = TIGHTWIRE_CODEC_BAD_PARAMETER;
    if (codec == nullptr) error_ = TIGHTWIRE_CODEC_UNKNOWN_CODEC;
    if (codec != nullptr && !codec->supports(type_)) error_ = TIGHTWIRE_CODEC_UNSUPPORTED_TYPE;
  }
  Subject(const char* name, int type, std::size_t count)
      : Subject(name == nullptr ? nullptr : codec::find(std::string_view(name)), type, count) {}

  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] const Codec& codec() const { return *codec_; }
  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * element_size(type_); }

 private:
  const Codec* codec_;
  ElementType type_ = ElementType::bytes;
  std::size_t count_;
  int error_ = TIGHTWIRE_CODEC_OK;
};

std::span<const std::byte> bytes_of(const void* buffer, std::size_t size) {
  return {static_cast<const std::byte*>(buffer), size};
}

std::span<std::byte> bytes_of(void* buffer, std::size_t size) {
  return {static_cast<std::byte*>(buffer), size};
}

bool missing(const void* buffer, std::size_t size) {
  return buffer == nullptr && size != 0;
}

struct Checked {
  codec::Parameters parameters;
  std::size_t chunk_values = 0;
};

// Nothing if the struct was not set up by tightwire_codec_defaults() of a version that we know.
std::optional<Checked> checked(const tightwire_codec_parameters* given) {
  tightwire_codec_parameters parameters;
  tightwire_codec_defaults(&parameters);
  if (given != nullptr) {
    if (given->struct_size != sizeof parameters) return std::nullopt;
    if (given->second_stage < 0 || given->second_stage > 1) return std::nullopt;
    parameters = *given;
  }
  Checked result;
  result.parameters.error_bound = parameters.error_bound;
  result.parameters.row_length = parameters.row_length;
  result.parameters.zstd_level = parameters.zstd_level;
  result.parameters.zfp_rate = parameters.zfp_rate;
  if (parameters.second_stage == 1) result.parameters.second_stage = codec::SecondStage::zstd;
  result.chunk_values = std::min<std::uint64_t>(parameters.chunk_values, most_bytes / 8);
  return result;
}

codec::chunked::Options options_of(tightwire_codec_threads* threads, tightwire_codec_poll poll,
                                   void* context) {
  codec::chunked::Options options;
  options.pool = threads == nullptr ? nullptr : &threads->pool;
  options.poll = {poll, context};
  return options;
}

int deliver(const codec::Result& result, std::size_t* size) {
  if (result.ok()) *size = result.size;
  return code(result.error);
}

}  // namespace

extern "C" {

unsigned tightwire_codec_version(void) {
  return TIGHTWIRE_CODEC_VERSION;
}

const char* tightwire_codec_describe(int error) {
  if (error == TIGHTWIRE_CODEC_UNKNOWN_CODEC) return "there is no codec of this name";
  for (const Numbered& each : errors) {
    if (each.number == error) return codec::describe(each.error).data();
  }
  return "unknown error";
}

const char* tightwire_codec_name(size_t index, int* lossy) {
  const auto codecs = codec::all();
  if (lossy != nullptr) *lossy = 0;
  if (index >= codecs.size()) return nullptr;
  if (lossy != nullptr) *lossy = codecs[index]->lossy() ? 1 : 0;
  return codecs[index]->name().data();
}

void tightwire_codec_defaults(tightwire_codec_parameters* parameters) {
  if (parameters == nullptr) return;
  const codec::Parameters defaults;
  *parameters = {};
  parameters->struct_size = sizeof *parameters;
  parameters->error_bound = defaults.error_bound;
  parameters->row_length = defaults.row_length;
  parameters->zstd_level = defaults.zstd_level;
  parameters->zfp_rate = defaults.zfp_rate;
}

int tightwire_codec_max_encoded_size(const char* name, int type, size_t count, size_t* size) {
  if (size == nullptr) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  *size = 0;
  const Subject subject(name, type, count);
  if (subject.error() != TIGHTWIRE_CODEC_OK) return subject.error();
  *size = subject.codec().max_encoded_size(subject.type(), count);
  return TIGHTWIRE_CODEC_OK;
}

int tightwire_codec_encode(const char* name, int type, const void* values, size_t count,
                           const tightwire_codec_parameters* parameters, void* encoded,
                           size_t capacity, size_t* size) {
  if (size == nullptr) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  *size = 0;
  const Subject subject(name, type, count);
  if (subject.error() != TIGHTWIRE_CODEC_OK) return subject.error();
  const auto how = checked(parameters);
  if (!how || missing(values, count) || missing(encoded, capacity)) {
    return TIGHTWIRE_CODEC_BAD_PARAMETER;
  }
  return deliver(subject.codec().encode(subject.type(), bytes_of(values, subject.bytes()),
                                        how->parameters, bytes_of(encoded, capacity)),
                 size);
}

int tightwire_codec_decode(const char* name, int type, const void* encoded, size_t size,
                           void* values, size_t count) {
  const Subject subject(name, type, count);
  if (subject.error() != TIGHTWIRE_CODEC_OK) return subject.error();
  if (missing(encoded, size) || missing(values, count)) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  return code(
      subject.codec()
          .decode(subject.type(), bytes_of(encoded, size), bytes_of(values, subject.bytes()))
          .error);
}

tightwire_codec_threads* tightwire_codec_threads_create(unsigned limit) {
  return new (std::nothrow) tightwire_codec_threads{tightwire::os::ThreadPool(limit)};
}

void tightwire_codec_threads_free(tightwire_codec_threads* threads) {
  delete threads;
}

int tightwire_codec_chunked_max_encoded_size(const char* name, int type, size_t count,
                                             const tightwire_codec_parameters* parameters,
                                             size_t* size) {
  if (size == nullptr) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  *size = 0;
  const Subject subject(name, type, count);
  if (subject.error() != TIGHTWIRE_CODEC_OK) return subject.error();
  const auto how = checked(parameters);
  if (!how) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  *size =
      codec::chunked::max_encoded_size(subject.codec(), subject.type(), count, how->chunk_values);
  return TIGHTWIRE_CODEC_OK;
}

int tightwire_codec_chunked_encode(const char* name, int type, const void* values, size_t count,
                                   const tightwire_codec_parameters* parameters,
                                   tightwire_codec_threads* threads, tightwire_codec_poll poll,
                                   void* context, void* encoded, size_t capacity, size_t* size) {
  if (size == nullptr) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  *size = 0;
  const Subject subject(name, type, count);
  if (subject.error() != TIGHTWIRE_CODEC_OK) return subject.error();
  const auto how = checked(parameters);
  if (!how || missing(values, count) || missing(encoded, capacity)) {
    return TIGHTWIRE_CODEC_BAD_PARAMETER;
  }
  codec::chunked::Options options = options_of(threads, poll, context);
  options.values_per_chunk = how->chunk_values;
  return deliver(
      codec::chunked::encode(subject.codec(), subject.type(), bytes_of(values, subject.bytes()),
                             how->parameters, options, bytes_of(encoded, capacity)),
      size);
}

int tightwire_codec_chunked_decode(int type, const void* encoded, size_t size,
                                   tightwire_codec_threads* threads, tightwire_codec_poll poll,
                                   void* context, void* values, size_t count) {
  const Subject subject(codec::find(codec::Id::raw), type, count);
  if (subject.error() != TIGHTWIRE_CODEC_OK) return subject.error();
  if (missing(encoded, size) || missing(values, count)) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  return code(codec::chunked::decode(subject.type(), bytes_of(encoded, size),
                                     options_of(threads, poll, context),
                                     bytes_of(values, subject.bytes()))
                  .error);
}

int tightwire_codec_chunked_inspect(const void* encoded, size_t size,
                                    tightwire_codec_stream* stream) {
  if (stream == nullptr) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  *stream = {};
  if (missing(encoded, size)) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  codec::chunked::View view;
  const Error error = codec::chunked::View::open(bytes_of(encoded, size), view);
  if (error != Error::none) return code(error);
  stream->codec = view.codec().name().data();
  stream->type = static_cast<int>(view.type());
  stream->count = view.cut().count;
  stream->chunk_values = view.cut().values_per_chunk;
  stream->chunks = view.cut().chunks();
  return TIGHTWIRE_CODEC_OK;
}

int tightwire_codec_chunked_decode_chunk(const void* encoded, size_t size, uint64_t chunk,
                                         void* values, size_t count) {
  if (missing(encoded, size) || missing(values, count)) return TIGHTWIRE_CODEC_BAD_PARAMETER;
  codec::chunked::View view;
  const Error error = codec::chunked::View::open(bytes_of(encoded, size), view);
  if (error != Error::none) return code(error);
  if (chunk >= view.cut().chunks() || count != view.cut().values_in(chunk)) {
    return TIGHTWIRE_CODEC_BAD_PARAMETER;
  }
  return code(view.decode_chunk(chunk, bytes_of(values, count * element_size(view.type()))));
}
}
