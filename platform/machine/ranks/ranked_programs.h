#pragma once

#include <string>

#include "platform/machine/program_access.h"
#include "platform/machine/ranks/chip_ranks.h"

namespace tvp::platform {

/// The cores of all ranks, for the host at rank 0. Bare programs run on chips of rank 0 only.
///
/// Registrations for tiles of another rank are sent without waiting. If that rank refuses one, the
/// next call of the host fails.
class RankedPrograms : public ProgramAccess {
 public:
  /// `mine`: the cores of rank 0.
  RankedPrograms(ProgramAccess& mine, ChipRanks& ranks, const SystemDescription& system)
      : mine_(mine), ranks_(ranks), system_(system) {}

  bool add_symbols(const CorePlace& place, const std::string& elf_path) override;
  bool set_buffers(const CorePlace& place,
                   std::span<const tensix_vp_circular_buffer> buffers) override;
  bool set_arguments(const CorePlace& place, std::span<const std::uint32_t> words) override;
  bool set_given(const CorePlace& place, const checks::TileContext::Given& given,
                 std::uint32_t address, std::uint32_t bytes) override;
  bool set_dram_buffer(unsigned chip, std::uint64_t address,
                       const checks::DramBuffers::Buffer& buffer) override;
  bool set_l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                     std::span<const checks::L1Buffers::Tile> tiles) override;
  std::string origin(unsigned chip, unsigned x, unsigned y, std::uint64_t address) const override;
  unsigned start_program(const CorePlace& place, const std::string& elf_path,
                         const ProgramOptions& options) override;
  std::optional<ProgramResult> program_result(unsigned number) const override {
    return mine_.program_result(number);
  }

  /// Does what rank 0 asks for. It waits for origin() only.
  static void serve(ProgramAccess& mine, RankCall call, Message& arguments, Message& result,
                    bool& has_answer);

 private:
  bool is_mine(unsigned chip) const { return ranks_.owner_of(chip) == ranks_.rank(); }
  /// False if the description has no such tile.
  bool post(const CorePlace& place, RankCall call, const Message& arguments);
  void post(unsigned chip, RankCall call, const Message& arguments);

  ProgramAccess& mine_;
  ChipRanks& ranks_;
  const SystemDescription& system_;
};

}  // namespace tvp::platform
