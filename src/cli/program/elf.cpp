#include "cli/program/elf.h"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace tightwire::cli {
namespace {

using File = std::span<const std::byte>;

constexpr std::uint16_t native_machine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#elif defined(__riscv)
    EM_RISCV;
#elif defined(__powerpc64__)
    EM_PPC64;
#else
#error "name this machine's ELF number here"
#endif
constexpr unsigned char native_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

// The part [offset, offset + size) of the file, if it is all there.
std::optional<File> part(File file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return std::nullopt;
  return file.subspan(offset, size);
}

template <class Record>
std::optional<Record> record(File file, std::uint64_t offset) {
  const auto bytes = part(file, offset, sizeof(Record));
  if (!bytes) return std::nullopt;
  Record result;
  std::memcpy(&result, bytes->data(), sizeof(Record));
  return result;
}

// The i-th record of a table at `offset`; nothing if it does not lie in the file.
template <class Record>
std::optional<Record> record(File file, std::uint64_t offset, std::uint64_t i) {
  if (offset > file.size() || i > file.size() / sizeof(Record)) return std::nullopt;
  return record<Record>(file, offset + i * sizeof(Record));
}

// The text that ends with a zero byte, which must be inside.
std::optional<std::string_view> text(File strings, std::uint64_t offset) {
  if (offset >= strings.size()) return std::nullopt;
  const File rest = strings.subspan(offset);
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(rest.data()),
                          static_cast<std::size_t>(end - rest.begin()));
}

std::string machine_name(std::uint16_t machine) {
  switch (machine) {
    case EM_386:
      return "x86";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "ARM";
    case EM_AARCH64:
      return "AArch64";
    case EM_PPC64:
      return "PowerPC 64";
    case EM_RISCV:
      return "RISC-V";
    default:
      return "machine " + std::to_string(machine);
  }
}

std::vector<Elf64_Phdr> segments_of(File file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> segments;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = record<Elf64_Phdr>(file, header.e_phoff, i);
    if (!segment) break;
    segments.push_back(*segment);
  }
  return segments;
}

// Where in the file the byte lies that is loaded at `address`.
std::optional<std::uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments,
                                       std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t distance = address - segment.p_vaddr;
    if (distance < segment.p_filesz) return segment.p_offset + distance;
  }
  return std::nullopt;
}

// Fills in what the dynamic section says; returns what is wrong with it.
std::string read_dynamic(File file, const std::vector<Elf64_Phdr>& segments,
                         const Elf64_Phdr& dynamic, Elf& elf) {
  const auto section = part(file, dynamic.p_offset, dynamic.p_filesz);
  if (!section) return "its dynamic section lies outside the file";
  std::vector<std::uint64_t> needed;
  std::optional<std::uint64_t> soname;
  std::uint64_t strings_address = 0;
  std::uint64_t strings_size = 0;
  for (std::uint64_t i = 0;; ++i) {
    const auto entry = record<Elf64_Dyn>(*section, 0, i);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) needed.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_SONAME) soname = entry->d_un.d_val;
    if (entry->d_tag == DT_STRTAB) strings_address = entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRSZ) strings_size = entry->d_un.d_val;
  }
  const auto offset = offset_of(segments, strings_address);
  const auto strings = offset ? part(file, *offset, strings_size) : std::nullopt;
  if (!strings) return "its table of names lies outside the file";
  for (const std::uint64_t name : needed) {
    const auto library = text(*strings, name);
    if (!library) return "the name of a library that it needs is damaged";
    elf.needed.emplace_back(*library);
  }
  if (soname) elf.soname = text(*strings, *soname).value_or("");
  return "";
}

std::optional<Elf64_Ehdr> native_header(File file) {
  const auto header = record<Elf64_Ehdr>(file, 0);
  if (!header || !is_elf(file) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != native_order || header->e_machine != native_machine) {
    return std::nullopt;
  }
  return header;
}

// Calls `visit` with the name of every function of a table and whether it is defined there, until
// it returns false.
template <class Visit>
void visit_functions(File file, const Elf64_Ehdr& header, const Elf64_Shdr& table, Visit&& visit) {
  const auto names = record<Elf64_Shdr>(file, header.e_shoff, table.sh_link);
  if (!names) return;
  const auto strings = part(file, names->sh_offset, names->sh_size);
  const auto symbols = part(file, table.sh_offset, table.sh_size);
  if (!strings || !symbols) return;
  for (std::uint64_t i = 0;; ++i) {
    const auto symbol = record<Elf64_Sym>(*symbols, 0, i);
    if (!symbol) return;
    const bool defined = symbol->st_shndx != SHN_UNDEF;
    // What nobody defines yet need not be known to be a function.
    const auto type = ELF64_ST_TYPE(symbol->st_info);
    if (type != STT_FUNC && (defined || type != STT_NOTYPE)) continue;
    const auto name = text(*strings, symbol->st_name);
    if (name && !visit(*name, defined)) return;
  }
}

// Calls `visit(table)` with the header of every section, until it returns false.
template <class Visit>
void visit_tables(File file, const Elf64_Ehdr& header, Visit&& visit) {
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto table = record<Elf64_Shdr>(file, header.e_shoff, i);
    if (!table || !visit(*table)) return;
  }
}

}  // namespace

bool is_elf(File file) {
  return file.size() >= SELFMAG && std::memcmp(file.data(), ELFMAG, SELFMAG) == 0;
}

ElfResult read_elf(File file) {
  ElfResult result;
  Elf& elf = result.elf;
  if (!is_elf(file)) {
    result.error = "it is not an ELF file";
    return result;
  }
  // The first 20 bytes are the same in both classes.
  const auto machine = record<std::uint16_t>(file, offsetof(Elf64_Ehdr, e_machine));
  if (!machine) {
    result.error = "it ends within its header";
    return result;
  }
  elf.bits = static_cast<int>(file[EI_CLASS]) == ELFCLASS64 ? 64 : 32;
  const bool swapped = static_cast<unsigned char>(file[EI_DATA]) != native_order;
  elf.machine = machine_name(swapped ? static_cast<std::uint16_t>(*machine << 8U | *machine >> 8U)
                                     : *machine);
  if (elf.bits == 64 && file.size() < sizeof(Elf64_Ehdr)) {
    result.error = "it ends within its header";
    return result;
  }
  const auto header = native_header(file);
  if (!header) return result;
  elf.native = true;
  const std::vector<Elf64_Phdr> segments = segments_of(file, *header);
  if (segments.size() != header->e_phnum) {
    result.error = "its program headers lie outside the file";
    return result;
  }
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_INTERP) {
      const auto name = part(file, segment.p_offset, segment.p_filesz);
      const auto interpreter = name ? text(*name, 0) : std::nullopt;
      if (!interpreter) {
        result.error = "the name of its dynamic loader is damaged";
        return result;
      }
      elf.interpreter = *interpreter;
    }
    if (segment.p_type == PT_DYNAMIC) {
      result.error = read_dynamic(file, segments, segment, elf);
      if (!result.ok()) return result;
    }
  }
  return result;
}

bool defines_function(File file, std::string_view name) {
  const auto header = native_header(file);
  bool found = false;
  if (!header) return found;
  visit_tables(file, *header, [&](const Elf64_Shdr& table) {
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) return true;
    visit_functions(file, *header, table, [&](std::string_view one, bool defined) {
      found = defined && one == name;
      return !found;
    });
    return !found;
  });
  return found;
}

std::vector<std::string_view> imported_functions(File file) {
  std::vector<std::string_view> imported;
  const auto header = native_header(file);
  if (!header) return imported;
  visit_tables(file, *header, [&](const Elf64_Shdr& table) {
    if (table.sh_type != SHT_DYNSYM) return true;
    visit_functions(file, *header, table, [&](std::string_view one, bool defined) {
      if (!defined) imported.push_back(one);
      return true;
    });
    return true;
  });
  return imported;
}

}  // namespace tightwire::cli
