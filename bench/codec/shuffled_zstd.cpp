// Byte shuffle and zstd level 1: all first bytes of the values, then all second bytes, and so on.
// What users of Blosc and HDF5 have.
#include <zstd.h>

#include <stdexcept>

#include "candidate.h"

namespace tightwire::bench {
namespace {

class ShuffledZstd final : public Candidate {
 public:
  std::string name() const override { return "shuffle+zstd"; }
  bool lossy() const override { return false; }
  bool supports(codec::ElementType) const override { return true; }

  std::size_t max_encoded_size(codec::ElementType type, std::size_t count) const override {
    return ZSTD_compressBound(count * element_size(type));
  }

  std::size_t encode(codec::ElementType type, std::span<const std::byte> values,
                     const codec::Parameters&, std::span<std::byte> encoded) const override {
    shuffled_.resize(values.size());
    const std::size_t element = element_size(type);
    const std::size_t count = values.size() / element;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < element; ++k) shuffled_[k * count + i] = values[i * element + k];
    }
    return checked(ZSTD_compressCCtx(encoder_.get(), encoded.data(), encoded.size(),
                                     shuffled_.data(), shuffled_.size(), 1));
  }

  void decode(codec::ElementType type, std::span<const std::byte> encoded,
              std::span<std::byte> values) const override {
    shuffled_.resize(values.size());
    checked(ZSTD_decompressDCtx(decoder_.get(), shuffled_.data(), shuffled_.size(), encoded.data(),
                                encoded.size()));
    const std::size_t element = element_size(type);
    const std::size_t count = values.size() / element;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < element; ++k) values[i * element + k] = shuffled_[k * count + i];
    }
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  static std::size_t checked(std::size_t size) {
    if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
    return size;
  }

  std::unique_ptr<ZSTD_CCtx, Free> encoder_{ZSTD_createCCtx()};
  std::unique_ptr<ZSTD_DCtx, Free> decoder_{ZSTD_createDCtx()};
  mutable std::vector<std::byte> shuffled_;
};

}  // namespace

std::unique_ptr<Candidate> shuffled_zstd() {
  return std::make_unique<ShuffledZstd>();
}

}  // namespace tightwire::bench
