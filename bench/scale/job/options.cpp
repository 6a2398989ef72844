#include "scale/job/options.h"

#include <sstream>
#include <stdexcept>

namespace tightwire::scale {
namespace {

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) found.push_back(word);
  return found;
}

}  // namespace

Options parse(int argc, char** argv) {
  constexpr int arguments = 13;
  if (argc != arguments) throw std::runtime_error("twelve arguments are needed");
  Options options{words(argv[1]),
                  {},
                  {},
                  std::stod(argv[4]),
                  argv[5],
                  std::stoi(argv[6]),
                  std::stoi(argv[7]),
                  std::string(argv[8]) == "shared",
                  argv[9],
                  std::stod(argv[10]),
                  std::string(argv[11]) == "mpich",
                  std::string(argv[12]) == "dealt"};
  for (const std::string& name : words(argv[2])) {
    const auto operation = comparison::operation_named(name);
    if (!operation && name != "halo")
      throw std::runtime_error("there is no operation \"" + name + "\"");
    options.operations.push_back(operation);
  }
  for (const std::string& size : words(argv[3])) options.bytes.push_back(std::stoul(size));
  return options;
}

}  // namespace tightwire::scale
