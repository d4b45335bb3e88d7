#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/backend_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/movement_config.h"
#include "models/tensix/coprocessor/pack_conversion.h"
#include "models/tensix/coprocessor/pack_stream.h"
#include "models/tensix/coprocessor/packer_metadata.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/tdma_risc.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Who performs the register writes of PACR_SETREG.
class RegisterWriter {
 public:
  virtual ~RegisterWriter() = default;
  /// `when` is the cycle at which the packers pass the write on, not before the call.
  virtual void write_register(std::uint32_t address, std::uint32_t value, Cycle when) = 0;
};

/// The four packers: PACR and PACR_SETREG (ISA Packers/*.md).
///
/// A packer reads a row of Dst (16 datums) a cycle and writes 16 B a cycle to L1, or adds them to
/// what L1 holds in two; it accepts an
/// instruction when it has read what the one before asked for and is not held up by L1.
class Packers : public ExecutionUnit, public PackerMetadata {
 public:
  static constexpr unsigned kPackers = 4;
  static constexpr unsigned kExponentBins = 32;

  struct Counters {
    std::uint64_t instructions = 0;
    std::uint64_t datums = 0;    ///< read from Dst, or zeros in their place
    std::uint64_t l1_bytes = 0;  ///< data and exponents
    std::uint64_t busy_cycles = 0;
    std::uint64_t tiles = 0;  ///< instructions with Last
  };
  struct ExponentHistogram {
    std::array<std::uint8_t, kExponentBins> bins{};
    std::uint8_t max_exponent = 0;
  };

  Packers(const MovementConfig& config, const BackendConfig& backend_config,
          AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
          foundation::FaultPolicy& faults, std::string where);

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  /// Tie order of the agent that runs the coprocessor, for whoever sleeps on L1.
  void set_agent_order(unsigned order) { agent_order_ = order; }
  void set_register_writer(RegisterWriter* writer) { register_writer_ = writer; }

  /// First cycle at which `thread` has nothing left in the packer (STALLWAIT C3..C6).
  Cycle idle_from(unsigned packer, unsigned thread) const {
    return packers_[packer].idle_from[thread];
  }
  const Counters& counters(unsigned packer) const { return packers_[packer].counters; }

  // What SETDMAREG and TDMA-RISC read. Sizes are in units of 16 bytes (assumed from the header that
  // Add_tile_header_size adds as one unit).
  std::uint16_t tile_size(unsigned packer, unsigned thread) const override {
    const Packer& p = packers_[packer];
    return p.last_thread == thread ? p.last_tile_size : std::uint16_t{0};
  }
  std::uint16_t accumulated_tile_size(unsigned packer, unsigned thread) const override {
    return packers_[packer].accumulated_tile_size[thread];
  }
  void reset_accumulated_tile_size(unsigned packer) override {
    packers_[packer].accumulated_tile_size = {};
  }
  /// Flags are those of compressed rows, of which there are none.
  std::uint32_t all_zero_flags(unsigned) const override { return 0; }
  std::uint8_t exponent_histogram(unsigned packer, unsigned bin) const override {
    return packers_[packer].histogram.bins[bin];
  }
  std::uint8_t exponent_histogram_max() const override {
    return packers_[0].histogram.max_exponent;
  }
  /// CLREXPHIST.
  void clear_exponent_histograms();

  // What TDMA-RISC sets (ISA TensixTile/TDMA-RISC.md).
  void set_l1_dest_addr_offset(unsigned packer, std::uint16_t offset) override {
    packers_[packer].l1_dest_addr_offset = offset;
  }
  void attach(const TdmaRisc::PackSetregConfig& setreg) { setreg_ = &setreg; }

 private:
  struct TilePosition {
    unsigned x = 0, y = 0, z = 0;
  };
  struct Packer {
    explicit Packer(L1Port& l1) : data(l1), exponents(l1) {}
    PackStream data;
    PackStream exponents;
    std::array<std::uint32_t, LateConversion::kBlock> block{};
    unsigned block_datums = 0;
    TilePosition position;
    ExponentHistogram histogram;
    std::uint32_t tile_beats = 0;  ///< of the tile under way
    std::uint16_t last_tile_size = 0;
    unsigned last_thread = 0;
    std::array<std::uint16_t, kThreads> accumulated_tile_size{};
    std::uint16_t l1_dest_addr_offset = 0;
    Cycle accepts_from = 0;
    Cycle writes_free = 0;
    std::array<Cycle, kThreads> idle_from{};
    Counters counters;
  };
  /// Where the datums of one packer come from.
  struct Input {
    bool selected = false;
    unsigned adc = 0;
    bool from_dst = false;
    std::uint32_t first = 0;  ///< index of a datum in Dst
    std::uint32_t datums = 0;
  };
  /// What is the same for all datums of one instruction and packer.
  struct Stages;
  using Words = std::array<std::uint32_t, BackendConfig::kBankWords>;

  Issue issue_pack(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue issue_setreg(std::uint32_t instruction, unsigned thread, Cycle now);
  unsigned select_packers(std::uint32_t instruction);
  Input plan_input(unsigned packer, std::uint32_t instruction, unsigned thread);
  Cycle readable_from(const Input& input, bool read_32b) const;
  void start_accumulation(unsigned packer, const Words& words);
  void place_output(unsigned packer, unsigned adc, const Words& words);
  bool collects_histogram() const;
  bool check_modes(unsigned packer, const Words& words);
  void advance_counters(std::uint32_t instruction, unsigned thread, unsigned adcs);

  void run(unsigned packer, const Input& input, const Stages& stages);
  void take_row(Packer& packer, const Stages& stages, unsigned row, unsigned column, unsigned count,
                std::uint32_t* values);
  void mask_edges(Packer& packer, const Stages& stages, unsigned column, unsigned count,
                  std::uint32_t* values);
  void count_exponents(Packer& packer, const Stages& stages, unsigned count, std::uint32_t* values);
  std::uint32_t edge_mask(unsigned packer, const TilePosition& position, const Words& words) const;
  void emit(Packer& packer, const LateConversion& late, const std::uint32_t* values,
            unsigned count);
  void emit_block(Packer& packer, const LateConversion& late);
  void flush(Packer& packer, const LateConversion& late);
  void end_tile(unsigned packer, unsigned thread, const Words& words);
  Cycle drain(unsigned packer, Cycle start, Cycle now);

  const Words& bank(unsigned thread) const;
  void fault(foundation::FaultKind kind, unsigned packer, const std::string& text);

  const MovementConfig& config_;
  const BackendConfig& backend_config_;
  AddressCounters& counters_;
  RegisterFiles& registers_;
  L1Port& l1_;
  foundation::FaultPolicy& faults_;
  std::string where_;
  unsigned agent_order_ = 0;
  RegisterWriter* register_writer_ = nullptr;
  const TdmaRisc::PackSetregConfig* setreg_ = nullptr;
  std::array<Packer, kPackers> packers_;
};

}  // namespace tvp::tensix::coprocessor
