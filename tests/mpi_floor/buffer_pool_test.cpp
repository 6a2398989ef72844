#include "mpi/buffer_pool.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace tightwire::mpi {
namespace {

constexpr std::size_t kib = 1024;

TEST(BufferPool, LendsWhatWasGivenBackAgain) {
  BufferPool pool;
  const std::byte* first = nullptr;
  {
    const BufferPool::Lease lease = pool.insist(100 * kib);
    first = lease.bytes().data();
    EXPECT_EQ(lease.bytes().size(), 100 * kib);
  }
  EXPECT_EQ(pool.insist(99 * kib).bytes().data(), first);
}

TEST(BufferPool, NeverLendsABufferTwiceAtOnce) {
  BufferPool pool(BufferPool::Fit::any);
  const BufferPool::Lease a = pool.insist(8 * kib);
  const BufferPool::Lease b = pool.insist(8 * kib);
  EXPECT_NE(a.bytes().data(), b.bytes().data());
}

TEST(BufferPool, WithACloseFitALargeBufferIsNoSmallOne) {
  BufferPool pool;
  const std::byte* large = nullptr;
  { large = pool.insist(1024 * kib).bytes().data(); }
  const BufferPool::Lease small = pool.insist(8 * kib);
  EXPECT_EQ(pool.insist(1024 * kib).bytes().data(), large);
}

TEST(BufferPool, WithAnyFitALargeBufferIsLentForASmallOne) {
  BufferPool pool(BufferPool::Fit::any);
  const std::byte* large = nullptr;
  { large = pool.insist(1024 * kib).bytes().data(); }
  EXPECT_EQ(pool.insist(8 * kib).bytes().data(), large);
}

TEST(BufferPool, TheLimitHoldsForWhatIsTriedAlone) {
  BufferPool pool;
  pool.limit(64 * kib);
  EXPECT_TRUE(pool.has_room(64 * kib));
  const BufferPool::Lease lease = pool.try_borrow(48 * kib);
  ASSERT_TRUE(lease);
  EXPECT_FALSE(pool.has_room(32 * kib));
  EXPECT_FALSE(pool.try_borrow(32 * kib));
  EXPECT_TRUE(pool.insist(32 * kib));
}

TEST(BufferPool, WhatIsKeptMakesRoomWithinTheLimit) {
  BufferPool pool;
  pool.limit(64 * kib);
  { const BufferPool::Lease small = pool.try_borrow(16 * kib); }
  EXPECT_TRUE(pool.try_borrow(64 * kib));
}

TEST(BufferPool, AnAbandonedBufferIsNeverLentAgain) {
  BufferPool pool(BufferPool::Fit::any);
  BufferPool::Lease lease = pool.insist(8 * kib);
  std::byte* const memory = lease.bytes().data();
  lease.abandon();
  EXPECT_TRUE(lease.bytes().empty());
  lease = {};
  *memory = std::byte{1};  // as MPI may do
  EXPECT_NE(pool.insist(8 * kib).bytes().data(), memory);
}

TEST(BufferPool, ALeaseThatWasMovedFromGivesNothingBack) {
  BufferPool pool;
  BufferPool::Lease from = pool.insist(8 * kib);
  const std::byte* const memory = from.bytes().data();
  BufferPool::Lease to = std::move(from);
  EXPECT_FALSE(from);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(to.bytes().data(), memory);
  to = pool.insist(16 * kib);
  EXPECT_EQ(pool.insist(8 * kib).bytes().data(), memory);
}

TEST(BufferPool, ServesManyThreads) {
  BufferPool pool;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&pool, i] {
      for (std::size_t size = 1; size < 200; ++size) {
        const BufferPool::Lease lease = pool.insist(size * kib);
        lease.bytes().front() = static_cast<std::byte>(i);
        lease.bytes().back() = static_cast<std::byte>(i);
        ASSERT_EQ(lease.bytes().front(), static_cast<std::byte>(i));
      }
    });
  }
}

}  // namespace
}  // namespace tightwire::mpi
