#include "scale/job/charge.h"

#include <smpi/smpi.h>

#include <algorithm>
#include <utility>

namespace tightwire::scale {
namespace {

// Adding one array to another in memory, on the core that the costs are of.
constexpr double seconds_to_add = 1.5e-10;

// As many threads as a piece has so many bytes for share it, of a baseline's.
constexpr std::size_t least_bytes_of_thread = std::size_t{128} << 10;

// This rank's: each has its own copy of the program.
Price known_price;
std::size_t threads_at_work = 1;
OfOneThread* summed = nullptr;

double seconds_of(const Price& price, codec::Work work, std::size_t bytes, std::size_t threads) {
  return price.costs[static_cast<std::size_t>(work)].of(bytes) / price.speedups.of(work, threads);
}

// One thread does that.
double seconds_to_carry(const Price& price, std::size_t bytes) {
  return price.carry_per_byte * static_cast<double>(bytes);
}

class Charged final : public comparison::Coder {
 public:
  Charged(std::unique_ptr<Coder> coder, Price price)
      : coder_(std::move(coder)), price_(std::move(price)) {}

  std::size_t capacity(std::size_t count) const override { return coder_->capacity(count); }
  std::size_t encode(std::span<const float> values, std::span<std::byte> encoded) const override {
    const std::size_t size = coder_->encode(values, encoded);
    charge_for(codec::Work::encode, values.size_bytes(), size);
    return size;
  }
  void decode(std::span<const std::byte> encoded, std::span<float> values) const override {
    coder_->decode(encoded, values);
    charge_for(codec::Work::decode, values.size_bytes(), encoded.size());
  }

 private:
  void charge_for(codec::Work work, std::size_t bytes, std::size_t moved) const {
    const std::size_t most = std::max<std::size_t>(bytes / least_bytes_of_thread, 1);
    charge_seconds(seconds_of(price_, work, bytes, std::min(price_.threads, most)) +
                   seconds_to_carry(price_, moved));
  }

  std::unique_ptr<Coder> coder_;
  Price price_;
};

}  // namespace

void charge_codecs(const Price& price) {
  known_price = price;
  codec::work_observer = [](const codec::WorkDone& done) {
    const double work = seconds_of(known_price, done.work, done.value_bytes, threads_at_work);
    const double carrying = seconds_to_carry(known_price, done.moved_bytes);
    if (summed == nullptr) return charge_seconds(work + carrying);
    summed->add(static_cast<double>(threads_at_work) * work, carrying);
  };
}

AtOnce::AtOnce(std::size_t threads) {
  threads_at_work = threads;
}

AtOnce::~AtOnce() {
  threads_at_work = 1;
}

OfOneThread::OfOneThread(std::size_t threads) : at_once_(threads) {
  summed = this;
}

OfOneThread::~OfOneThread() {
  summed = nullptr;
}

void OfOneThread::add(double coding, double carrying) {
  coding_ += coding;
  carrying_ += carrying;
}

double speedup_of_coding(std::size_t threads) {
  constexpr std::size_t piece = std::size_t{256} << 10;
  const auto both = [](std::size_t by) {
    return seconds_of(known_price, codec::Work::encode, piece, by) +
           seconds_of(known_price, codec::Work::decode, piece, by);
  };
  return both(1) / both(threads);
}

void charge_seconds(double seconds) {
  smpi_execute_benched(seconds);
}

void charge_adding(std::size_t bytes) {
  charge_seconds(seconds_to_add * static_cast<double>(bytes));
}

std::unique_ptr<comparison::Coder> charged(std::unique_ptr<comparison::Coder> coder,
                                           const Price& price) {
  return std::make_unique<Charged>(std::move(coder), price);
}

}  // namespace tightwire::scale
