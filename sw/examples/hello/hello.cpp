// Runs a kernel on four Tensix cores, each of which prints a line.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

int say_hello() {
  const auto library = open_library();
  library->configure("system=single_chip");
  std::vector<std::string> lines;
  MeshDevice::Options options;
  options.dprint = true;
  options.print = [&](const std::string& line) { lines.push_back(line); };
  MeshDevice mesh(*library, options);

  const CoreRangeSet cores = CoreRange({0, 0}, {1, 1});
  Program program = CreateProgram();
  const auto hello = CreateKernel(program, KERNELS "hello.cpp", cores, DataMovementConfig{});
  std::vector<std::string> golden;
  for (const CoreCoord core : cores.cores()) {
    const std::uint32_t argument = 100 + 10 * core.y + core.x;
    SetRuntimeArgs(program, hello, core, {argument});
    // Device, core and processor come first: BR is BRISC, the first of five.
    const std::string x = std::to_string(core.x);
    const std::string y = std::to_string(core.y);
    golden.push_back("0:(" + x + "," + y + "):BR: hello from core (" + x + ", " + y +
                     "), my argument is " + std::to_string(argument));
  }
  mesh.run(0, program);

  for (const std::string& line : lines) std::printf("hello: %s\n", line.c_str());
  std::sort(lines.begin(), lines.end());
  std::sort(golden.begin(), golden.end());
  std::printf("hello: %zu lines from %u cores: %s\n", lines.size(), cores.num_cores(),
              lines == golden ? "as they should be" : "WRONG");
  return lines == golden ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return say_hello();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hello: %s\n", error.what());
    return 2;
  }
}
