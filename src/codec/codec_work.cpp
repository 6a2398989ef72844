#include "codec/codec_work.h"

#include "codec/bounded/layout.h"
#include "codec/exact/layout.h"

namespace tightwire::codec {
namespace {

bool is_coded_exact(std::span<const std::byte> encoded) {
  exact::Header header;
  return exact::read_header(encoded, header) == Error::none &&
         header.method == exact::Method::coded;
}

bool is_coded_bounded(std::span<const std::byte> encoded) {
  using bounded::GridKind;
  bounded::Header header;
  if (bounded::read_header(encoded, header) != Error::none) return false;
  if (header.grid == GridKind::none) return is_coded_exact(encoded.subspan(bounded::header_size));
  return header.grid == GridKind::coded || header.grid == GridKind::coded_in_time;
}

}  // namespace

Work work_of_decoding(Id codec, std::span<const std::byte> encoded) {
  const bool coded = (codec == Id::bounded && is_coded_bounded(encoded)) ||
                     (codec == Id::exact && is_coded_exact(encoded));
  return coded ? Work::decode_coded : Work::decode;
}

}  // namespace tightwire::codec
