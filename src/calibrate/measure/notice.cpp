#include "calibrate/measure/notice.h"

namespace tightwire::calibrate {

std::optional<Notice> parse(CLI::App& app, int argc, const char* const* argv, const char* help) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return Notice{app.help(), 0};
  } catch (const CLI::ParseError& error) {
    return Notice{std::string(error.what()) + "; see " + help, bad_usage};
  }
}

}  // namespace tightwire::calibrate
