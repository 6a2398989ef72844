// Any words as the arguments of tightwire compress and expand, which write files: in a folder with
// a.f32, some values, and a.tw, the same compressed.
#include <algorithm>

#include "cli/file/commands.h"
#include "words.h"
#include "work_folder.h"

namespace {

using namespace tightwire;
using Words = std::vector<std::string>;
using Files = fuzz::WorkFolder::Files;

// Nothing outside of the folder is touched, and what names may be is for the file system to say.
bool leads_away(const Words& words) {
  constexpr std::size_t longest = 200;
  return std::ranges::any_of(words, [](const std::string& word) {
    return word.find('/') != std::string::npos || word.size() > longest;
  });
}

Files make_inputs(const fuzz::WorkFolder& folder) {
  std::string values(64 * sizeof(float), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<char>(i % 7);
  folder.fill({{"a.f32", values}});
  const fuzz::WorkFolder::Visit visit(folder);
  fuzz::require(cli::run_compress({"a.f32", "-o", "a.tw"}) == 0, "the values can be compressed");
  return folder.content();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::WorkFolder folder;
  static const Files inputs = make_inputs(folder);
  if (size == 0) return 0;
  const Words words = fuzz::words_of(data + 1, size - 1);
  if (leads_away(words)) return 0;
  folder.fill(inputs);
  int code = 0;
  {
    const fuzz::WorkFolder::Visit visit(folder);
    code = data[0] % 2 == 0 ? cli::run_compress(words) : cli::run_expand(words);
  }
  fuzz::require(code >= 0 && code <= 2, "a command ends as its documentation says");
  fuzz::require(code == 0 || folder.content() == inputs, "an error leaves everything as it was");
  return 0;
}
