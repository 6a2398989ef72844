// Estimates of buffers seen before, so that a buffer that is sent again and again is sampled once.
#pragma once

#include <functional>

#include "codec/estimate/estimate.h"

namespace tightwire::codec {

// A fixed number of entries; the least recently used one makes room. Not thread-safe: one for each
// thread. Never allocates.
class EstimateMemory {
 public:
  // How often an estimate is used before it is made anew: in all, 1: nothing is remembered; and
  // since an encoding last came to what it says. In how many steps bounds between one and twice
  // that are told apart.
  struct Uses {
    std::uint32_t in_all;
    std::uint32_t unobserved;
  };
  explicit EstimateMemory(Uses uses = usual_uses, int bounds = fine_bounds)
      : uses_(uses), bounds_(bounds) {}

  // As codec::estimate(), which is called the first time, again after so many uses (a
  // buffer that is sent raw shows no drift), and after a drift. Error bounds of one step count as
  // one: a bound that is relative follows data that changes. The reference holds until the next
  // call.
  const Estimate& get(ElementType type, std::span<const std::byte> values,
                      const Parameters& parameters, std::span<const Id> codecs = predictable);

  // All estimates are made anew.
  void forget();

  // What a buffer is known by, where its values are not at hand in one row: `place` is any number
  // that tells it from others.
  struct Name {
    std::uintptr_t place = 0;
    std::size_t size = 0;  // of the values, in bytes
    bool operator==(const Name&) const = default;
  };
  // `read` gives the values; it is called only where they are sampled.
  const Estimate& get(ElementType type, const Name& name, const Parameters& parameters,
                      std::span<const Id> codecs,
                      const std::function<std::span<const std::byte>()>& read);

  // The one of such values that was used last, whatever the bound was: for where it takes long to
  // find that out. nullptr where it would be made anew, is not enough, or has been given out
  // uses_without_bound times since get() gave it; else it has been used once more.
  [[nodiscard]] const Estimate* latest(ElementType type, const Name& name,
                                       const std::function<bool(const Estimate&)>& is_enough);

  // What an encoding came to, and how long it took; 0: nobody knows.
  struct Outcome {
    Id codec = Id::raw;
    std::size_t encoded_size = 0;
    SecondStage stage = SecondStage::none;
    double seconds = 0;
  };
  // The first one after an estimate corrects it; from then on a ratio that is off by more than
  // `drift` makes the next get() estimate anew, or one after no more uses than an unobserved one
  // has, and a smaller difference is followed. Unknown buffers are ignored.
  void observe(ElementType type, const Name& name, const Parameters& parameters,
               const Outcome& outcome);

  [[nodiscard]] static Name name_of(std::span<const std::byte> values) {
    return {reinterpret_cast<std::uintptr_t>(values.data()), values.size()};
  }

  static constexpr std::size_t entries = 64;
  static constexpr std::uint32_t uses_of_an_estimate = 256;
  static constexpr Uses usual_uses{uses_of_an_estimate, uses_of_an_estimate};
  static constexpr std::uint32_t uses_without_bound = 16;
  static constexpr int fine_bounds = 16;
  static constexpr int coarse_bounds = 1;
  static constexpr double drift = 1.25;
  // The first encoding met memory that was never touched, maybe: that it took long says little.
  static constexpr std::uint32_t first_timed = 2;

  // How many estimates get() has made.
  [[nodiscard]] std::uint64_t estimates_made() const { return made_; }

 private:
  struct Key {
    Name name;
    ElementType type = ElementType::bytes;
    int bound = 0;  // in steps; 0: none
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    bool used = false;
    std::uint64_t last_use = 0;
    std::uint32_t uses_left = 0;
    std::uint32_t unobserved_left = 0;
    std::uint32_t unseen = 0;  // uses since get() gave it
    Estimate estimate;
  };

  [[nodiscard]] Key key_of(ElementType type, const Name& name, const Parameters& parameters) const;
  Entry* find(const Key& key);
  static bool is_worn_out(const Entry& entry) {
    return entry.uses_left == 0 || entry.unobserved_left == 0;
  }
  static void use(Entry& entry) {
    --entry.uses_left;
    --entry.unobserved_left;
  }
  Entry& least_recently_used();

  Uses uses_;
  int bounds_;
  std::array<Entry, entries> table_{};
  std::size_t found_ = 0;  // where the last one was, which is asked for again
  std::uint64_t clock_ = 0;
  std::uint64_t made_ = 0;
};

}  // namespace tightwire::codec
