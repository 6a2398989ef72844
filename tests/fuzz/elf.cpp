// Any bytes as a program, an ELF file or a script, that the launcher examines.
#include "cli/program/elf.h"

#include "cli/launch/evidence.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tightwire;
  using fuzz::require;
  // Once from memory of just this size, for a sanitizer sees no step outside of a mapped file.
  fuzz::Input input(data, size);
  const std::vector<std::byte> bytes = input.rest();
  const cli::ElfResult result = cli::read_elf(bytes);
  (void)cli::defines_function(bytes, "MPI_Init");

  const fuzz::MemoryFile file({data, size});
  const cli::Program program = cli::examine(file.path(), "");
  require(program.error == 0, "the file is found");
  require(program.elf || !program.damage.empty(), "what is no program is told of");
  require(program.script || result.ok() == program.elf.has_value(), "both ways agree");
  (void)cli::why_not_preload(program);
  (void)cli::cannot_start(program);
  return 0;
}
