// The report of PimMachine about the origin of bytes in a bank.

#include <algorithm>
#include <optional>

#include "foundation/hex.h"
#include "platform/machine/pim_machine.h"

namespace tvp::platform {

namespace {

using Transfer = checks::UnitRecord::Transfer;

bool is_in(std::uint64_t address, std::uint64_t begin, std::uint32_t bytes) {
  return address >= begin && address - begin < bytes;
}

}  // namespace

/// "unit 0 (chip0.bank0) has written it, 1024 bytes from WRAM 0x…, in main (scan.cpp:40)", and what
/// its program has brought to WRAM before. For WRAM, only the latter.
std::string PimMachine::origin(unsigned unit, std::uint64_t address, bool in_wram) const {
  const checks::TileChecks* const tile = unit < units_.size() ? checks_.at(unit, 0) : nullptr;
  if (tile == nullptr) return "";
  const auto line = [&](unsigned of, std::uint32_t pc) {
    const std::string text = pc == 0 ? "" : symbols_.describe(0, of, 0, 0, pc);
    return text.empty() ? "" : "\n  in " + text;
  };
  const std::string who = "unit " + std::to_string(unit) + " (" + hierarchy_.name_of(unit) + ")";
  std::vector<Transfer> newest_first = tile->unit_record().transfers();
  std::ranges::reverse(newest_first);
  auto earlier = newest_first.begin();
  auto from = static_cast<std::uint32_t>(address);
  std::optional<unsigned> thread;
  std::string text = who + " has it in WRAM " + foundation::hex(from);
  if (!in_wram) {
    const auto write = std::ranges::find_if(newest_first, [&](const Transfer& each) {
      return each.kind == Transfer::Kind::kToBank && is_in(address, each.bank, each.bytes);
    });
    if (write == newest_first.end()) {
      text = "no transfer of " + who + " has written it since its program started";
      const auto any = std::ranges::find(newest_first, Transfer::Kind::kToBank, &Transfer::kind);
      if (any == newest_first.end()) text += ", which has called no dma_write";
      const auto last = any != newest_first.end() ? any : newest_first.begin();
      if (last == newest_first.end() || last->kind == Transfer::Kind::kMessage) return text;
      return text + "; the last transfer " + (any == last ? "to" : "from") + " the bank was at " +
             foundation::hex(last->bank) + ", " + std::to_string(last->bytes) + " bytes" +
             line(unit, last->pc);
    }
    from = static_cast<std::uint32_t>(write->wram + (address - write->bank));
    text = who + " has written it, " + std::to_string(write->bytes) + " bytes from WRAM " +
           foundation::hex(write->wram) + line(unit, write->pc);
    earlier = write + 1;
    thread = write->thread;
  }
  constexpr std::size_t kMostLines = 4;
  std::vector<std::uint32_t> named;
  bool is_known = false;
  for (auto each = earlier; each != newest_first.end(); ++each) {
    const bool is_source = is_in(from, each->wram, each->bytes);
    if (each->kind == Transfer::Kind::kMessage && !is_known && (is_source || in_wram)) {
      const std::uint32_t pc =
          checks_.at(each->source, 0)->unit_record().sent_to(unit, each->channel).pc;
      if (!is_source && (named.size() == kMostLines || std::ranges::count(named, pc) != 0))
        continue;
      named.push_back(pc);
      text += (is_source ? "\nThere unit " : "\nBefore that unit ") + std::to_string(each->source) +
              " has sent " + (is_source ? "it, " : "") + std::to_string(each->bytes) +
              " bytes on channel " + std::to_string(each->channel) + line(each->source, pc);
      is_known = is_source;
    }
    if (each->kind != Transfer::Kind::kToWram || (thread && each->thread != *thread) ||
        named.size() == kMostLines || std::ranges::count(named, each->pc) != 0)
      continue;
    named.push_back(each->pc);
    text += (is_source && !is_known ? "\nThere the unit had read it from the bank, "
                                    : "\nBefore that the unit read from the bank, ") +
            std::to_string(each->bytes) + " bytes at " + foundation::hex(each->bank) +
            line(unit, each->pc);
    is_known = is_known || is_source;
  }
  if (!is_known)
    text += "\nNo dma_read and no message has brought data to WRAM " + foundation::hex(from) +
            " before; stores of the core are not recorded";
  return text;
}

}  // namespace tvp::platform
