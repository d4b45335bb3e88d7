// Writes anew what the pages show of the program's output. Run it in the root of the source tree.
#include <cstdio>
#include <exception>

#include "tests/docs/document.h"

int main(int argc, char**) {
  if (argc != 1) {
    std::fprintf(stderr, "usage: refresh_outputs (in the root of the source tree; no arguments)\n");
    return 2;
  }
  try {
    for (const char* page : {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}) {
      tvp::docs::Document document(page);
      for (std::size_t i = 0; i < document.outputs().size(); ++i) {
        const tvp::docs::OutputBlock block = document.outputs()[i];
        const std::string now = tvp::docs::output_of(TVP_PROGRAM, block.arguments);
        document.replace(block, tvp::docs::shortened(now, block.text));
      }
      document.save();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "refresh_outputs: %s\n", error.what());
    return 2;
  }
  return 0;
}
