// Builds small ELF-64 files for tests: one loaded segment that is the whole file, a dynamic section
// and one symbol table.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace tightwire::cli {

class ElfBuilder {
 public:
  ElfBuilder& interpreter(const std::string& path) {
    interpreter_ = path;
    return *this;
  }
  ElfBuilder& needs(const std::string& library) {
    needed_.push_back(library);
    return *this;
  }
  ElfBuilder& defines(const std::string& function) {
    functions_.push_back({function, 1});
    return *this;
  }
  ElfBuilder& calls(const std::string& function) {
    functions_.push_back({function, SHN_UNDEF});
    return *this;
  }

  // The order in the file: header, program headers, section headers, names, interpreter, dynamic
  // section, symbols.
  [[nodiscard]] std::vector<std::byte> build() const {
    std::string names(1, '\0');
    const auto name = [&](const std::string& text) {
      const std::size_t at = names.size();
      names += text + '\0';
      return at;
    };
    std::vector<Elf64_Dyn> dynamic;
    for (const std::string& library : needed_) {
      dynamic.push_back({DT_NEEDED, {name(library)}});
    }
    std::vector<Elf64_Sym> symbols(1);
    for (const auto& [function, section] : functions_) {
      Elf64_Sym symbol{};
      symbol.st_name = static_cast<Elf64_Word>(name(function));
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
      symbol.st_shndx = section;
      symbols.push_back(symbol);
    }
    const std::size_t headers = sizeof(Elf64_Ehdr);
    const std::size_t sections = headers + 3 * sizeof(Elf64_Phdr);
    const std::size_t names_at = sections + 3 * sizeof(Elf64_Shdr);
    const std::size_t interpreter_at = names_at + names.size();
    const std::size_t dynamic_at = interpreter_at + interpreter_.size() + 1;
    dynamic.push_back({DT_STRTAB, {address + names_at}});
    dynamic.push_back({DT_STRSZ, {names.size()}});
    dynamic.push_back({DT_NULL, {0}});
    const std::size_t symbols_at = dynamic_at + dynamic.size() * sizeof(Elf64_Dyn);
    const std::size_t end = symbols_at + symbols.size() * sizeof(Elf64_Sym);

    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = machine();
    header.e_phoff = headers;
    header.e_phnum = interpreter_.empty() ? 2 : 3;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_shoff = sections;
    header.e_shnum = 3;
    header.e_shentsize = sizeof(Elf64_Shdr);

    std::vector<std::byte> file;
    append(file, header);
    append(file, segment(PT_LOAD, 0, end));
    append(file, segment(PT_DYNAMIC, dynamic_at, dynamic.size() * sizeof(Elf64_Dyn)));
    append(file, segment(PT_INTERP, interpreter_at, interpreter_.size() + 1));
    append(file, Elf64_Shdr{});
    append(file, section(SHT_STRTAB, names_at, names.size(), 0));
    append(file, section(SHT_DYNSYM, symbols_at, symbols.size() * sizeof(Elf64_Sym), 1));
    append_text(file, names);
    append_text(file, interpreter_ + '\0');
    for (const Elf64_Dyn& entry : dynamic) append(file, entry);
    for (const Elf64_Sym& symbol : symbols) append(file, symbol);
    return file;
  }

 private:
  static constexpr std::size_t address = 0x400000;

  static constexpr Elf64_Half machine() {
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__aarch64__)
    return EM_AARCH64;
#else
#error "name this machine's ELF number here"
#endif
  }

  static Elf64_Phdr segment(Elf64_Word type, std::size_t offset, std::size_t size) {
    Elf64_Phdr segment{};
    segment.p_type = type;
    segment.p_offset = offset;
    segment.p_vaddr = address + offset;
    segment.p_filesz = size;
    segment.p_memsz = size;
    return segment;
  }

  static Elf64_Shdr section(Elf64_Word type, std::size_t offset, std::size_t size,
                            Elf64_Word link) {
    Elf64_Shdr section{};
    section.sh_type = type;
    section.sh_offset = offset;
    section.sh_size = size;
    section.sh_link = link;
    return section;
  }

  template <class Record>
  static void append(std::vector<std::byte>& file, const Record& record) {
    const std::size_t at = file.size();
    file.resize(at + sizeof(Record));
    std::memcpy(file.data() + at, &record, sizeof(Record));
  }

  static void append_text(std::vector<std::byte>& file, const std::string& text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    file.insert(file.end(), bytes, bytes + text.size());
  }

  std::string interpreter_;
  std::vector<std::string> needed_;
  std::vector<std::pair<std::string, Elf64_Section>> functions_;
};

}  // namespace tightwire::cli
