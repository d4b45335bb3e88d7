#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/ethernet/link.h"
#include "models/riscv/core.h"
#include "models/support/wave_files/wave_recorder.h"
#include "platform/machine/chip.h"
#include "platform/machine/symbol_table.h"
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
               const std::vector<std::unique_ptr<ethernet::Link>>& links,
               const SymbolTable& symbols);

 private:
  /// Shows the packets of a NoC, or of an end of a link, as arrows.
  class NocArrows : public noc::PacketObserver {
   public:
    NocArrows(support::WaveRecorder& recorder, const Chip& chip);
    void arrives(unsigned noc, const noc::NocExtension& header, noc::Node from, noc::Node to,
                 support::Cycle when) override;

   private:
    std::string row_of(unsigned noc, noc::Node node, const char* name) const;
    support::WaveRecorder& recorder_;
    const std::string chip_;
    std::map<std::pair<unsigned, unsigned>, std::string> tiles_;  ///< paths of Tensix and ethernet
  };
  class LinkArrows : public ethernet::LinkObserver {
   public:
    LinkArrows(support::WaveRecorder& recorder, std::string from, std::string to)
        : recorder_(recorder), from_(std::move(from)), to_(std::move(to)) {}
    void flies(const ethernet::EthernetPacket& packet, support::Cycle sent,
               support::Cycle arrives) override;

   private:
    support::WaveRecorder& recorder_;
    const std::string from_, to_;
  };
  void watch_core(riscv::Core& core, const checks::CodeOwner& owner);
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
  const SymbolTable& symbols_;
  CoreWaves cores_;
  std::deque<NocArrows> noc_arrows_;
  std::deque<LinkArrows> link_arrows_;
  std::deque<StreamWaves> streams_;
};

}  // namespace tvp::platform
