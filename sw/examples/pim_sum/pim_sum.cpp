// Sums numbers that lie in the banks of a PIM rank, where they lie.
//
// Each bank's processor sums its part and sends the result to that of the first bank, which adds
// them up. The host reads one number instead of all.

#include <cstdio>
#include <numeric>
#include <vector>

#include "sw/runtime/open_library.h"
#include "sw/runtime/pim_system.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kNumbersPerBank = 16384;

int sum_banks() {
  const auto library = open_library();
  library->configure("system=pim_rank");
  PimSystem system(*library);
  std::vector<unsigned> units(system.units());
  std::iota(units.begin(), units.end(), 0U);
  system.load(units, KERNELS "sum.cpp", {});

  std::uint32_t golden = 0;
  for (const unsigned unit : units) {
    std::vector<std::uint32_t> numbers(kNumbersPerBank);
    std::iota(numbers.begin(), numbers.end(), unit * 1000);
    golden = std::accumulate(numbers.begin(), numbers.end(), golden);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
    system.write_bank(unit, 0, {bytes, kNumbersPerBank * sizeof(std::uint32_t)});
    system.set(unit, "numbers_here", kNumbersPerBank);  // a variable of the program
    system.own_by_processor(unit);
  }

  system.run(units);

  const auto sum = system.get<std::uint32_t>(0, "sum");
  const PimSystem::UnitState first = system.state(0);
  std::printf("pim_sum: %u banks in %.0f ns, sum %u: %s\n", system.units(),
              system.ns(first.ended_cycle - first.started_cycle), sum,
              sum == golden ? "as it should be" : "WRONG");
  if (sum != golden) std::printf("The sum of unit 0:%s\n", system.origin(0, "sum").c_str());
  return sum == golden ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return sum_banks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pim_sum: %s\n", error.what());
    return 2;
  }
}
