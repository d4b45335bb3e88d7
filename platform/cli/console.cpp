#include "platform/cli/console.h"

#include <cstdio>

#include "foundation/source_root.h"
#include "foundation/utf8.h"

namespace tvp::cli {

void complain(const std::string& text) {
  const std::string line = foundation::program_name() + ": " + foundation::printable(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

void print(const std::string& text) { std::fputs(foundation::printable(text).c_str(), stdout); }

}  // namespace tvp::cli
