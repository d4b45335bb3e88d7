#include "models/ddr/command_channel.h"

#include <algorithm>
#include <bit>

namespace tvp::ddr {

namespace {

bool is_read(CaCommand code) {
  return code == CaCommand::kRead || code == CaCommand::kReadAutoPrecharge;
}

bool is_write(CaCommand code) {
  return code == CaCommand::kWrite || code == CaCommand::kWriteAutoPrecharge;
}

bool is_auto(CaCommand code) {
  return code == CaCommand::kReadAutoPrecharge || code == CaCommand::kWriteAutoPrecharge;
}

}  // namespace

CommandChannel::CommandChannel(const dram::Preset& preset, const std::string& where)
    : organization_(preset.organization),
      timing_(preset.timing),
      checker_(preset),
      commands_(timing_, organization_.ranks),
      data_(timing_, organization_.bus_bits, 1, false, where),
      rows_(organization_.banks(), kNoRow) {}

bool CommandChannel::has_open_row(unsigned rank) const {
  const unsigned banks = organization_.banks_per_rank();
  const auto first = rows_.begin() + rank * banks;
  return std::any_of(first, first + banks, [](std::uint64_t row) { return row != kNoRow; });
}

CommandChannel::Result CommandChannel::check_rows(const Command& command) const {
  const auto rank = static_cast<unsigned>(std::countr_zero(command.ranks));
  if (is_read(command.code) || is_write(command.code))
    return open_row(rank, command.bank) == kNoRow ? Result::kRowClosed : Result::kIssued;
  if (command.code == CaCommand::kActivate)
    return open_row(rank, command.bank) == kNoRow ? Result::kIssued : Result::kRowOpen;
  if (command.code != CaCommand::kRefresh) return Result::kIssued;
  for (unsigned r = 0; r < organization_.ranks; ++r)
    if ((command.ranks >> r & 1) != 0 && has_open_row(r)) return Result::kRowOpen;
  return Result::kIssued;
}

void CommandChannel::change_rows(const Command& command) {
  const unsigned banks = organization_.banks_per_rank();
  const unsigned first = static_cast<unsigned>(std::countr_zero(command.ranks)) * banks;
  if (command.code == CaCommand::kActivate) {
    rows_[first + command.bank] = command.row;
  } else if (command.code == CaCommand::kPrecharge || is_auto(command.code)) {
    rows_[first + command.bank] = kNoRow;
  } else if (command.code == CaCommand::kPrechargeAll) {
    for (unsigned bank = 0; bank < rows_.size(); ++bank)
      if ((command.ranks >> bank / banks & 1) != 0) rows_[bank] = kNoRow;
  }
}

CommandChannel::Answer CommandChannel::issue(const Command& command, MemCycle earliest,
                                             bool strict) {
  Answer answer{.result = check_rows(command)};
  if (answer.result != Result::kIssued) return answer;
  const auto on_bus = dram_command(command.code);
  MemCycle wanted = earliest;
  const auto each_bank = [&](const auto& visit) {
    for (unsigned rank = 0; on_bus && rank < organization_.ranks; ++rank)
      if ((command.ranks >> rank & 1) != 0)
        visit(rank * organization_.banks_per_rank() + command.bank);
  };
  each_bank([&](unsigned bank) { wanted = std::max(wanted, checker_.earliest(*on_bus, bank)); });
  const bool moves_data = is_read(command.code) || is_write(command.code);
  const Direction direction = is_read(command.code) ? Direction::kFromChip : Direction::kToChip;
  const MemCycle latency = is_read(command.code) ? timing_.cl : timing_.cwl;
  if (moves_data) wanted = data_.burst_ready(direction, wanted + latency) - latency;
  const unsigned slots = command.code == CaCommand::kPim ? command.words * timing_.other_slots
                                                         : commands_.slots_of(command.code);
  answer.slot = commands_.first_free(slots, wanted);
  answer.end = answer.slot + slots;
  if (strict && answer.slot > earliest) {
    answer.result = Result::kTooEarly;
    return answer;
  }
  if (command.code == CaCommand::kPim) {
    commands_.issue_pim(command.words, wanted);
  } else {
    commands_.issue(command.code, wanted);
  }
  each_bank([&](unsigned bank) { checker_.issue(*on_bus, bank, answer.slot); });
  if (moves_data) answer.data = data_.take_burst(direction, answer.slot + latency);
  change_rows(command);
  return answer;
}

}  // namespace tvp::ddr
