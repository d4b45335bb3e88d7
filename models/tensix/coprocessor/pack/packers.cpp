#include "models/tensix/coprocessor/pack/packers.h"

#include <algorithm>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;
namespace op = regs::tensix;

Packers::Packers(const MovementConfig& config, const BackendConfig& backend_config,
                 AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
                 foundation::FaultPolicy& faults, const std::string& where)
    : backend_config_(backend_config),
      counters_(counters),
      registers_(registers),
      faults_(faults, where + ".PACK"),
      packers_{PackPipeline(0, config, registers.dst, l1, faults_),
               PackPipeline(1, config, registers.dst, l1, faults_),
               PackPipeline(2, config, registers.dst, l1, faults_),
               PackPipeline(3, config, registers.dst, l1, faults_)} {}

Issue Packers::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  registers_.settle(now);
  if (op::opcode_of(instruction) == op::Opcode::kPacrSetreg) {
    return issue_setreg(instruction, thread, now);
  }
  return issue_pack(instruction, thread, now);
}

// ---- PACR ---------------------------------------------------------------------------------------

Issue Packers::issue_pack(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned selected = select_packers(instruction);
  const auto& words = backend_config_.of(thread);
  const bool read_32b = cfg::pack::kRead32bData.get(words) != 0;
  std::array<Input, kPackers> inputs;
  Cycle start = now;
  for (unsigned i = 0; i < kPackers; ++i) {
    if ((selected >> i & 1) == 0) continue;
    inputs[i] = plan_input(i, instruction, thread);
    start = std::max({start, packers_[i].accepts_from(), readable_from(inputs[i], read_32b)});
  }
  if (start > now) return Issue::retry_at(start);

  unsigned adcs = 0;
  Cycle done = now + 1;
  for (unsigned i = 0; i < kPackers; ++i) {
    if (!inputs[i].selected) continue;
    adcs |= 1U << inputs[i].adc;
    const PackPipeline::Work work{.input = inputs[i],
                                  .words = words,
                                  .output = counters_.of(inputs[i].adc).packers.channel[1],
                                  .instruction = instruction,
                                  .thread = thread,
                                  .last = op::Pacr::kLast.of(instruction) != 0,
                                  .flush = op::Pacr::kFlush.of(instruction) != 0,
                                  .histogram = collects_histogram(),
                                  .agent_order = agent_order_};
    done = std::max(done, packers_[i].pack(work, now));
    if (registers_.dst_in_flight.watched()) {
      reads(inputs[i], read_32b, {.instruction = instruction, .thread = thread, .issued = now});
    }
  }
  if (op::Pacr::kLast.of(instruction) != 0 && takes_rows_) end_tile(inputs[0].first / kColumns);
  advance_counters(instruction, thread, adcs);
  // Another packer may be free earlier: each is asked for by the next instruction itself.
  return Issue::started(now + 1, done);
}

unsigned Packers::select_packers(std::uint32_t instruction) {
  const unsigned mask = op::Pacr::kPackerMask.of(instruction);
  switch (mask) {
    case 0b0000:
      return 0b0001;
    case 0b0001:
    case 0b0010:
    case 0b0100:
    case 0b1000:
    case 0b0011:
    case 0b1100:
    case 0b1111:
      return mask;
    default:
      faults_.firmware(0, "PACR with a PackerMask of undefined effect");
      return mask;
  }
}

PackPipeline::Input Packers::plan_input(unsigned packer, std::uint32_t instruction,
                                        unsigned thread) {
  const auto& words = backend_config_.of(thread);
  const cfg::PackerFields& f = cfg::kPacker[packer];
  Input input;
  input.selected = true;
  input.adc = thread;
  if (op::Pacr::kOvrdThreadId.of(instruction)) {
    input.adc = f.addr_cnt_context.get(words);
    if (input.adc == 3) input.adc = 0;
  }
  const AddressChannels& channels = counters_.of(input.adc).packers;
  const AddressCounter& adc = channels.channel[0];
  const bool flush = op::Pacr::kFlush.of(instruction) != 0;
  if (!flush) input.datums = channels.channel[1].x - adc.x + 1;
  constexpr std::uint32_t kMost = 1U << 18;  // number of X values
  if (input.datums > kMost) {
    faults_.firmware(packer, "PACR whose last X lies before its first");
    input.datums = 0;
  }
  if (flush || op::Pacr::kZeroWrite.of(instruction)) return input;

  input.from_dst = true;
  std::uint32_t address = cfg::pack::kSource.base.get(words) +
                          adc.x * (cfg::pack::kSource.x_stride.get(words) & 0xF) +
                          adc.y * cfg::pack::kSource.y_stride.get(words) +
                          adc.z * cfg::pack::kSource.z_stride.get(words) +
                          adc.w * cfg::pack::kSource.w_stride.get(words);
  const unsigned kind = f.in_data_format.get(words) & 3;
  const std::uint32_t datum_bytes = kind == 0 ? 4 : kind == 1 ? 2 : 1;
  const std::uint32_t x_mask = 16 / datum_bytes - 1;
  address = ((address / datum_bytes) & ~x_mask) + (adc.x & x_mask);
  address += f.dest_offset.get(words) << 4;
  input.first = address & 0x3FFF;
  return input;
}

Cycle Packers::readable_from(const Input& input, bool read_32b) const {
  Cycle from = 0;
  if (!input.from_dst || input.datums == 0) return from;
  const unsigned first = input.first / kColumns;
  const unsigned last = (input.first + input.datums - 1) / kColumns;
  // Blocks of eight rows: the first, then every one that begins.
  for (unsigned row = first; row <= last; row = (row | (Dst::kBlockRows - 1)) + 1) {
    const unsigned wrapped = row % Dst::kRows;
    from = std::max(from, read_32b ? registers_.dst.readable_from32(wrapped)
                                   : registers_.dst.readable_from16(wrapped));
  }
  return from;
}

void Packers::reads(const Input& input, bool read_32b, DstInFlight::User reader) {
  if (!input.from_dst || input.datums == 0) return;
  const unsigned first = input.first / kColumns;
  const unsigned last = (input.first + input.datums - 1) / kColumns;
  takes_rows_ = true;
  for (unsigned row = first; row <= last;) {
    // The block of eight rows is free when its last one has been read.
    const unsigned end = std::min(last, row | (Dst::kBlockRows - 1));
    reader.until = reader.issued + (end - first) + 1;
    const unsigned wrapped = row % Dst::kRows;
    if (read_32b) {
      const unsigned high = Dst::adjusted(wrapped);
      takes_written_ |= registers_.dst.has_any_of_block(high);
      registers_.dst_in_flight.read(high, reader);
      registers_.dst_in_flight.read(high + Dst::kBlockRows, reader);
    } else {
      takes_written_ |= registers_.dst.has_any_of_block(registers_.dst.storage16(wrapped));
      registers_.dst_in_flight.read(registers_.dst.storage16(wrapped), reader);
    }
    row = end + 1;
  }
}

/// Rows that nothing wrote are zeros: right for some of a tile, but hardly for all of it.
void Packers::end_tile(unsigned row) {
  if (!takes_written_)
    faults_.warn(0, "PACR packs a tile of zeros, to row " + std::to_string(row) +
                        " of Dst: nothing wrote any of its rows since ZEROACC (another tile of Dst "
                        "is meant, or tile_regs_wait is missing)");
  takes_rows_ = takes_written_ = false;
}

void Packers::advance_counters(std::uint32_t instruction, unsigned thread, unsigned adcs) {
  const cfg::thread::AddrModPack m = cfg::thread::addr_mod_pack(op::Pacr::kAddrMod.of(instruction));
  const auto& words = backend_config_.thread[thread];
  const auto advance = [&](AddressCounter& c, const cfg::Field& y_incr, const cfg::Field& y_cr,
                           const cfg::Field& y_clear, const cfg::Field& z_incr,
                           const cfg::Field& z_clear) {
    if (y_clear.get(words)) {
      c.clear_y();
    } else if (y_cr.get(words)) {
      c.return_y(y_incr.get(words));
    } else {
      c.add_y(y_incr.get(words));
    }
    if (z_clear.get(words)) {
      c.clear_z();
    } else {
      c.add_z(z_incr.get(words));
    }
  };
  for (unsigned i = 0; i < kThreads; ++i) {
    if ((adcs >> i & 1) == 0) continue;
    AddressChannels& channels = counters_.of(i).packers;
    advance(channels.channel[0], m.y_src_incr, m.y_src_cr, m.y_src_clear, m.z_src_incr,
            m.z_src_clear);
    advance(channels.channel[1], m.y_dst_incr, m.y_dst_cr, m.y_dst_clear, m.z_dst_incr,
            m.z_dst_clear);
  }
}

// ---- PACR_SETREG --------------------------------------------------------------------------------

Issue Packers::issue_setreg(std::uint32_t instruction, unsigned thread, Cycle now) {
  using Setreg = op::PacrSetreg;
  if (!Setreg::kOnes23.holds(instruction) || !Setreg::kOnes11To8.holds(instruction) ||
      !Setreg::kOnes1.holds(instruction)) {
    faults_.unmodelled(0, "PACR_SETREG with other than the documented fixed bits");
  }
  Cycle when = now + 1;
  for (unsigned i = 0; i < kPackers; ++i) {
    const PackPipeline& packer = packers_[i];
    if (packer.holds_data()) {
      faults_.unmodelled(i, "PACR_SETREG while a packer holds less than 16 bytes");
    }
    when = std::max(when, packer.writes_free());
  }
  if (setreg_ == nullptr || register_writer_ == nullptr) {
    faults_.unmodelled(0, "PACR_SETREG without a way to registers");
    return Issue::started(now + 1, when);
  }
  const unsigned format = cfg::kPacker[0].out_data_format.get(backend_config_.of(thread));
  const std::uint32_t value = Setreg::kValue10.of(instruction);
  const std::uint32_t high = value * setreg_->high_scaler[format & 3];
  const std::uint32_t address = 0xFFB00000 + setreg_->base[Setreg::kAddrSel.of(instruction)] +
                                (Setreg::kAddrMid.of(instruction) << 12);
  if (address < 0xFFB11000) {
    faults_.firmware(0, "PACR_SETREG to an address below 0xFFB11000");
  } else if (address < 0xFFB80000) {
    register_writer_->write_register(address, value + ((high & 0x1FFFF) << 12), when);
  }
  packers_[0].occupy(thread, when);
  return Issue::started(now + 1, when);
}

bool Packers::collects_histogram() const {
  for (const auto& thread : backend_config_.thread) {
    if (cfg::thread::kEnableAccStats.get(thread)) return true;
  }
  return false;
}

void Packers::clear_exponent_histograms() {
  for (PackPipeline& packer : packers_) packer.clear_histogram();
}

}  // namespace tvp::tensix::coprocessor
