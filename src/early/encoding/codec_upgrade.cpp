#include "early/encoding/codec_upgrade.h"

#include <algorithm>

namespace tightwire::early {
namespace {

// Decoding speeds, bytes of values per second: orders of magnitude, from results/codec.csv.
constexpr double fast_decode = 4e9;
constexpr double heavy_decode = 0.5e9;

constexpr int heavy_level = 6;

double arrival(const EncodedChunk& encoding, std::size_t value_bytes, const Path& path) {
  const double speed = encoding.strong ? heavy_decode : fast_decode;
  const double decode =
      encoding.codec == codec::Id::raw ? 0 : static_cast<double>(value_bytes) / speed;
  const double transfer = static_cast<double>(encoding.size) / path.link;
  return path.overlapped ? std::max(decode, transfer) : decode + transfer;
}

}  // namespace

std::optional<codec::Encoding> stronger(const codec::Encoding& encoding) {
  codec::Encoding next = encoding;
  const bool opaque = encoding.type == codec::ElementType::bytes;
  switch (encoding.codec->id()) {
    case codec::Id::exact:
      if (!opaque && encoding.parameters.second_stage == codec::SecondStage::entropy)
        return std::nullopt;
      break;
    case codec::Id::zstd:
      if (encoding.parameters.zstd_level >= heavy_level) return std::nullopt;
      break;
    case codec::Id::lz4:
      break;
    default:
      return std::nullopt;
  }
  // Its second stage sees numbers; zstd alone is right for what has no numeric meaning.
  next.codec = codec::find(opaque ? codec::Id::zstd : codec::Id::exact);
  next.parameters.second_stage = codec::SecondStage::entropy;
  next.parameters.zstd_level = heavy_level;
  return next;
}

bool arrives_sooner(const EncodedChunk& weak, const EncodedChunk& strong, std::size_t value_bytes,
                    const Path& path) {
  if (strong.size >= weak.size) return false;
  if (path.link <= 0) return true;
  return arrival(strong, value_bytes, path) < arrival(weak, value_bytes, path);
}

}  // namespace tightwire::early
