// Sums the numbers at the beginning of the own bank; unit 0 adds up the sums of all units.

#include "firmware/api/pim.h"

extern "C" {
std::uint32_t numbers_here;  // set by the host
std::uint32_t sum;           // read by the host, of unit 0
}

namespace {

constexpr std::uint32_t kPart = 1024;  // numbers that are in WRAM at a time
constexpr std::uint32_t kMostUnits = 256;
alignas(8) std::uint32_t part[kPart];
alignas(8) std::uint32_t sums[kMostUnits];

std::uint32_t sum_of_bank() {
  std::uint32_t total = 0;
  for (std::uint32_t done = 0; done < numbers_here; done += kPart) {
    pim::dma_read(part, done * sizeof(std::uint32_t), sizeof part);
    for (const std::uint32_t number : part) total += number;
  }
  return total;
}

}  // namespace

int main() {
  constexpr std::uint32_t kChannel = 0;
  const std::uint32_t me = pim::unit_id();
  const std::uint32_t units = pim::unit_count();
  if (me == 0) pim::set_window(kChannel, sums, sizeof sums);
  pim::barrier();  // the window exists before a unit sends

  sum = sum_of_bank();
  if (me != 0) {
    pim::send(0, kChannel, me * sizeof sum, &sum, sizeof sum);
    return 0;
  }
  pim::wait_arrivals(kChannel, units - 1);
  for (std::uint32_t unit = 1; unit < units; ++unit) sum += sums[unit];
  return 0;
}
