// The few words in which the kernels are written, and what they mean on the host.
//
// A kernel is a sequence of steps. In a step every lane does its items, in any order and at the
// same time as others; the next step begins when all have ended. What is said between steps is done
// by all lanes alike, and must not read what the step behind it writes. So a kernel is right if no
// lane of a step reads what another lane of that step writes, and that shows on the host, where
// lanes take turns in an order that can be chosen.
//
// What a lane keeps of its items from one step to another, in registers where there are some, is
// Kept. Running totals over all lanes are a step of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TIGHTWIRE_KERNEL __device__ inline
#define TIGHTWIRE_EITHER __host__ __device__ inline
// So that an array whose places are those of the loop lies in registers.
#define TIGHTWIRE_UNROLL _Pragma("unroll")
// Of what is seldom, and long.
#define TIGHTWIRE_ROLLED _Pragma("unroll 1")
#else
#define TIGHTWIRE_KERNEL inline
#define TIGHTWIRE_EITHER inline
#define TIGHTWIRE_UNROLL
#define TIGHTWIRE_ROLLED
#endif

namespace tightwire::device {

// Lanes that take turns. Thread safety: one thread at a time.
class HostLanes {
 public:
  // An Each for every item of a step of up to `most`.
  template <class Each, unsigned most>
  class Kept {
   public:
    Each& of(unsigned i) { return all_[i]; }

   private:
    std::vector<Each> all_ = std::vector<Each>(most);
  };

  enum class Order : std::uint8_t { forward, backward, shuffled };

  HostLanes() = default;
  explicit HostLanes(Order order, unsigned seed = 1) : order_(order), random_(seed) {}

  // A step: does(i) for every i below `count`.
  template <class Does>
  void each(unsigned count, Does does) {
    if (order_ == Order::forward) {
      for (unsigned i = 0; i < count; ++i) does(i);
    } else if (order_ == Order::backward) {
      for (unsigned i = count; i-- > 0;) does(i);
    } else {
      for (const unsigned i : shuffled(count)) does(i);
    }
  }

  // The same, with what is kept of the item: does(i, each).
  template <class Each, unsigned most, class Does>
  void each(Kept<Each, most>& kept, unsigned count, Does does) {
    each(count, [&](unsigned i) { does(i, kept.of(i)); });
  }

  // A step: copies from(i) to to(i), places of vectors in the message's and in the chunk's memory,
  // for every i below `count`, and does(i) for every i below `others`.
  template <class From, class To, class Does>
  void copy(unsigned count, From from, To to, unsigned others, Does does) {
    each(count, [&](unsigned i) { *to(i) = *from(i); });
    each(others, does);
  }

  // Steps of few lanes, which are quick to begin; the others wait. does(lanes) for each of the few.
  template <class Does>
  void few(Does does) {
    does(*this);
  }

  // A step of few lanes: the sum of number(i) for every i below `count`, which all of them get.
  template <class Number>
  std::uint32_t sum(unsigned count, Number number) {
    std::uint32_t sum = 0;
    each(count, [&](unsigned i) { sum += number(i); });
    return sum;
  }

  // The same for the least number; ~0 of none.
  template <class Number>
  std::uint32_t least(unsigned count, Number number) {
    std::uint32_t least = ~std::uint32_t{0};
    each(count, [&](unsigned i) { least = std::min(least, std::uint32_t{number(i)}); });
    return least;
  }

  // A step: each word becomes the sum of those before it, modulo the word's size.
  template <class Word>
  static void sum_before(Word* words, unsigned count) {
    std::exclusive_scan(words, words + count, words, Word{0});
  }

  // What several lanes of a step may do to one word; all that add in a step add to the same.
  static void set_bits(std::uint32_t& word, std::uint32_t bits) { word |= bits; }
  static void add(std::uint32_t& word, std::uint32_t more) { word += more; }
  static void lower(std::uint64_t& word, std::uint64_t to) { word = std::min(word, to); }
  static void raise(std::uint64_t& word, std::uint64_t to) { word = std::max(word, to); }

 private:
  std::vector<unsigned>& shuffled(unsigned count) {
    turns_.resize(count);
    std::iota(turns_.begin(), turns_.end(), 0U);
    std::shuffle(turns_.begin(), turns_.end(), random_);
    return turns_;
  }

  Order order_ = Order::forward;
  std::minstd_rand random_;
  std::vector<unsigned> turns_;
};

}  // namespace tightwire::device
