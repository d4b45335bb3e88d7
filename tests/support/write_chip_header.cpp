// Writes chip_numbers.h of Wormhole B0, for firmware that is compiled at build time.
#include <cstdio>
#include <fstream>

#include "foundation/chip/chip_header.h"
#include "foundation/chip/chip_reader.h"
#include "foundation/fault.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const auto chip = tvp::foundation::load_chip(argv[1], "");
    std::ofstream(argv[2]) << tvp::foundation::chip_header(chip);
  } catch (const tvp::foundation::Fault& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 2;
  }
  return 0;
}
