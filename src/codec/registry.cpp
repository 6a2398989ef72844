// The list of codecs in this build.
#include <array>

#include "codec/adapters/lz4.h"
#include "codec/adapters/raw.h"
#include "codec/adapters/sz3.h"
#include "codec/adapters/zfp.h"
#include "codec/adapters/zstd.h"
#include "codec/bounded/bounded_codec.h"
#include "codec/codec.h"
#include "codec/exact/exact_codec.h"

namespace tightwire::codec {

std::span<const Codec* const> all() {
  static const std::array codecs{&raw(),          &zstd(),     &lz4(),           &sz3(),
                                 &zfp_accuracy(), &zfp_rate(), &bounded_codec(), &exact_codec()};
  return codecs;
}

const Codec* find(Id id) {
  for (const Codec* codec : all()) {
    if (codec->id() == id) return codec;
  }
  return nullptr;
}

const Codec* find(std::string_view name) {
  for (const Codec* codec : all()) {
    if (codec->name() == name) return codec;
  }
  return nullptr;
}

std::string_view describe(Error error) {
  switch (error) {
    case Error::none:
      return "no error";
    case Error::output_too_small:
      return "the output buffer is too small";
    case Error::damaged:
      return "the encoded data is damaged";
    case Error::unsupported_type:
      return "the codec does not support this element type";
    case Error::bad_parameter:
      return "a parameter is out of range";
    case Error::out_of_memory:
      return "out of memory";
    case Error::incompressible:
      return "the data would not become small enough";
    case Error::mismatched_grid:
      return "the encodings were made on different quantisation grids";
  }
  return "unknown error";
}

}  // namespace tightwire::codec
