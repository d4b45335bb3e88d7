#include "platform/machine/waves/dram_waves.h"

#include <vector>

namespace tvp::platform {

using dram::DramCommand;
using dram::MemCycle;

namespace {

/// Text of a bank's row; 0: closed.
std::string row_text(std::uint64_t value) {
  return value == 0 ? "closed" : "row " + std::to_string(value - 1);
}

std::string command_text(std::uint64_t value) {
  return value == 0 ? "" : dram::name_of(static_cast<DramCommand>(value - 1));
}

class ChannelRows {
 public:
  ChannelRows(support::WaveRecorder& recorder, const std::string& path, const dram::Preset& preset)
      : preset_(preset), banks_(preset.organization.banks()) {
    recorder.watch(command_, {.path = path + ".command", .text_of = command_text});
    recorder.watch(data_, {.path = path + ".data"});
    for (std::size_t i = 0; i < banks_.size(); ++i) {
      recorder.watch(banks_[i], {.path = path + ".bank_" + std::to_string(i) + ".row",
                                 .text_of = row_text,
                                 .rest = row_text(0)});
    }
  }

  void show(const dram::IssuedCommand& issued) {
    command_.set(issued.at, static_cast<std::uint64_t>(issued.command) + 1);
    command_.set(issued.at + 1, 0);
    switch (issued.command) {
      case DramCommand::kActivate:
        return banks_[issued.bank].set(issued.at, issued.row + 1);
      case DramCommand::kPrecharge:
        return banks_[issued.bank].set(issued.at, 0);
      case DramCommand::kPrechargeAll:
        return close_rank(issued);
      case DramCommand::kRead:
      case DramCommand::kReadAuto:
        return show_burst(issued, preset_.timing.cl, issued.command == DramCommand::kReadAuto);
      case DramCommand::kWrite:
      case DramCommand::kWriteAuto:
        return show_burst(issued, preset_.timing.cwl, issued.command == DramCommand::kWriteAuto);
      case DramCommand::kRefresh:
      case DramCommand::kRefreshBank:
        return;
    }
  }

 private:
  void close_rank(const dram::IssuedCommand& issued) {
    const unsigned per_rank = preset_.organization.banks_per_rank();
    const unsigned first = issued.bank / per_rank * per_rank;
    for (unsigned b = first; b < first + per_rank; ++b) banks_[b].set(issued.at, 0);
  }
  void show_burst(const dram::IssuedCommand& issued, MemCycle latency, bool closes) {
    const MemCycle begin = issued.at + latency;
    data_.occupy(begin, begin + preset_.timing.bl);
    if (closes) banks_[issued.bank].set(issued.at, 0);
  }

  const dram::Preset& preset_;
  support::Signal command_;
  support::LevelSignal data_;
  std::vector<support::Signal> banks_;
};

}  // namespace

void record_dram(support::WaveRecorder& recorder, const std::string& path,
                 const dram::Preset& preset, const dram::CommandLog& log) {
  ChannelRows rows(recorder, path, preset);
  for (const dram::IssuedCommand& issued : log) rows.show(issued);
}

}  // namespace tvp::platform
