#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "foundation/random.h"
#include "foundation/regs/tensix_opcodes.h"
#include "foundation/warning_sink.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/pack/packers.h"
#include "models/tensix/coprocessor/unpack/unpackers.h"
#include "models/tensix/tile/l1.h"

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;
namespace op = regs::tensix;

/// Stops at faults and keeps warnings.
struct Faults : foundation::StopOnFault, foundation::WarningSink {
  void warn(const foundation::Fault& fault) override { warned.emplace_back(fault.what()); }
  std::vector<std::string> warned;
};

/// Unpackers and packers with everything they are connected to.
struct MovementBench {
  support::WatchHub hub;
  L1 l1{1464 * 1024, hub};
  BackendConfig backend;
  AddressCounters adcs;
  RegisterFiles registers;
  Faults faults;
  MovementConfig config;
  Unpackers unpackers{config, backend, adcs, registers, l1, faults, "bench"};
  Packers packers{config, backend, adcs, registers, l1, faults, "bench"};

  void set(const cfg::Field& f, std::uint32_t value, unsigned bank = 0) {
    std::uint32_t& word = backend.bank[bank][f.addr32];
    word = f.insert(word, value);
  }
  void set_thread(unsigned thread, const cfg::Field& f, std::uint32_t value) {
    std::uint32_t& word = backend.thread[thread][f.addr32];
    word = f.insert(word, value);
  }
  void execute(std::uint32_t instruction, unsigned thread = 0) {
    adcs.execute(instruction, thread);
  }

  /// Sets up a tile without header at `address` for unpacker `u`, with `x` datums per row.
  void unpack_source(unsigned u, std::uint32_t address, DataFormat in, DataFormat out,
                     std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
    const cfg::UnpackerFields& f = cfg::kUnpacker[u];
    set(f.tile.in_data_format, static_cast<std::uint32_t>(in));
    set(f.tile.is_uncompressed, 1);
    set(f.tile.x_dim, x);
    set(f.tile.y_dim, y);
    set(f.tile.z_dim, z);
    set(f.out_data_format, static_cast<std::uint32_t>(out));
    set(f.base_address, address / 16 - 1);
    set(f.throttle_mode, 2);
    // Row 4 is the first of SrcA.
    if (u == 0) set(f.channel1.base, 4 * 16 * (datum_bits(out) >= 16 ? datum_bits(out) / 8 : 1));
    execute(op::encode_setadcxx(0, u == 1, u == 0, x - 1, 0));
  }

  /// Sets up all four packers from Dst row 0 on, `datums` each, side by side in L1 from `address`.
  void pack_target(std::uint32_t address, DataFormat intermediate, DataFormat from, DataFormat to,
                   std::uint32_t datums, std::uint32_t bytes_per_packer) {
    set(cfg::alu::kDstFormat, static_cast<std::uint32_t>(intermediate));
    set(cfg::pack::edge_mask(0), 0xFFFF);
    for (unsigned i = 0; i < Packers::kPackers; ++i) {
      const cfg::PackerFields& f = cfg::kPacker[i];
      set(f.in_data_format, static_cast<std::uint32_t>(from));
      set(f.out_data_format, static_cast<std::uint32_t>(to));
      set(f.disable_zero_compress, 1);
      set(f.l1_dest_addr, (address + i * bytes_per_packer) / 16 - 1);
      set(f.dest_offset, i * datums / kColumns);
      set(cfg::pack::reads_per_xy_plane(i), 16);
    }
    execute(op::encode_setadcxx(1, 0, 0, datums - 1, 0));
  }

  void store16(std::uint32_t address, std::uint32_t value) {
    l1.bytes()[address] = static_cast<std::uint8_t>(value);
    l1.bytes()[address + 1] = static_cast<std::uint8_t>(value >> 8);
  }
  void store32(std::uint32_t address, std::uint32_t value) {
    store16(address, value);
    store16(address + 2, value >> 16);
  }
  std::uint32_t load16(std::uint32_t address) {
    return l1.bytes()[address] | std::uint32_t{l1.bytes()[address + 1]} << 8;
  }
  std::uint32_t load32(std::uint32_t address) {
    return load16(address) | load16(address + 2) << 16;
  }
};

/// Random numbers for test data.
class TestRandom : public foundation::Random {
 public:
  using Random::Random;
  std::uint32_t bits(unsigned count) { return static_cast<std::uint32_t>(next() >> (64 - count)); }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(next() % limit); }
};

}  // namespace tvp::tensix::coprocessor
