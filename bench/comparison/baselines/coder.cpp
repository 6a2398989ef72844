#include "comparison/baselines/coder.h"

#include <zfp.h>

#include <cstdio>
#include <cstdlib>

#include "codec/candidate.h"
#include "codec/codec.h"

namespace tightwire::comparison {
namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "a baseline's codec failed: %s\n", what);
  std::abort();
}

class Bounded final : public Coder {
 public:
  explicit Bounded(double error_bound) : codec_(*codec::find(codec::Id::bounded)) {
    parameters_.error_bound = error_bound;
  }

  std::size_t capacity(std::size_t count) const override {
    return codec_.max_encoded_size(codec::ElementType::float32, count);
  }
  std::size_t encode(std::span<const float> values, std::span<std::byte> encoded) const override {
    const codec::Result result =
        codec_.encode(codec::ElementType::float32, std::as_bytes(values), parameters_, encoded);
    if (!result.ok()) fail(codec::describe(result.error).data());
    return result.size;
  }
  void decode(std::span<const std::byte> encoded, std::span<float> values) const override {
    const codec::Result result =
        codec_.decode(codec::ElementType::float32, encoded, std::as_writable_bytes(values));
    if (!result.ok()) fail(codec::describe(result.error).data());
  }

 private:
  const codec::Codec& codec_;
  codec::Parameters parameters_;
};

// One of bench/codec.
class Layout final : public Coder {
 public:
  Layout(std::unique_ptr<bench::Candidate> codec, double error_bound) : codec_(std::move(codec)) {
    parameters_.error_bound = error_bound;
  }

  std::size_t capacity(std::size_t count) const override {
    return codec_->max_encoded_size(codec::ElementType::float32, count);
  }
  std::size_t encode(std::span<const float> values, std::span<std::byte> encoded) const override {
    return codec_->encode(codec::ElementType::float32, std::as_bytes(values), parameters_, encoded);
  }
  void decode(std::span<const std::byte> encoded, std::span<float> values) const override {
    codec_->decode(codec::ElementType::float32, encoded, std::as_writable_bytes(values));
  }

 private:
  std::unique_ptr<bench::Candidate> codec_;
  codec::Parameters parameters_;
};

class Zfp final : public Coder {
 public:
  enum class Mode : std::uint8_t { rate, accuracy };
  Zfp(Mode mode, double parameter) : mode_(mode), parameter_(parameter) {}

  std::size_t capacity(std::size_t count) const override {
    const Stream stream(*this, {}, count);
    return zfp_stream_maximum_size(stream.zfp, stream.field) + sizeof(std::uint64_t);
  }
  std::size_t encode(std::span<const float> values, std::span<std::byte> encoded) const override {
    const Stream stream(*this, {encoded.data(), encoded.size()}, values.size(), values.data());
    const std::size_t size = zfp_compress(stream.zfp, stream.field);
    if (size == 0 && !values.empty()) fail("zfp_compress");
    return size;
  }
  void decode(std::span<const std::byte> encoded, std::span<float> values) const override {
    auto* const bytes = const_cast<std::byte*>(encoded.data());
    const Stream stream(*this, {bytes, encoded.size()}, values.size(), values.data());
    if (zfp_decompress(stream.zfp, stream.field) == 0 && !values.empty()) fail("zfp_decompress");
  }

 private:
  // zfp's three objects for one array.
  struct Stream {
    Stream(const Zfp& coder, std::span<std::byte> bytes, std::size_t count,
           const float* values = nullptr)
        : field(zfp_field_1d(const_cast<float*>(values), zfp_type_float, count)),
          bits(stream_open(bytes.data(), bytes.size())),
          zfp(zfp_stream_open(bits)) {
      if (coder.mode_ == Mode::rate) {
        zfp_stream_set_rate(zfp, coder.parameter_, zfp_type_float, 1, zfp_false);
      } else {
        zfp_stream_set_accuracy(zfp, coder.parameter_);
      }
    }
    ~Stream() {
      zfp_stream_close(zfp);
      stream_close(bits);
      zfp_field_free(field);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    zfp_field* field;
    bitstream* bits;
    zfp_stream* zfp;
  };

  Mode mode_;
  double parameter_;
};

}  // namespace

std::unique_ptr<Coder> bounded_coder(double error_bound) {
  return std::make_unique<Bounded>(error_bound);
}

std::unique_ptr<Coder> szp_coder(double error_bound) {
  return std::make_unique<Layout>(bench::szp_layout(), error_bound);
}

std::unique_ptr<Coder> szx_coder(double error_bound) {
  return std::make_unique<Layout>(bench::szx_layout(), error_bound);
}

std::unique_ptr<Coder> zfp_rate_coder(double bits_per_value) {
  return std::make_unique<Zfp>(Zfp::Mode::rate, bits_per_value);
}

std::unique_ptr<Coder> zfp_accuracy_coder(double tolerance) {
  return std::make_unique<Zfp>(Zfp::Mode::accuracy, tolerance);
}

}  // namespace tightwire::comparison
