// What chunked coding does with memory and threads that are not there, and that it asks for none in
// the hot path. A program of its own, because it replaces operator new.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdlib>

#include "../replaced_new.h"
#include "chunked/support.h"
#include "codec/estimate/memory.h"
#include "os/cores/affinity.h"
#include "os/thread_pool.h"

namespace {

std::atomic<bool> refuse{false};
std::atomic<int> allocations{0};

}  // namespace

void* memory_for_new(std::size_t size) {
  ++allocations;
  return refuse ? nullptr : std::malloc(size);
}

namespace tightwire::codec::chunked {
namespace {

class Allocation : public testing::Test {
 protected:
  static constexpr std::size_t count = 100'000;
  const Codec& codec_ = *find(Id::lz4);
  Bytes values_ = values_of(ElementType::int32, count);
  Bytes out_ = Bytes(max_encoded_size(codec_, ElementType::int32, count, 1000));
  Bytes back_ = Bytes(values_.size());

  // Whether the values came through.
  bool round_trip(os::ThreadPool* pool) {
    const Options options = in_chunks_of(1000, pool);
    const Result result = encode(codec_, ElementType::int32, values_, {}, options, out_);
    if (!result.ok()) return false;
    const std::span stream = std::span(out_).first(result.size);
    return decode(ElementType::int32, stream, options, back_).ok() && back_ == values_;
  }
};

TEST_F(Allocation, NoneOnceThePoolIsWarm) {
  os::ThreadPool pool;
  ASSERT_TRUE(round_trip(&pool));
  allocations = 0;
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(round_trip(&pool));
  EXPECT_EQ(allocations, 0);
}

TEST_F(Allocation, NoneWithoutAPool) {
  ASSERT_TRUE(round_trip(nullptr));
  allocations = 0;
  EXPECT_TRUE(round_trip(nullptr));
  EXPECT_EQ(allocations, 0);
}

TEST_F(Allocation, NoneForAnEstimate) {
  Parameters parameters;
  parameters.error_bound = 1e-3;
  const Bytes values = values_of(ElementType::float32, count);
  const Id codecs[] = {Id::bounded, Id::exact};
  EstimateMemory memory;
  allocations = 0;
  const Estimate& estimate = memory.get(ElementType::float32, values, parameters, codecs);
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(estimate.size, 3U);
}

TEST_F(Allocation, PlanesThatThereIsNoMemoryForAreAnErrorOfTheDecoderAlone) {
  constexpr std::uint32_t plane = 40'000;
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t i = 0; i < count; ++i)
    values[i] = i % plane * 0x9e3779b9U % 100'003 + i / plane;
  const auto bytes = std::as_bytes(std::span(values));
  Parameters parameters;
  parameters.row_length = 100;
  parameters.plane_length = plane;
  const Codec& exact = *find(Id::exact);
  Bytes out(exact.max_encoded_size(ElementType::int32, count));
  const Result result = exact.encode(ElementType::int32, bytes, parameters, out);
  ASSERT_TRUE(result.ok());
  refuse = true;
  const Result decoded = exact.decode(ElementType::int32, std::span(out).first(result.size), back_);
  const Result larger = exact.encode(ElementType::int32, bytes, parameters, out);
  refuse = false;
  EXPECT_EQ(decoded.error, Error::out_of_memory);
  EXPECT_TRUE(larger.ok());
  EXPECT_GT(larger.size, result.size);
}

TEST_F(Allocation, WithoutMemoryTheCallerWorksAlone) {
  os::ThreadPool pool;
  refuse = true;
  const bool survived = round_trip(&pool);
  refuse = false;
  EXPECT_TRUE(survived);
  EXPECT_TRUE(round_trip(&pool)) << "and memory that comes back is used again";
}

TEST_F(Allocation, WithoutMemoryForMoreWorkspaceTheCallerWorksAlone) {
  os::ThreadPool pool;
  ASSERT_TRUE(round_trip(&pool));
  const Options longer = in_chunks_of(10'000, &pool);
  Bytes out(max_encoded_size(codec_, ElementType::int32, count, 10'000));
  refuse = true;
  const Result result = encode(codec_, ElementType::int32, values_, {}, longer, out);
  refuse = false;
  EXPECT_TRUE(result.ok());
}

TEST_F(Allocation, WithoutThreadsTheCallerWorksAlone) {
  if (*TIGHTWIRE_SANITIZE != 0) GTEST_SKIP() << "sanitizers need more address space";
  const auto no_room_for_stacks = [this] {
    os::ThreadPool pool;
    rlimit none{};
    getrlimit(RLIMIT_AS, &none);
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
    os::ThreadPool::Task task;
    task.threads = 2;
    task.work = [](void*, std::span<std::byte>, std::size_t) {};
    const bool refused = !pool.run(task);
    std::_Exit(refused && round_trip(&pool) ? 0 : 1);
  };
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // no stacks left of earlier tests
  EXPECT_EXIT(no_room_for_stacks(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tightwire::codec::chunked
