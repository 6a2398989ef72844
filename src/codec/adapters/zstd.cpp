// Zstandard: one frame that states its content size.
#include <zstd.h>

#include <memory>

#include "codec/instances.h"

namespace tightwire::codec {
namespace {

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// One of each per thread: making a context costs more than compressing a small message.
ZSTD_CCtx* compression_context() {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  return context.get();
}
ZSTD_DCtx* decompression_context() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  return context.get();
}

class Zstd final : public Codec {
 public:
  Id id() const override { return Id::zstd; }
  bool lossy() const override { return false; }
  bool supports(ElementType) const override { return true; }

  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    return ZSTD_compressBound(count * element_size(type));
  }

  Result encode(ElementType, std::span<const std::byte> values, const Parameters& parameters,
                std::span<std::byte> encoded) const override {
    if (parameters.zstd_level < ZSTD_minCLevel() || parameters.zstd_level > ZSTD_maxCLevel()) {
      return {Error::bad_parameter, 0};
    }
    ZSTD_CCtx* const context = compression_context();
    if (context == nullptr) return {Error::out_of_memory, 0};
    const std::size_t size = ZSTD_compressCCtx(context, encoded.data(), encoded.size(),
                                               values.data(), values.size(), parameters.zstd_level);
    // The only other failure is memory for a larger context.
    if (ZSTD_isError(size)) {
      const bool too_small = encoded.size() < ZSTD_compressBound(values.size());
      return {too_small ? Error::output_too_small : Error::out_of_memory, 0};
    }
    return {Error::none, size};
  }

  Result decode(ElementType, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override {
    // Exactly one frame of exactly this content: decompressing would also take several, or
    // skippable ones.
    if (ZSTD_getFrameContentSize(encoded.data(), encoded.size()) != values.size() ||
        ZSTD_findFrameCompressedSize(encoded.data(), encoded.size()) != encoded.size()) {
      return {Error::damaged, 0};
    }
    ZSTD_DCtx* const context = decompression_context();
    if (context == nullptr) return {Error::out_of_memory, 0};
    const std::size_t size =
        ZSTD_decompressDCtx(context, values.data(), values.size(), encoded.data(), encoded.size());
    if (size != values.size()) return {Error::damaged, 0};
    return {Error::none, size};
  }
};

}  // namespace

const Codec& zstd_codec() {
  static const Zstd codec;
  return codec;
}

}  // namespace tightwire::codec
