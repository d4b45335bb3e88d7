// Writes the levels of the table into ARCHITECTURE.md, between its two marks. Run it in the root of
// the source tree.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/layers/arrow_table.h"

int main() {
  const std::string begin = "<!-- layers: made by draw_layers from tests/layers/arrows.txt -->\n";
  const std::string end = "<!-- end of layers -->\n";
  const char* file = "ARCHITECTURE.md";
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from) {
    std::fprintf(stderr, "%s: expected the lines '%.*s' and '%.*s'\n", file,
                 static_cast<int>(begin.size() - 1), begin.c_str(),
                 static_cast<int>(end.size() - 1), end.c_str());
    return 2;
  }
  const auto table = tvp::layers::ArrowTable::read("tests/layers/arrows.txt");
  text.replace(from + begin.size(), to - from - begin.size(), "```\n" + table.drawing() + "```\n");
  std::ofstream out(file);
  out << text;
  return out.flush() ? 0 : 2;
}
