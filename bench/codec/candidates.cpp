#include <cstring>
#include <stdexcept>

#include "candidate.h"
#include "constant_blocks.h"

namespace tightwire::bench {
namespace {

class Memcpy final : public Candidate {
 public:
  std::string name() const override { return "memcpy"; }
  bool lossy() const override { return false; }
  bool supports(codec::ElementType) const override { return true; }
  std::size_t max_encoded_size(codec::ElementType type, std::size_t count) const override {
    return count * element_size(type);
  }
  std::size_t encode(codec::ElementType, std::span<const std::byte> values,
                     const codec::Parameters&, std::span<std::byte> encoded) const override {
    std::memcpy(encoded.data(), values.data(), values.size());
    return values.size();
  }
  void decode(codec::ElementType, std::span<const std::byte> encoded,
              std::span<std::byte> values) const override {
    std::memcpy(values.data(), encoded.data(), values.size());
  }
};

class Behind final : public Candidate {
 public:
  explicit Behind(const codec::Codec& codec,
                  codec::SecondStage second_stage = codec::SecondStage::none)
      : codec_(codec), second_stage_(second_stage) {}
  std::string name() const override {
    return std::string(codec_.name()) +
           (second_stage_ == codec::SecondStage::entropy ? "+entropy" : "");
  }
  bool lossy() const override { return codec_.lossy(); }
  bool supports(codec::ElementType type) const override { return codec_.supports(type); }
  std::size_t max_encoded_size(codec::ElementType type, std::size_t count) const override {
    return codec_.max_encoded_size(type, count);
  }
  std::size_t encode(codec::ElementType type, std::span<const std::byte> values,
                     const codec::Parameters& parameters,
                     std::span<std::byte> encoded) const override {
    codec::Parameters own = parameters;
    own.second_stage = second_stage_;
    return checked(codec_.encode(type, values, own, encoded), "encode");
  }
  void decode(codec::ElementType type, std::span<const std::byte> encoded,
              std::span<std::byte> values) const override {
    checked(codec_.decode(type, encoded, values), "decode");
  }
  std::optional<double> constant_blocks(codec::ElementType type, std::size_t,
                                        std::span<const std::byte> encoded) const override {
    if (codec_.id() != codec::Id::bounded) return std::nullopt;
    return bench::constant_blocks(type, encoded);
  }

 private:
  std::size_t checked(codec::Result result, const char* what) const {
    if (result.ok()) return result.size;
    throw std::runtime_error(name() + " cannot " + what + ": " +
                             std::string(describe(result.error)));
  }

  const codec::Codec& codec_;
  codec::SecondStage second_stage_;
};

}  // namespace

std::vector<std::unique_ptr<Candidate>> candidates() {
  std::vector<std::unique_ptr<Candidate>> result;
  result.push_back(std::make_unique<Memcpy>());
  for (const codec::Codec* codec : codec::all()) {
    if (codec->id() != codec::Id::raw) result.push_back(std::make_unique<Behind>(*codec));
  }
  for (const codec::Id id : {codec::Id::bounded, codec::Id::exact}) {
    if (const codec::Codec* codec = codec::find(id)) {
      result.push_back(std::make_unique<Behind>(*codec, codec::SecondStage::entropy));
    }
  }
  result.push_back(shuffled_zstd());
  result.push_back(szp_layout());
  result.push_back(szx_layout());
  return result;
}

}  // namespace tightwire::bench
