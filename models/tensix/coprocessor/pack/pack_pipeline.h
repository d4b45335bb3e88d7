#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/config/movement_config.h"
#include "models/tensix/coprocessor/pack/pack_stages.h"
#include "models/tensix/coprocessor/pack/pack_stream.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/unit_faults.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// One of the four packers: it converts rows of Dst and writes them to L1 (ISA Packers/*.md).
class PackPipeline {
 public:
  static constexpr unsigned kExponentBins = 32;
  using Words = PackStages::Words;

  struct Counters {
    std::uint64_t instructions = 0;
    std::uint64_t datums = 0;    ///< read from Dst, or zeros instead
    std::uint64_t l1_bytes = 0;  ///< data and exponents
    std::uint64_t busy_cycles = 0;
    std::uint64_t tiles = 0;  ///< instructions with Last
  };
  struct ExponentHistogram {
    std::array<std::uint8_t, kExponentBins> bins{};
    std::uint8_t max_exponent = 0;
  };
  /// Source of an instruction's datums.
  struct Input {
    bool selected = false;
    unsigned adc = 0;
    bool from_dst = false;
    std::uint32_t first = 0;  ///< index of a datum in Dst
    std::uint32_t datums = 0;
  };
  struct Work {
    const Input& input;
    const Words& words;
    const AddressCounter& output;
    std::uint32_t instruction;
    unsigned thread;
    bool last;
    bool flush;
    bool histogram;
    unsigned agent_order;
  };

  PackPipeline(unsigned index, const MovementConfig& config, const Dst& dst, L1Port& l1,
               const UnitFaults& faults);

  /// Executes one instruction that starts at `now`; returns its end.
  Cycle pack(const Work& work, Cycle now);

  /// First cycle at which the previous instruction is read and L1 does not block it.
  Cycle accepts_from() const { return accepts_from_; }
  Cycle writes_free() const { return writes_free_; }
  Cycle idle_from(unsigned thread) const { return idle_from_[thread]; }
  void occupy(unsigned thread, Cycle until) {
    idle_from_[thread] = std::max(idle_from_[thread], until);
  }
  /// True if less than 16 bytes wait for the next instruction.
  bool holds_data() const {
    return data_.holds_data() || exponents_.holds_data() || block_datums_ != 0;
  }
  const Counters& counters() const { return counters_; }

  std::uint16_t tile_size(unsigned thread) const {
    return last_thread_ == thread ? last_tile_size_ : std::uint16_t{0};
  }
  std::uint16_t accumulated_tile_size(unsigned thread) const {
    return accumulated_tile_size_[thread];
  }
  void reset_accumulated_tile_size() { accumulated_tile_size_ = {}; }
  const ExponentHistogram& histogram() const { return histogram_; }
  void clear_histogram() { histogram_ = {}; }
  void set_l1_dest_addr_offset(std::uint16_t offset) { l1_dest_addr_offset_ = offset; }

 private:
  static constexpr unsigned kRowsAtOnce = 16;
  struct TilePosition {
    unsigned x = 0, y = 0, z = 0;
  };

  bool check_modes(const Words& words);
  void start_accumulation(const Words& words);
  void place_output(const AddressCounter& adc, const Words& words);

  void run(const Input& input, const PackStages& stages);
  void take_row(const PackStages& stages, unsigned row, unsigned column, unsigned count,
                std::uint32_t* values);
  /// The same for complete rows, up to the output.
  void take_rows(const PackStages& stages, unsigned first, unsigned count);
  void read_row(bool read_32b, unsigned row, std::uint32_t* raw) const noexcept;
  void next_row(const PackStages& stages);
  /// Returns the set of datums that stay, one bit each.
  std::uint32_t mask_edges(const PackStages& stages, unsigned column, unsigned count,
                           std::uint32_t* values);
  void complain_of_undefined(bool read_32b, unsigned row, std::uint32_t columns) const;
  void count_exponents(const PackStages& stages, unsigned count, std::uint32_t* values) noexcept;
  std::uint32_t edge_mask(const Words& words) const;
  void emit(const LateConversion& late, std::uint32_t* values, unsigned count);
  void emit_block(const LateConversion& late, const std::uint32_t* values);
  void flush(const LateConversion& late);
  void end_tile(unsigned thread, const Words& words);
  Cycle drain(const Work& work, Cycle now);

  const unsigned index_;
  const MovementConfig& config_;
  const Dst& dst_;
  L1Port& l1_;
  const UnitFaults& faults_;

  PackStream data_;
  PackStream exponents_;
  std::array<std::uint32_t, LateConversion::kBlock> block_{};
  unsigned block_datums_ = 0;
  TilePosition position_;
  ExponentHistogram histogram_;
  std::uint32_t tile_beats_ = 0;  ///< beats of the current tile
  std::uint16_t last_tile_size_ = 0;
  unsigned last_thread_ = 0;
  std::array<std::uint16_t, kThreads> accumulated_tile_size_{};
  std::uint16_t l1_dest_addr_offset_ = 0;
  Cycle accepts_from_ = 0;
  Cycle writes_free_ = 0;
  std::array<Cycle, kThreads> idle_from_{};
  Counters counters_;
};

}  // namespace tvp::tensix::coprocessor
