#include "sw/runtime/forwarding_headers.h"

#include <filesystem>
#include <sstream>

#include "foundation/read_file.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace fs = std::filesystem;

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
    if (!(words >> header) || words >> more)
      bad_use(where, "expected a spelling and the header that it stands for");
    if (!fs::is_regular_file(root + "/firmware/" + header))
      bad_use(where, "there is no header firmware/" + header);
    if (fs::exists(root + "/firmware/api/" + spelling))
      bad_use(where, spelling + " is a header of its own, in firmware/api");
    const std::string text = "#pragma once\n#include \"firmware/" + header + "\"\n";
    if (!headers.emplace("firmware/api/" + spelling, text).second)
      bad_use(where, spelling + " is in the list twice");
  }
  return headers;
}

}  // namespace tvp::runtime
