// The list of codecs in this build.
#include <algorithm>
#include <array>

#include "codec/codec.h"
#include "codec/instances.h"
#include "codec/traits.h"

namespace tightwire::codec {
namespace {

auto instances() {
  std::array codecs{
#define TIGHTWIRE_CODEC(id, ...) &id##_codec(),
#include "codecs.def"
  };
  std::ranges::sort(codecs, {}, &Codec::id);
  return codecs;
}

}  // namespace

std::span<const Codec* const> all() {
  static const auto codecs = instances();
  return codecs;
}

std::string_view name_of(Id id) {
#define TIGHTWIRE_CODEC(...)
#define TIGHTWIRE_CARRIED_CODEC(carried, number, name) \
  if (id == Id::carried) return name;
#include "codecs.def"
  const auto* const found = std::ranges::find(all_traits, id, &Traits::id);
  return found == all_traits.end() ? "unknown" : found->name;
}

const Codec* find(Id id) {
#define TIGHTWIRE_CODEC(...)
#define TIGHTWIRE_CARRIED_CODEC(carried, ...) \
  if (id == Id::carried) return &carried##_codec();
#include "codecs.def"
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
    case Error::other_version:
      return "the encoded data is of another version of the format";
  }
  return "unknown error";
}

}  // namespace tightwire::codec
