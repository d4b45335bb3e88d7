// Speed of computing Tensix cores: firmware, kernels, unpackers, matrix or vector unit and packers
// of a whole chip. Operands stay in L1. Prints host time per tile, as the difference of runs of two
// lengths, so that start-up does not count. Also prints the host time of the tile's arithmetic
// alone, a lower bound.
//   bench_tensix [--short] [--json FILE]
//   bench_tensix --once NAME ROUNDS   one run of one of them, for profilers
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sw/runtime/host_api.h"
#include "tests/bench/arithmetic_alone.h"
#include "tests/support/bench_report.h"

namespace {

using namespace tvp::runtime;
using tvp::test::BenchReport;
using tvp::test::cpu_seconds;

constexpr std::uint32_t kPages = 8;  ///< tiles of each operand, and products per output tile
constexpr std::uint32_t kTileBytes = 32 * 32 * 2;

struct Work {
  const char* name;
  const char* kernel;
  std::uint32_t side;  ///< cores form a square
  tvp::runtime::MathFidelity fidelity;
  bool fp32_dst;
  unsigned tiles_of_a_round;
  std::optional<double> bar_us;
  std::uint32_t rounds;  ///< in a short run
};

/// Host seconds of a run of `rounds` rounds on each core.
double seconds_of(const Work& work, std::uint32_t rounds) {
  const auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});
  const CoreRange cores({0, 0}, {work.side - 1, work.side - 1});

  Program program = CreateProgram();
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 16}) {
    const std::uint32_t pages = cb == 16 ? 2 : kPages;
    CircularBufferConfig config(pages * kTileBytes, {{cb, DataFormat::Float16_b}});
    CreateCircularBuffer(program, cores, config.set_page_size(cb, kTileBytes));
  }
  const auto operands = CreateKernel(program, KERNELS "operands.cpp", cores,
                                     ReaderDataMovementConfig({kPages, kTileBytes}));
  ComputeConfig config;
  config.math_fidelity = work.fidelity;
  config.fp32_dest_acc_en = work.fp32_dst;
  config.compile_args = {kPages};
  const auto compute = CreateKernel(program, std::string(KERNELS) + work.kernel, cores, config);
  for (std::uint32_t y = 0; y < work.side; ++y) {
    for (std::uint32_t x = 0; x < work.side; ++x) {
      SetRuntimeArgs(program, operands, CoreCoord{x, y}, {1 + 977 * (y * work.side + x)});
      SetRuntimeArgs(program, compute, CoreCoord{x, y}, {rounds});
    }
  }
  const double start = cpu_seconds();
  mesh.run(0, program);
  return cpu_seconds() - start;
}

void measure(BenchReport& report, const Work& work, std::uint32_t rounds) {
  seconds_of(work, 1);  // compiles the kernels
  const double few = seconds_of(work, rounds / 8);
  const double many = seconds_of(work, rounds);
  const double tiles =
      double{rounds - rounds / 8.0} * work.tiles_of_a_round * work.side * work.side;
  const double each_us = (many - few) / tiles * 1e6;
  std::printf("%-36s %6.2f us a tile\n", work.name, each_us);
  report.add(work.name, each_us, "us", BenchReport::Better::kLower, work.bar_us);
}

void measure_alone(BenchReport& report) {
  const unsigned tiles = report.is_short() ? 500 : 20000;
  const auto add = [&](const char* name, double seconds) {
    const double each_us = seconds / tiles * 1e6;
    std::printf("%-36s %6.2f us a tile\n", name, each_us);
    report.add(name, each_us, "us", BenchReport::Better::kLower);
  };
  using tvp::bench::ExponentialAlone;
  using tvp::bench::MatmulAlone;
  add("sums of a LoFi tile, alone", MatmulAlone(1, false).seconds_of(tiles));
  add("sums of a HiFi4 tile, alone", MatmulAlone(4, false).seconds_of(tiles));
  add("sums of a HiFi4 FP32 tile, alone", MatmulAlone(4, true).seconds_of(tiles));
  add("products of an exponential tile, alone", ExponentialAlone::seconds_of(tiles));
}

constexpr Work kWorks[] = {
    {"64 cores LoFi tile", "matmul.cpp", 8, MathFidelity::LoFi, false, kPages, 2, 8},
    {"64 cores HiFi4 tile", "matmul.cpp", 8, MathFidelity::HiFi4, false, kPages, 6, 8},
    {"64 cores HiFi4 FP32 tile", "matmul.cpp", 8, MathFidelity::HiFi4, true, kPages, 6, 8},
    {"1 core LoFi tile", "matmul.cpp", 1, MathFidelity::LoFi, false, kPages, {}, 64},
    {"exponential tile", "exponential.cpp", 1, MathFidelity::HiFi4, false, 1, 10, 64},
};

/// `bench_tensix --once NAME ROUNDS`: a single run, for profilers.
int run_once(std::string_view name, const char* rounds) {
  for (const Work& work : kWorks) {
    if (name != work.name) continue;
    std::printf("%.6f s\n", seconds_of(work, static_cast<std::uint32_t>(std::stoul(rounds))));
    return 0;
  }
  throw std::invalid_argument("--once: no benchmark has that name");
}

}  // namespace

extern "C" int sc_main(int, char**) { return 0; }  // libsystemc.so needs the symbol

int main(int argc, char** argv) try {
  if (argc == 4 && argv[1] == std::string_view("--once")) return run_once(argv[2], argv[3]);
  BenchReport report("tensix", argc, argv);
  for (const Work& work : kWorks) measure(report, work, work.rounds * (report.is_short() ? 1 : 8));
  measure_alone(report);
  return report.finish();
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_tensix: %s\n", error.what());
  return 2;
}
