// include/tightwire_codec.h: checks what C cannot, and passes on.
#include "codec/c_api/arguments.h"

namespace codec = tightwire::codec;
using namespace codec::c_api;

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
}
