// Updates the outputs of commands that the pages show. Run it in the root of the source tree.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/docs/built_command.h"
#include "tests/docs/document.h"

int main(int argc, char**) {
  if (argc != 1) {
    std::fprintf(stderr, "usage: refresh_outputs (in the root of the source tree; no arguments)\n");
    return 2;
  }
  try {
    std::string scratch = (std::filesystem::temp_directory_path() / "tvp-docs-XXXXXX").string();
    if (mkdtemp(scratch.data()) == nullptr) throw std::runtime_error(scratch + ": not created");
    for (const std::string& page : tvp::docs::checked_pages()) {
      tvp::docs::Document document(page);
      for (std::size_t i = 0; i < document.outputs().size(); ++i) {
        const tvp::docs::OutputBlock block = document.outputs()[i];
        const std::string now = tvp::docs::output_of(block, tvp::docs::built_command(block.command),
                                                     scratch, tvp::docs::page_environment());
        document.replace(block, tvp::docs::shortened(now, block.text));
      }
      document.save();
    }
    std::filesystem::remove_all(scratch);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "refresh_outputs: %s\n", error.what());
    return 2;
  }
  return 0;
}
