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
  // The line of the last read of the sender, whose data a message may carry.
  const auto sent_from = [&](unsigned sender, const auto& line_of) -> std::string {
    std::vector<Transfer> all = checks_.at(sender, 0)->unit_record().transfers();
    const auto read = std::find_if(all.rbegin(), all.rend(), [](const Transfer& each) {
      return each.kind == Transfer::Kind::kToWram;
    });
    if (read == all.rend()) return "";
    return "\nThe last dma_read of unit " + std::to_string(sender) + ": " +
           std::to_string(read->bytes) + " bytes at " + foundation::hex(read->bank) +
           line_of(sender, read->pc);
  };
  const std::string who = "unit " + std::to_string(unit) + " (" + hierarchy_.name_of(unit) + ")";
  std::vector<Transfer> newest_first = tile->unit_record().transfers();
  std::ranges::reverse(newest_first);
  auto earlier = newest_first.begin();
  auto from = static_cast<std::uint32_t>(address);
  std::optional<unsigned> thread;
  Transfer written;  ///< the transfer to the bank
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
    written = *write;
    thread = write->thread;
  }
  constexpr std::size_t kMostLines = 4;
  std::vector<std::uint32_t> named;
  bool is_known = false;
  // A later transfer to the same memory that has not brought the byte.
  const Transfer* partial = nullptr;
  for (auto each = earlier; each != newest_first.end(); ++each) {
    const bool is_source = is_in(from, each->wram, each->bytes);
    const bool brings = each->kind != Transfer::Kind::kToBank && each->bytes != 0;
    if (brings && !is_source && !is_known && partial == nullptr && written.bytes != 0 &&
        is_in(each->wram, written.wram, written.bytes))
      partial = &*each;
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
      if (is_source) text += sent_from(each->source, line);
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
  if (partial != nullptr) {
    const bool is_message = partial->kind == Transfer::Kind::kMessage;
    const unsigned sender = is_message ? partial->source : unit;
    const std::uint32_t pc =
        is_message ? checks_.at(sender, 0)->unit_record().sent_to(unit, partial->channel).pc
                   : partial->pc;
    text += "\nThe latest transfer to this memory has not brought the byte: " +
            (is_message ? "unit " + std::to_string(sender) + " has sent only "
                        : "the unit has read from the bank only ") +
            std::to_string(partial->bytes) + " bytes, to WRAM " + foundation::hex(partial->wram) +
            line(sender, pc);
  }
  if (!is_known)
    text += "\nNo dma_read and no message has brought data to WRAM " + foundation::hex(from) +
            " before; stores of the core are not recorded";
  return text;
}

}  // namespace tvp::platform
