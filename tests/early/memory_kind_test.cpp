#include "early/memory/memory_kind.h"

#include <memory>

#include "memory.h"

namespace tightwire::early {
namespace {

int initialised_data = 5;

MemoryKind kind(Bytes bytes) {
  return kind_of(pages_of(bytes));
}

TEST(MemoryKind, TellsThemApart) {
  const Mapped ordinary(4);
  EXPECT_EQ(kind(ordinary.bytes()), MemoryKind::ordinary);
  const auto heap = std::make_unique<std::byte[]>(100);
  EXPECT_EQ(kind({heap.get(), 100}), MemoryKind::ordinary);
  const Mapped shared(4, MAP_SHARED | MAP_ANONYMOUS);
  EXPECT_EQ(kind(shared.bytes()), MemoryKind::shared);
  const auto* const data = reinterpret_cast<const std::byte*>(&initialised_data);
  EXPECT_EQ(kind({data, sizeof initialised_data}), MemoryKind::file);
  const std::byte local{};
  EXPECT_EQ(kind({&local, 1}), MemoryKind::stack);
  EXPECT_EQ(kind_of({0, page_size()}), MemoryKind::unmapped);
}

TEST(MemoryKind, OnePageDecidesForAll) {
  const Mapped memory(8);
  ASSERT_EQ(mprotect(memory.pages(5, 1).data(), page_size(), PROT_READ), 0);
  EXPECT_EQ(kind(memory.bytes()), MemoryKind::read_only);
  EXPECT_EQ(kind(memory.pages(0, 5)), MemoryKind::ordinary);
  ASSERT_EQ(munmap(memory.pages(3, 1).data(), page_size()), 0);
  EXPECT_EQ(kind(memory.pages(0, 5)), MemoryKind::unmapped);
}

}  // namespace
}  // namespace tightwire::early
