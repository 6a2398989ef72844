#include "os/symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "os/mapped_file.h"

namespace tightwire::os {
namespace {

using Bytes = std::span<const std::byte>;

// A table inside the file, or nothing where it would reach beyond it.
template <class T>
std::span<const T> table(Bytes file, std::uint64_t at, std::uint64_t bytes) {
  if (at > file.size() || bytes > file.size() - at || at % alignof(T) != 0) return {};
  return {reinterpret_cast<const T*>(file.data() + at), bytes / sizeof(T)};
}

std::span<const ElfW(Shdr)> sections_of(Bytes file) {
  const auto heads = table<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
  if (heads.empty() || std::memcmp(heads[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (heads[0].e_shentsize != sizeof(ElfW(Shdr))) return {};
  return table<ElfW(Shdr)>(file, heads[0].e_shoff, heads[0].e_shnum * sizeof(ElfW(Shdr)));
}

bool holds(const ElfW(Sym) & symbol, std::uint64_t offset) {
  return (symbol.st_info & 0xf) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
         offset >= symbol.st_value && offset - symbol.st_value < symbol.st_size;
}

std::string name_in(std::span<const char> names, std::uint64_t at) {
  if (at >= names.size()) return {};
  return {names.data() + at, ::strnlen(names.data() + at, names.size() - at)};
}

std::string symbol_in(Bytes file, std::uint64_t offset, std::uint32_t kind) {
  const auto sections = sections_of(file);
  for (const auto& section : sections) {
    if (section.sh_type != kind || section.sh_link >= sections.size()) continue;
    const auto& strings = sections[section.sh_link];
    const auto names = table<char>(file, strings.sh_offset, strings.sh_size);
    for (const auto& symbol : table<ElfW(Sym)>(file, section.sh_offset, section.sh_size)) {
      if (holds(symbol, offset)) return name_in(names, symbol.st_name);
    }
  }
  return {};
}

// Where the object begins, by the loader's word: addresses in it count from there.
std::uint64_t base_of(const void* address, std::string& object) {
  Dl_info info{};
  void* map = nullptr;
  if (::dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return 0;
  const auto* const link = static_cast<const link_map*>(map);
  object = link->l_name[0] == 0 ? "/proc/self/exe" : link->l_name;
  return link->l_addr;
}

std::string program_name() {
  char* const path = ::realpath("/proc/self/exe", nullptr);
  const std::unique_ptr<char, decltype(&std::free)> owned(path, &std::free);
  return path == nullptr ? "" : path;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(text.get()) : symbol;
}

// "ns::f" of "int ns::f<double>(double*, int)", whatever stands in brackets before.
std::string without_parameters(const std::string& text) {
  int angles = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 21, "(anonymous namespace)") == 0) {
      i += 20;
    } else if (text[i] == '<') {
      ++angles;
    } else if (text[i] == '>') {
      --angles;
    } else if (angles == 0 && text[i] == ' ') {
      begin = i + 1;
    } else if (angles == 0 && text[i] == '(' && i > begin) {
      return text.substr(begin, i - begin);
    }
  }
  return text;
}

std::string fortran_name(std::string name) {
  if (const std::size_t at = name.find("_MOD_"); name.starts_with("__") && at != name.npos) {
    return name.substr(2, at - 2) + "::" + name.substr(at + 5);
  }
  if (name.size() > 1 && name.back() == '_' && !name.starts_with('_')) name.pop_back();
  return name;
}

}  // namespace

CodePlace code_place(const void* return_address) {
  CodePlace place;
  const auto* const address = static_cast<const char*>(return_address) - 1;
  const std::uint64_t base = base_of(address, place.object);
  if (place.object.empty()) return place;
  place.offset = reinterpret_cast<std::uint64_t>(address) - base;
  const MappedFile file(place.object);
  place.symbol = symbol_in(file.bytes(), place.offset, SHT_SYMTAB);
  if (place.symbol.empty()) place.symbol = symbol_in(file.bytes(), place.offset, SHT_DYNSYM);
  if (place.object == "/proc/self/exe") place.object = program_name();
  return place;
}

std::string readable_symbol(std::string_view symbol) {
  // f.isra.0, f.cold, f._omp_fn.1
  const std::string whole(symbol.substr(0, symbol.find('.', 1)));
  return whole.starts_with("_Z") ? without_parameters(demangled(whole)) : fortran_name(whole);
}

}  // namespace tightwire::os
