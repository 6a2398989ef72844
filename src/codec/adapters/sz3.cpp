// SZ3 (Liang et al., "SZ3: A Modular Framework for Composing Prediction-Based Error-Bounded Lossy
// Compressors", 2022; Zhao et al., ICDE 2021) on the flat array, choosing between interpolation and
// Lorenzo prediction by itself. Slow, with a high ratio: for slow links.
//
// SZ3's own decoder trusts its input. The checksum that Patched verifies first keeps damage from
// it, but not somebody who forges the checksum as well: do not feed it bytes from an adversary.
//
// The payload is the part of SZ3's configuration that its decoder needs, and what SZ3 made.
#include <SZ3/api/impl/SZInterp.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>

#include "codec/adapters/byte_io.h"
#include "codec/adapters/patched.h"
#include "codec/instances.h"

namespace tightwire::codec {
namespace {

enum Predictor : std::uint8_t { first_order = 1, second_order = 2 };

struct [[gnu::packed]] Header {
  std::uint8_t algorithm = 0;
  std::uint8_t predictors = 0;
  std::int32_t block_size = 0;
  double error_bound = 0;
};

Header header_of(const SZ::Config& config) {
  const int predictors = (config.lorenzo ? first_order : 0) | (config.lorenzo2 ? second_order : 0);
  return {config.cmprAlgo, static_cast<std::uint8_t>(predictors), config.blockSize,
          config.absErrorBound};
}

// False if encode() never writes such a header.
bool configure(const Header& header, SZ::Config& config) {
  if (header.algorithm != SZ::ALGO_INTERP && header.algorithm != SZ::ALGO_LORENZO_REG) return false;
  if (header.predictors > (first_order | second_order)) return false;
  if (header.algorithm == SZ::ALGO_LORENZO_REG && header.predictors == 0) return false;
  if (header.block_size <= 0 || header.block_size > 128) return false;
  if (!(header.error_bound > 0) || !std::isfinite(header.error_bound)) return false;
  config.cmprAlgo = header.algorithm;
  config.lorenzo = (header.predictors & first_order) != 0;
  config.lorenzo2 = (header.predictors & second_order) != 0;
  config.regression = false;
  config.regression2 = false;
  config.blockSize = header.block_size;
  config.absErrorBound = header.error_bound;
  return true;
}

// SZ3 allocates what the first eight bytes say, and then ignores errors of zstd.
bool plausible(std::span<const std::byte> coded, std::size_t values_size) {
  std::uint64_t inner_size = 0;
  return take(coded, inner_size) && inner_size <= 4 * values_size + (std::size_t{8} << 20) &&
         ZSTD_getFrameContentSize(coded.data(), coded.size()) == inner_size &&
         ZSTD_findFrameCompressedSize(coded.data(), coded.size()) == coded.size();
}

template <class T>
void encode_as(std::span<const std::byte> values, double bound, std::vector<std::byte>& payload) {
  std::vector<T> work(values.size() / sizeof(T));  // SZ3 overwrites what it is given
  std::memcpy(work.data(), values.data(), values.size());
  SZ::Config config(work.size());
  config.errorBoundMode = SZ::EB_ABS;
  config.absErrorBound = bound;
  config.relErrorBound = 0;
  config.regression = false;
  std::size_t size = 0;
  const std::unique_ptr<char[]> coded(SZ_compress_Interp_lorenzo<T, 1>(config, work.data(), size));
  payload.clear();
  payload.reserve(sizeof(Header) + size);
  append(payload, header_of(config));
  const auto bytes = std::as_bytes(std::span(coded.get(), size));
  payload.insert(payload.end(), bytes.begin(), bytes.end());
}

template <class T>
void decode_as(const SZ::Config& config, std::span<const std::byte> coded,
               std::span<std::byte> values) {
  std::vector<T> work(values.size() / sizeof(T));
  std::vector<std::byte> copy(coded.begin(), coded.end());  // SZ3 wants it writable
  auto* const bytes = reinterpret_cast<char*>(copy.data());
  if (config.cmprAlgo == SZ::ALGO_INTERP) {
    SZ_decompress_Interp<T, 1>(config, bytes, copy.size(), work.data());
  } else {
    SZ_decompress_LorenzoReg<T, 1>(config, bytes, copy.size(), work.data());
  }
  std::memcpy(values.data(), work.data(), values.size());
}

class Sz3 final : public Approximate {
 public:
  // SZ3 sizes its buffers by the number of values alone; below this its tables may not fit.
  std::size_t smallest_count() const override { return 1024; }

  // Its quantiser casts 8 differences / error bound (interpolation halves the bound on coarse
  // levels) to int without a look, and cubic interpolation overshoots: a difference may be 2.25
  // times the largest value. Nor may a prediction become infinite, which of the second order adds
  // up seven values. An integer that overflows there is one of a thousand million states.
  double largest_magnitude(ElementType type, double error_bound) const override {
    const double largest = type == ElementType::float32 ? double{std::numeric_limits<float>::max()}
                                                        : std::numeric_limits<double>::max();
    return std::min(std::ldexp(error_bound, 26), largest / 16);
  }

  Error encode(ElementType type, std::span<const std::byte> values, const Parameters& parameters,
               std::vector<std::byte>& payload) const override {
    try {
      if (type == ElementType::float32) {
        encode_as<float>(values, parameters.error_bound, payload);
      } else {
        encode_as<double>(values, parameters.error_bound, payload);
      }
      return Error::none;
    } catch (const std::bad_alloc&) {
      return Error::out_of_memory;
    } catch (...) {
      return Error::bad_parameter;
    }
  }

  Error decode(ElementType type, std::span<const std::byte> payload,
               std::span<std::byte> values) const override {
    try {
      Header header;
      SZ::Config config(values.size() / element_size(type));
      if (!take(payload, header) || !configure(header, config) ||
          !plausible(payload, values.size())) {
        return Error::damaged;
      }
      if (type == ElementType::float32) {
        decode_as<float>(config, payload, values);
      } else {
        decode_as<double>(config, payload, values);
      }
      return Error::none;
    } catch (const std::bad_alloc&) {
      return Error::out_of_memory;
    } catch (...) {
      return Error::damaged;
    }
  }
};

}  // namespace

const Codec& sz3_codec() {
  static const Sz3 coder;
  static const Patched codec(Id::sz3, coder);
  return codec;
}

}  // namespace tightwire::codec
