#include "sw/runtime/compiler/forwarding_headers.h"

#include <filesystem>
#include <sstream>

#include "foundation/read_file.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace fs = std::filesystem;

namespace {

/// Path of a header in TT_METAL_HOME that only uses the API.
std::string tree_header(const std::string& path) {
  return "#if __has_include(\"" + path + "\")\n#include \"" + path +
         "\"\n#else\n#error \"TT_METAL_HOME names no tree of tt-metal's with " + path +
         "\"\n#endif\n";
}

}  // namespace

std::map<std::string, std::string> forwarding_headers(const std::string& root) {
  const std::string list = root + "/firmware/api/compat/headers.txt";
  std::map<std::string, std::string> headers;
  std::istringstream lines(foundation::read_file(list));
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string spelling, header, more;
    if (!(words >> spelling)) continue;
    const std::string where = list + ":" + std::to_string(number);
    if (!(words >> header)) bad_use(where, "expected a spelling and its header");
    std::string text = "#pragma once\n";
    if (header == "absent") {
      std::getline(words >> std::ws, more);
      if (more.empty()) bad_use(where, "expected why there is no such header");
      text += "#error \"" + spelling + " is not offered: " + more + "\"\n";
    } else if (header == "tree") {
      if (!(words >> header) || words >> more)
        bad_use(where, "expected the header's path in the tree of tt-metal");
      text += tree_header(header);
    } else if (words >> more) {
      bad_use(where, "expected a spelling and its header");
    } else {
      const std::string path = header.starts_with("foundation/") ? header : "firmware/" + header;
      if (!fs::is_regular_file(root + "/" + path)) bad_use(where, "there is no header " + path);
      text += "#include \"" + path + "\"\n";
    }
    if (fs::exists(root + "/firmware/api/" + spelling))
      bad_use(where, spelling + " is a header of its own, in firmware/api");
    if (!headers.emplace("firmware/api/" + spelling, text).second)
      bad_use(where, spelling + " is in the list twice");
  }
  return headers;
}

}  // namespace tvp::runtime
