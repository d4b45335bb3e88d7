#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/ethernet/link.h"
#include "models/riscv/core.h"
#include "models/support/wave_files/wave_recorder.h"
#include "platform/machine/chip.h"
#include "platform/machine/waves/core_waves.h"
#include "platform/machine/waves/stream_waves.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// The signals of a Wormhole system and their paths in a wave file, for example
/// chip0.tensix_1_2.BRISC.state and chip0.noc0.router_1_2.right. It also holds the rows that the
/// host names. waves/README.md has the whole list.
class MachineWaves {
 public:
  MachineWaves(support::WaveRecorder& recorder, const SystemDescription& system,
               const std::vector<std::unique_ptr<Chip>>& chips,
               const std::vector<std::unique_ptr<ethernet::Link>>& links);

 private:
  void watch_core(riscv::Core& core);
  void watch_links(const SystemDescription& system,
                   const std::vector<std::unique_ptr<ethernet::Link>>& links);
  void watch_torus(Chip& chip, unsigned noc);
  void watch_channels(noc::Torus& torus, const std::string& router, unsigned x, unsigned y);
  void watch_niu(noc::Niu& niu, const std::string& path);
  void watch_coprocessor(tensix::coprocessor::Coprocessor& coprocessor, const std::string& path);
  void watch_queues(ethernet::EthernetQueues& queues, const std::string& path);
  void watch_dram(dram::DramTile& tile, const std::string& path);
  void watch_streams(noc::Overlay& overlay, const std::string& path);
  /// Adds a fill level as a number.
  void watch_number(support::Signal& signal, const std::string& path, unsigned width,
                    bool detail = false);
  void watch_level(support::LevelSignal& signal, const std::string& path, unsigned width,
                   bool detail = false);

  support::WaveRecorder& recorder_;
  CoreWaves cores_;
  std::deque<StreamWaves> streams_;
};

}  // namespace tvp::platform
