#include "models/riscv/execute/csr_file.h"

#include <algorithm>
#include <iterator>

namespace tvp::riscv {

namespace {

/// Registers that keep what is written. Only cfg0 has effects; the events of the performance
/// counters are not published.
constexpr std::uint32_t kStored[] = {
    CsrFile::kCfg0, 0xC22, 0x003, 0x009, 0x00A, 0x320, 0x323, 0x324, 0x7C1, 0x7C2,
    0x7C3,          0x7C4, 0x7C5, 0x7C6, 0xB03, 0xB04, 0xB83, 0xB84, 0xBC2, 0xBC3,
    0xBC4,          0xBC5, 0xBC6, 0xBC7, 0xBC8, 0xBC9, 0xBCA, 0xC20, 0xC21};
constexpr unsigned kVlenbSlot = 1;
static_assert(kStored[kVlenbSlot] == 0xC22);

constexpr std::uint32_t kMergeTimer = 16U << 13;
constexpr std::uint32_t kVectorBytes = 16;

bool is_cycle(std::uint32_t number) {
  return (number & 0xF7F) == 0xB00 || (number & 0xF7F) == 0xC00;
}
bool is_instret(std::uint32_t number) {
  return (number & 0xF7F) == 0xB02 || (number & 0xF7F) == 0xC02;
}
bool is_high(std::uint32_t number) { return (number & 0x80) != 0; }

std::uint64_t replaced(std::uint64_t counter, bool high, std::uint32_t value) {
  return high ? std::uint64_t{value} << 32 | static_cast<std::uint32_t>(counter)
              : counter >> 32 << 32 | value;
}

}  // namespace

int CsrFile::slot_of(std::uint32_t number) {
  static_assert(std::size(kStored) <= kSlots);
  static_assert(kStored[kCfg0Slot] == kCfg0);
  const auto* const at = std::find(std::begin(kStored), std::end(kStored), number);
  return at == std::end(kStored) ? -1 : static_cast<int>(at - kStored);
}

void CsrFile::reset(support::Cycle now) {
  words_.fill(0);
  words_[kCfg0Slot] = kMergeTimer;
  words_[kVlenbSlot] = kVectorBytes;
  cycle_base_ = 0 - now;
  instruction_base_ = 0;
}

const char* CsrFile::read(std::uint32_t number, const Now& now, std::uint32_t& value) const {
  if (is_cycle(number) || is_instret(number)) {
    const std::uint64_t counter =
        is_cycle(number) ? now.cycle + cycle_base_ : now.instructions + instruction_base_;
    value = static_cast<std::uint32_t>(is_high(number) ? counter >> 32 : counter);
    return nullptr;
  }
  switch (number) {
    case 0x300:  // mstatus
      value = 0x80006600;
      return nullptr;
    case 0x301:  // misa
      value = 0x40201123;
      return nullptr;
    case 0x008:  // vstart
    case 0xF14:  // mhartid
      value = 0;
      return nullptr;
    case 0xBC0:
    case 0xBC1:
      return "the state of the coprocessor, which the model does not report there";
    default:
      break;
  }
  const int slot = slot_of(number);
  if (slot < 0) return "which cores of Blackhole do not have";
  value = words_[static_cast<unsigned>(slot)];
  return nullptr;
}

void CsrFile::write(std::uint32_t number, const Now& now, std::uint32_t value) {
  if (is_cycle(number)) {
    cycle_base_ = replaced(now.cycle + cycle_base_, is_high(number), value) - now.cycle;
  } else if (is_instret(number)) {
    instruction_base_ =
        replaced(now.instructions + instruction_base_, is_high(number), value) - now.instructions;
  } else if (const int slot = slot_of(number); slot >= 0) {
    words_[static_cast<unsigned>(slot)] = value;
  }
}

}  // namespace tvp::riscv
