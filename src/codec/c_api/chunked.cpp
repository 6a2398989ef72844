// The same for streams of chunks.
#include "codec/chunked/chunked.h"

#include <new>

#include "codec/c_api/arguments.h"
#include "os/thread_pool.h"

namespace codec = tightwire::codec;
using namespace codec::c_api;
using codec::Error;

struct tightwire_codec_threads {
  tightwire::os::ThreadPool pool;
};

namespace {

codec::chunked::Options options_of(tightwire_codec_threads* threads, tightwire_codec_poll poll,
                                   void* context) {
  codec::chunked::Options options;
  options.pool = threads == nullptr ? nullptr : &threads->pool;
  options.poll = {poll, context};
  return options;
}

}  // namespace

extern "C" {

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
