#include "early/memory/memory_kind.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace tightwire::early {
namespace {

struct Mapping {
  Range range;
  std::array<char, 5> permissions{};
  std::uint64_t inode = 0;
  std::array<char, 64> name{};
};

std::optional<Mapping> parse(const char* line) {
  Mapping mapping;
  // "7f00-7f10 rw-p 00000000 00:00 0   [heap]"
  const int fields = std::sscanf(  // NOLINT(cert-err34-c): the kernel writes no other numbers
      line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %" SCNu64 " %63s", &mapping.range.begin,
      &mapping.range.end, mapping.permissions.data(), &mapping.inode, mapping.name.data());
  if (fields < 4) return std::nullopt;
  return mapping;
}

bool named_by_kernel(const Mapping& mapping) {
  const std::string_view name = mapping.name.data();
  return name.starts_with("[") && name != "[heap]" && !name.starts_with("[anon");
}

MemoryKind kind_of(const Mapping& mapping) {
  const auto& permissions = mapping.permissions;
  if (permissions[3] != 'p') return MemoryKind::shared;
  if (mapping.inode != 0) return MemoryKind::file;
  if (std::string_view(mapping.name.data()) == "[stack]") return MemoryKind::stack;
  if (named_by_kernel(mapping) || mapping.name[0] == '/') return MemoryKind::special;
  if (permissions[0] != 'r' || permissions[1] != 'w') return MemoryKind::read_only;
  return MemoryKind::ordinary;
}

}  // namespace

std::string_view describe(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::ordinary:
      return "ordinary memory";
    case MemoryKind::unmapped:
      return "not mapped";
    case MemoryKind::shared:
      return "shared memory";
    case MemoryKind::file:
      return "a mapped file";
    case MemoryKind::read_only:
      return "read-only memory";
    case MemoryKind::stack:
      return "the stack";
    case MemoryKind::special:
      return "device memory";
  }
  return "";
}

MemoryKind kind_of(const Range& pages) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"),
                                                             &std::fclose);
  if (maps == nullptr) return MemoryKind::special;
  std::array<char, 4352> line{};
  Address covered = pages.begin;
  while (covered < pages.end && std::fgets(line.data(), line.size(), maps.get()) != nullptr) {
    const std::optional<Mapping> mapping = parse(line.data());
    if (!mapping || mapping->range.end <= covered) continue;
    if (mapping->range.begin > covered) return MemoryKind::unmapped;
    if (const MemoryKind kind = kind_of(*mapping); kind != MemoryKind::ordinary) return kind;
    covered = mapping->range.end;
  }
  return covered >= pages.end ? MemoryKind::ordinary : MemoryKind::unmapped;
}

}  // namespace tightwire::early
