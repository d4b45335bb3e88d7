#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/config/movement_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/mover/tdma_risc.h"
#include "models/tensix/coprocessor/pack/pack_pipeline.h"
#include "models/tensix/coprocessor/pack/packer_metadata.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/unit_faults.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Performs the register writes of PACR_SETREG.
class RegisterWriter {
 public:
  virtual ~RegisterWriter() = default;
  /// `when` is the cycle at which the packers pass the write on, at or after the call.
  virtual void write_register(std::uint32_t address, std::uint32_t value, Cycle when) = 0;
};

/// The four packers: PACR and PACR_SETREG (ISA Packers/*.md).
///
/// In a cycle a packer reads a row of Dst (16 datums) and writes 16 B to L1; an addition to L1
/// takes two cycles. It accepts an instruction when it has read the rows of the previous one and L1
/// does not block it.
class Packers : public ExecutionUnit, public PackerMetadata {
 public:
  static constexpr unsigned kPackers = 4;
  static constexpr unsigned kExponentBins = PackPipeline::kExponentBins;

  Packers(const MovementConfig& config, const BackendConfig& backend_config,
          AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
          foundation::FaultPolicy& faults, const std::string& where);

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  /// Tie order of the agent that runs the coprocessor, for agents that sleep on L1.
  void set_agent_order(unsigned order) { agent_order_ = order; }
  void set_register_writer(RegisterWriter* writer) { register_writer_ = writer; }

  /// First cycle at which the packer has no work of `thread` (STALLWAIT C3..C6).
  Cycle idle_from(unsigned packer, unsigned thread) const {
    return packers_[packer].idle_from(thread);
  }
  const PackPipeline::Counters& counters(unsigned packer) const {
    return packers_[packer].counters();
  }

  // Values that SETDMAREG and TDMA-RISC read. Sizes are in units of 16 bytes (assumed, since
  // Add_tile_header_size adds the header as one unit).
  std::uint16_t tile_size(unsigned packer, unsigned thread) const override {
    return packers_[packer].tile_size(thread);
  }
  std::uint16_t accumulated_tile_size(unsigned packer, unsigned thread) const override {
    return packers_[packer].accumulated_tile_size(thread);
  }
  void reset_accumulated_tile_size(unsigned packer) override {
    packers_[packer].reset_accumulated_tile_size();
  }
  /// Flags of compressed rows, which do not exist.
  std::uint32_t all_zero_flags(unsigned) const override { return 0; }
  std::uint8_t exponent_histogram(unsigned packer, unsigned bin) const override {
    return packers_[packer].histogram().bins[bin];
  }
  std::uint8_t exponent_histogram_max() const override {
    return packers_[0].histogram().max_exponent;
  }
  /// CLREXPHIST.
  void clear_exponent_histograms();

  // Values that TDMA-RISC sets (ISA TensixTile/TDMA-RISC.md).
  void set_l1_dest_addr_offset(unsigned packer, std::uint16_t offset) override {
    packers_[packer].set_l1_dest_addr_offset(offset);
  }
  void attach(const TdmaRisc::PackSetregConfig& setreg) { setreg_ = &setreg; }

 private:
  using Input = PackPipeline::Input;

  Issue issue_pack(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_setreg(std::uint32_t instruction, unsigned thread, Cycle now);
  unsigned select_packers(std::uint32_t instruction);
  Input plan_input(unsigned packer, std::uint32_t instruction, unsigned thread);
  Cycle readable_from(const Input& input, bool read_32b) const;
  void reads(const Input& input, bool read_32b, DstInFlight::User reader);
  void end_tile(unsigned row);
  bool collects_histogram() const;
  void advance_counters(std::uint32_t instruction, unsigned thread, unsigned adcs);

  const BackendConfig& backend_config_;
  AddressCounters& counters_;
  RegisterFiles& registers_;
  UnitFaults faults_;
  unsigned agent_order_ = 0;
  RegisterWriter* register_writer_ = nullptr;
  const TdmaRisc::PackSetregConfig* setreg_ = nullptr;
  std::array<PackPipeline, kPackers> packers_;
  /// State of the tile that is being packed, for the check of missing waits.
  bool takes_rows_ = false;     ///< of Dst
  bool takes_written_ = false;  ///< some of them from where something was written since ZEROACC
};

}  // namespace tvp::tensix::coprocessor
